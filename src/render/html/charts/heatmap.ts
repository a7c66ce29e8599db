import { extent, range, sum } from 'd3-array';
import { scaleQuantize } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  swatch,
} from './figure.ts';
import { bars, type Box, hatch, text } from './marks.ts';
import { bareRate, compactWriter, isRate } from './values.ts';

type HeatmapSpec = Extract<ChartSpec, { kind: 'heatmap' }>;

interface Cell {
  /** 1 = Monday. */
  readonly weekday: number;
  readonly hour: number;
  readonly posts: number;
  /** Null where there are too few posts. */
  readonly value: number | null;
}

interface Heat {
  /** Those with a post. */
  readonly cells: readonly Cell[];
  /** From the first to the last hour with a post. */
  readonly hours: readonly number[];
  /** Colour from 0 (low) to 6 (high), equal steps of value. */
  readonly step: (value: number) => number;
  /** The third highest value. */
  readonly threshold: number;
  readonly write: (value: number) => string;
  readonly words: PageContext['words'];
}

const weekdays = range(1, 8);
const steps = range(7);
/** Fewer posts say nothing of hours: a sentence takes the picture's place. */
const minPosts = 30;
/** Between two cells. */
const gap = 2;

/** Weekdays by hours, each cell with its figure; a sentence for few posts, null for none. */
export function heatmapChart(spec: HeatmapSpec, scope: ChartScope): Chart | string | null {
  const { table, rows, context, id } = scope;
  const cells = rows.flatMap((row): Cell[] => {
    const [weekday, hour] = [row.number(spec.row), row.number(spec.column)];
    const posts = row.number(spec.n) ?? 0;
    if (weekday === null || hour === null || posts === 0) return [];
    return [{ weekday, hour, posts, value: posts >= spec.minimum ? row.number(spec.value) : null }];
  });
  if (cells.length === 0) return null;
  const all = sum(cells, ({ posts }) => posts);
  if (all < minPosts)
    return `${all} ${all === 1 ? 'post is' : 'posts are'} too few to compare weekdays and hours.`;
  const format = formatNamed(table, spec.value) ?? 'decimal';
  const [first = 0, last = 0] = extent(cells, ({ hour }) => hour);
  const ranked = cells.flatMap(({ value }) => value ?? []).sort((a, b) => b - a);
  const [high = 0, low = 0] = [ranked[0], ranked.at(-1)];
  // Where all are equal none is high or low: the middle.
  const step = low === high ? () => 3 : scaleQuantize([low, high], steps);
  const heat: Heat = {
    cells,
    hours: range(first, last + 1),
    step,
    threshold: ranked[2] ?? Number.NEGATIVE_INFINITY,
    write: isRate(format) ? bareRate(context) : compactWriter(format, context),
    words: context.words,
  };
  const ends = ranked.length === 0 ? [] : [low, high];
  const printed = ends.map((value) => context.formatter.format(value, format));
  const hasFew = cells.some(({ posts }) => posts < spec.minimum);
  return {
    draw: (frame) => drawHeat(heat, frame),
    keyBelow: keyMarkup(printed, hasFew ? fewWords(spec.minimum) : null, `${id}-key`),
    showsAllValues: true,
    notes: cutHours(first, last),
  };
}

type Place = Pick<Cell, 'weekday' | 'hour'>;

interface Layout extends Frame {
  readonly height: number;
  readonly box: (place: Place) => Box;
}

/** Hours across on a wide page, down on a narrow one. */
function layOut({ hours }: Heat, frame: Frame): Layout {
  const rank = ({ hour }: Place) => hour - (hours[0] ?? 0);
  if (frame.isNarrow) {
    const pitch = (frame.width - 27) / 7;
    const box = (place: Place) => ({
      left: 27 + (place.weekday - 1) * pitch,
      top: 20 + rank(place) * 27,
      width: pitch - gap,
      height: 27 - gap,
    });
    return { ...frame, height: 20 + hours.length * 27, box };
  }
  // At the right are bars and figures of posts by weekday.
  const pitch = Math.min(72, (frame.width - 45 - 112) / hours.length);
  const box = (place: Place) => ({
    left: 45 + rank(place) * pitch,
    top: 66 + (place.weekday - 1) * 34,
    width: pitch - gap,
    height: 34 - gap,
  });
  return { ...frame, height: 66 + 7 * 34 + 26, box };
}

function drawHeat(heat: Heat, frame: Frame): Drawing {
  const layout = layOut(heat, frame);
  return {
    height: layout.height,
    marks: markup`${!frame.isNarrow && postBars(heat, layout)}${cellMarks(heat, layout)}${nameTexts(heat, layout)}`,
  };
}

/** One path for all cells of a colour, then the value of each, or the number of its posts where they are too few. */
function cellMarks({ cells, hours, step, threshold, write }: Heat, { box, id }: Layout): Markup {
  const pattern = `${id}-hatch`;
  const known = new Set(cells.map(({ weekday, hour }) => `${weekday} ${hour}`));
  const empty = weekdays
    .flatMap((weekday) => hours.map((hour) => ({ weekday, hour })))
    .filter(({ weekday, hour }) => !known.has(`${weekday} ${hour}`))
    .map(box)
    .map(({ left, top, width, height }) => ({
      left: left + 0.5,
      top: top + 0.5,
      width: width - 1,
      height: height - 1,
    }));
  const few = cells.filter(({ value }) => value === null).map(box);
  const coloured = steps.map((each) => {
    const own = cells.filter(({ value }) => value !== null && step(value) === each);
    return bars(own.map(box), `s${each}`);
  });
  const figures = cells.map((cell) => {
    const { left, top, width, height } = box(cell);
    const [x, y] = [left + width / 2, top + height / 2 + 4.5];
    if (cell.value === null) return text(x, y, String(cell.posts), 'soft mid');
    const look = `${step(cell.value) > 3 ? 'high' : 'low'} mid`;
    return text(x, y, write(cell.value), cell.value >= threshold ? `${look} bold` : look);
  });
  return markup`${few.length > 0 && hatch(pattern, 'hatch')}${bars(empty, 'frame')}${bars(few, 'few', pattern)}${coloured}${figures}`;
}

/** How many posts the figures rest on: by hour above, by weekday at the right. */
function postBars({ cells, hours }: Heat, { box }: Layout): Markup {
  const postsIn = (isIn: (cell: Cell) => boolean) => sum(cells.filter(isIn), ({ posts }) => posts);
  const byHour = hours.map((hour) => postsIn((cell) => cell.hour === hour));
  const byDay = weekdays.map((weekday) => postsIn((cell) => cell.weekday === weekday));
  const base = 54;
  const upright = hours.map((hour, index) => {
    const { left, width } = box({ weekday: 1, hour });
    const height = ((byHour[index] ?? 0) / Math.max(...byHour)) * 34;
    return { left, width, top: base - height, height };
  });
  const lying = weekdays.map((weekday, index) => {
    const { left, width, top } = box({ weekday, hour: hours.at(-1) ?? 0 });
    const length = ((byDay[index] ?? 0) / Math.max(...byDay)) * 62;
    return { left: left + width + 15, top: top + 8, width: length, height: 16 };
  });
  const hourTexts = upright.map(({ left, width, top }, index) => {
    const posts = byHour[index] ?? 0;
    return posts > 0 && text(left + width / 2, top - 5, String(posts), 'soft mid');
  });
  const dayTexts = lying.map(({ left, top, width }, index) =>
    text(left + width + 6, top + 12.5, String(byDay[index] ?? 0), 'soft'),
  );
  return markup`${text(0, base, 'posts', 'soft')}${bars([...upright, ...lying], 'count')}${hourTexts}${dayTexts}`;
}

function nameTexts({ hours, words }: Heat, { box, isNarrow, height }: Layout): Markup {
  const days = weekdays.map((weekday) => {
    const { left, top, width } = box({ weekday, hour: hours[0] ?? 0 });
    const name = words.weekday(weekday);
    return isNarrow
      ? text(left + width / 2, 12, name, 'bold mid')
      : text(0, top + 20.5, name, 'bold');
  });
  const clocks = hours.map((hour) => {
    const { left, top, width } = box({ weekday: 1, hour });
    const name = String(hour).padStart(2, '0');
    return isNarrow
      ? text(0, top + 17, name, 'soft')
      : text(left + width / 2, height - 6, name, 'soft mid');
  });
  return markup`${days}${!isNarrow && text(0, height - 6, 'hour', 'soft')}${clocks}`;
}

/** The range of colours, and what is not coloured. */
function keyMarkup([low, high]: readonly string[], few: string | null, id: string): Markup {
  const box = (left: number) => ({ left, top: 0, width: 28, height: 12 });
  const colours = steps.map((step) => bars([box(step * 29)], `s${step}`));
  const scale =
    low !== undefined &&
    high !== undefined &&
    markup`<span>${low}${swatch(203, markup`${colours}`)}${high}</span>`;
  const hatched =
    few !== null &&
    markup`<span>${swatch(28, markup`${hatch(id, 'hatch')}${bars([box(0)], 'few', id)}`)}${few}</span>`;
  const frame = bars([{ left: 0.5, top: 0.5, width: 27, height: 11 }], 'frame');
  return markup`<p class="key">${scale}${hatched}<span>${swatch(28, frame)}no post</span></p>
`;
}

function fewWords(minimum: number): string {
  const count = minimum === 2 ? '1 post' : `1 to ${minimum - 1} posts`;
  return `${count} (how many): not enough`;
}

/** Hours of the day without any post are not drawn, and that is said. */
function cutHours(first: number, last: number): string[] {
  const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;
  if (last - first === 23) return [];
  if (first === last)
    return [`All posts went out between ${clock(first)} and ${clock(first + 1)}.`];
  return [`No post went out between ${clock(last + 1)} and ${clock(first)}.`];
}
