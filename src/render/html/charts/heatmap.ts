import { extent, group, max, sum } from 'd3-array';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { chartRows, columnNamed } from './chart-rows.ts';
import type { Chart, ChartScope, Drawing, Frame } from './figure.ts';
import { bars, type Box, hatch, swatch, text } from './marks.ts';
import { bareRate, compactWriter } from './values.ts';

type HeatmapSpec = Extract<ChartSpec, { kind: 'heatmap' }>;

interface Slot {
  /** 1 = Monday. */
  readonly weekday: number;
  readonly hour: number;
}

interface Cell extends Slot {
  readonly posts: number;
  /** Null where there are too few posts. */
  readonly value: number | null;
  /** Colour from 0 (low) to 6 (high), equal steps of value; null where there are too few posts. */
  readonly step: number | null;
  /** Among the three highest. */
  readonly isTop: boolean;
}

interface Heat {
  /** Those with a post. */
  readonly cells: readonly Cell[];
  /** From the first to the last hour with a post. */
  readonly hours: readonly number[];
  readonly write: (value: number) => string;
  readonly words: PageContext['words'];
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const steps = [0, 1, 2, 3, 4, 5, 6] as const;
/** Fewer posts say nothing of hours: a sentence takes the picture's place. */
const minPosts = 30;
/** Between two cells. */
const gap = 2;

/** Weekdays by hours, each cell with its figure; a sentence for few posts, null for none. */
export function heatmapChart(spec: HeatmapSpec, scope: ChartScope): Chart | string | null {
  const { table, context, id } = scope;
  const slots = chartRows(table, context.formatter).flatMap((row) => {
    const [weekday, hour] = [row.number(spec.row), row.number(spec.column)];
    const posts = row.number(spec.n) ?? 0;
    if (weekday === null || hour === null || posts === 0) return [];
    return [{ weekday, hour, posts, value: posts >= spec.minimum ? row.number(spec.value) : null }];
  });
  const format = columnNamed(table, spec.value)?.format ?? 'decimal';
  const all = sum(slots, ({ posts }) => posts);
  if (slots.length === 0) return null;
  if (all < minPosts)
    return `${all} ${all === 1 ? 'post is' : 'posts are'} too few to compare weekdays and hours.`;
  const cells = colour(slots);
  const [first = 0, last = 0] = extent(slots, ({ hour }) => hour);
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const isRate = format === 'rate' || format === 'share';
  const write = isRate
    ? (value: number) => bareRate(value, context)
    : compactWriter(format, context);
  const heat = { cells, hours, write, words: context.words };
  const range = extent(cells, ({ value }) => value ?? undefined).map(
    (value) => value !== undefined && context.formatter.format(value, format),
  );
  const few = cells.some(({ posts }) => posts < spec.minimum) && fewWords(spec.minimum);
  return {
    draw: (frame) => drawHeat(heat, frame),
    keyBelow: keyMarkup(range, few, `${id}-key`),
    showsAllValues: true,
    notes: cutHours(first, last),
  };
}

/** Where all are equal none is high or low: the middle. */
function colour(slots: readonly Omit<Cell, 'step' | 'isTop'>[]): Cell[] {
  const ranked = slots.flatMap(({ value }) => value ?? []).sort((a, b) => b - a);
  const [high = 0, low = 0] = [ranked[0], ranked.at(-1)];
  const threshold = ranked[2] ?? Number.NEGATIVE_INFINITY;
  const stepOf = (value: number) =>
    low === high ? 3 : Math.min(6, Math.floor(((value - low) / (high - low)) * steps.length));
  return slots.map((slot) => ({
    ...slot,
    step: slot.value === null ? null : stepOf(slot.value),
    isTop: slot.value !== null && slot.value >= threshold,
  }));
}

interface Layout extends Frame {
  readonly height: number;
  readonly box: (slot: Slot) => Box;
}

/** Hours across on a wide page, down on a narrow one. */
function layOut({ hours }: Heat, frame: Frame): Layout {
  const rank = ({ hour }: Slot) => hour - (hours[0] ?? 0);
  if (frame.isNarrow) {
    const pitch = (frame.width - 27) / 7;
    const box = (slot: Slot) => ({
      left: 27 + (slot.weekday - 1) * pitch,
      top: 20 + rank(slot) * 27,
      width: pitch - gap,
      height: 27 - gap,
    });
    return { ...frame, height: 20 + hours.length * 27, box };
  }
  // At the right stand bars and figures of posts by weekday.
  const pitch = Math.min(72, (frame.width - 45 - 112) / hours.length);
  const box = (slot: Slot) => ({
    left: 45 + rank(slot) * pitch,
    top: 66 + (slot.weekday - 1) * 34,
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
function cellMarks({ cells, hours, write }: Heat, { box, id }: Layout): Markup {
  const pattern = `${id}-hatch`;
  const known = new Set(cells.map(({ weekday, hour }) => `${weekday} ${hour}`));
  const slots = weekdays.flatMap((weekday) => hours.map((hour) => ({ weekday, hour })));
  const empty = slots.filter(({ weekday, hour }) => !known.has(`${weekday} ${hour}`));
  const inset = ({ left, top, width, height }: Box) => ({
    left: left + 0.5,
    top: top + 0.5,
    width: width - 1,
    height: height - 1,
  });
  const few = cells.filter(({ step }) => step === null).map(box);
  const coloured = [
    ...group(
      cells.filter(({ step }) => step !== null),
      ({ step }) => step ?? 0,
    ),
  ].sort(([a], [b]) => a - b);
  const figures = cells.map((cell) => {
    const { left, top, width, height } = box(cell);
    const [x, y] = [left + width / 2, top + height / 2 + 4.5];
    if (cell.value === null) return text(x, y, String(cell.posts), 'soft mid');
    return text(
      x,
      y,
      write(cell.value),
      `${(cell.step ?? 0) > 3 ? 'high' : 'low'} mid${cell.isTop ? ' bold' : ''}`,
    );
  });
  return markup`${few.length > 0 && hatch(pattern, 'hatch')}${bars(
    empty.map((slot) => inset(box(slot))),
    'frame',
  )}${bars(few, 'few', pattern)}${coloured.map(([step, own]) => bars(own.map(box), `s${step}`))}${figures}`;
}

/** How many posts the figures rest on: by hour above, by weekday at the right. */
function postBars({ cells, hours }: Heat, { box }: Layout): Markup {
  const postsIn = (isIn: (cell: Cell) => boolean) => sum(cells.filter(isIn), ({ posts }) => posts);
  const byHour = hours.map((hour) => ({
    ...box({ weekday: 1, hour }),
    posts: postsIn((cell) => cell.hour === hour),
  }));
  const byDay = weekdays.map((weekday) => ({
    ...box({ weekday, hour: hours.at(-1) ?? 0 }),
    posts: postsIn((cell) => cell.weekday === weekday),
  }));
  const most = max(byHour, ({ posts }) => posts) ?? 1;
  const mostByDay = max(byDay, ({ posts }) => posts) ?? 1;
  const base = 54;
  const upright = byHour.map(({ left, width, posts }) => ({
    left,
    width,
    top: base - (posts / most) * 34,
    height: (posts / most) * 34,
    posts,
  }));
  const lying = byDay.map(({ left, width, top, posts }) => ({
    left: left + width + 15,
    top: top + 8,
    width: (posts / mostByDay) * 62,
    height: 16,
    posts,
  }));
  return markup`${text(0, base, 'posts', 'soft')}${bars([...upright, ...lying], 'count')}${upright.map(({ left, width, top, posts }) => posts > 0 && text(left + width / 2, top - 5, String(posts), 'soft mid'))}${lying.map(({ left, width, top, posts }) => text(left + width + 6, top + 12.5, String(posts), 'soft'))}`;
}

function nameTexts({ hours, words }: Heat, { box, isNarrow, height }: Layout): Markup {
  const [firstHour = 0] = hours;
  const days = weekdays.map((weekday) => ({
    ...box({ weekday, hour: firstHour }),
    name: words.weekday(weekday),
  }));
  const clocks = hours.map((hour) => ({
    ...box({ weekday: 1, hour }),
    name: String(hour).padStart(2, '0'),
  }));
  if (isNarrow) {
    return markup`${days.map(({ left, width, name }) => text(left + width / 2, 12, name, 'bold mid'))}${clocks.map(({ top, name }) => text(0, top + 17, name, 'soft'))}`;
  }
  return markup`${days.map(({ top, name }) => text(0, top + 20.5, name, 'bold'))}${text(0, height - 6, 'hour', 'soft')}${clocks.map(({ left, width, name }) => text(left + width / 2, height - 6, name, 'soft mid'))}`;
}

/** The range of colours, and what is not coloured. */
function keyMarkup(
  [low, high]: readonly (string | false)[],
  few: string | false,
  id: string,
): Markup {
  const box = (left: number) => ({ left, top: 0, width: 28, height: 12 });
  const colours = steps.map((step) => bars([box(step * 29)], `s${step}`));
  const scale =
    low !== false &&
    low !== undefined &&
    high !== undefined &&
    markup`<span>${low}${swatch(203, markup`${colours}`)}${high}</span>`;
  const hatched =
    few !== false &&
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
