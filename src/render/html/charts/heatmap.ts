import { extent, range, sum } from 'd3-array';
import { scaleQuantize } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { textWidth } from '../text-width.ts';
import { shortWriter } from './axes.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  type KeyItem,
  swatch,
} from './figure.ts';
import { bars, hatch, text } from './marks.ts';

type HeatmapSpec = Extract<ChartSpec, { kind: 'heatmap' }>;

interface HeatCell {
  /** 1 = Monday. */
  readonly weekday: number;
  readonly hour: number;
  readonly posts: number;
  /** Null when the cell has too few posts. */
  readonly value: number | null;
}

/** The row of a weekday or the column of an hour, with the number of its posts. */
interface Track {
  readonly name: string;
  readonly cells: readonly HeatCell[];
  readonly posts: number;
}

interface Heat {
  readonly days: readonly Track[];
  /** The hours from the first to the last with a post. */
  readonly hours: readonly Track[];
  /** The colour of a value, from 0 (low) to 6 (high) in equal steps. */
  readonly step: (value: number) => number;
  readonly write: (value: number) => string;
}

const steps = range(7);

/** A grid of weekdays and hours with a figure in each cell of enough posts; null when there are none. */
export function heatmapChart(spec: HeatmapSpec, scope: ChartScope): Chart | null {
  const { table, rows, context, id } = scope;
  const { say } = context;
  const cells = rows.flatMap((row): HeatCell[] => {
    const [weekday, hour] = [row.number(spec.row), row.number(spec.column)];
    const posts = row.number(spec.n) ?? 0;
    if (weekday === null || hour === null || posts === 0) return [];
    return [{ weekday, hour, posts, value: posts >= spec.minimum ? row.number(spec.value) : null }];
  });
  if (cells.length === 0) return null;
  const [first = 0, last = 0] = extent(cells, ({ hour }) => hour);
  const [low, high] = extent(cells.flatMap(({ value }) => value ?? []));
  const write = shortWriter(formatNamed(table, spec.value) ?? 'decimal', context);
  const track = (name: string, isOwn: (cell: HeatCell) => boolean) => {
    const own = cells.filter(isOwn);
    return { name, cells: own, posts: sum(own, ({ posts }) => posts) };
  };
  const heat: Heat = {
    days: range(1, 8).map((day) =>
      track(context.words.weekday(day), ({ weekday }) => weekday === day),
    ),
    hours: range(first, last + 1).map((clock) =>
      track(String(clock).padStart(2, '0'), ({ hour }) => hour === clock),
    ),
    // Equal values are neither high nor low, so they have the colour in the middle.
    step: low === high ? () => 3 : scaleQuantize([low ?? 0, high ?? 0], steps),
    // The key has the unit.
    write: (value) => write(value).replace(/\s?%$/u, ''),
  };
  const ends =
    low === undefined
      ? null
      : say('{from:text} to {to:text}', { from: write(low), to: write(high) });
  const few = cells.some(({ posts }) => posts < spec.minimum) ? spec.minimum : null;
  return {
    key: keyItems(ends, few, `${id}-key`, context),
    draw: (frame) => drawHeat(heat, say('posts'), frame),
    showsAllValues: true,
  };
}

const [minLeft, right, top, rise, gap] = [45, 40, 44, 34, 2];

/** The grid, with hours across on a wide page and down on a narrow one, and the posts of each row and column. */
function drawHeat(
  { days, hours, ...heat }: Heat,
  unit: string,
  { isNarrow, width, id }: Frame,
): Drawing {
  const [columns, rows] = isNarrow ? [days, hours] : [hours, days];
  const left = Math.max(minLeft, textWidth(unit) + 6);
  const pitch = Math.min(72, (width - left - right) / columns.length);
  const end = left + columns.length * pitch;
  const places = columns.flatMap((column, across) =>
    rows.map((row, down) => ({
      cell: column.cells.find((cell) => row.cells.includes(cell)),
      box: {
        left: left + across * pitch,
        top: top + down * rise,
        width: pitch - gap,
        height: rise - gap,
      },
    })),
  );
  const lookOf = (cell: HeatCell | undefined) => {
    if (!cell) return 'frame';
    return cell.value === null ? 'few' : `s${heat.step(cell.value)}`;
  };
  // All cells of one look are one path.
  const boxes = ['frame', 'few', ...steps.map((step) => `s${step}`)].map((look) => {
    const own = places.filter(({ cell }) => lookOf(cell) === look).map(({ box }) => box);
    return bars(own, look, look === 'few' ? `${id}-hatch` : undefined);
  });
  const figures = places.map(({ cell, box }) => {
    if (!cell) return null;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2 + 4.5];
    if (cell.value === null) return text(x, y, String(cell.posts), 'soft mid');
    return text(x, y, heat.write(cell.value), heat.step(cell.value) > 3 ? 'high mid' : 'low mid');
  });
  const heads = columns.map(({ name, posts }, across) => {
    const x = left + (across + 0.5) * pitch - gap / 2;
    return markup`${text(x, 14, name, 'bold mid')}${text(x, 34, String(posts), 'soft mid')}`;
  });
  const names = rows.map(({ name, posts }, down) => {
    const y = top + (down + 0.5) * rise + 3.5;
    return markup`${text(0, y, name, 'bold')}${text(end + 8, y, String(posts), 'soft')}`;
  });
  return {
    height: top + rows.length * rise,
    marks: markup`${hatch(`${id}-hatch`, 'hatch')}${boxes}${figures}${text(0, 34, unit, 'soft')}${heads}${names}`,
  };
}

/** The key of the colours. @param few the least number of posts in a coloured cell */
function keyItems(
  ends: string | null,
  few: number | null,
  id: string,
  { say }: PageContext,
): (KeyItem | null)[] {
  const box = (at: number) => ({ left: at, top: 0.5, width: 20, height: 11 });
  const colours = steps.map((step) => bars([box(step * 21)], `s${step}`));
  const hatched = markup`${hatch(id, 'hatch')}${bars([box(0)], 'few', id)}`;
  const fewWords = say('fewer than {n:count} posts: how many', { n: few });
  return [
    ends === null ? null : { mark: swatch(147, colours), words: ends },
    few === null ? null : { mark: swatch(20, hatched), words: fewWords },
    { mark: swatch(21, bars([box(0.5)], 'frame')), words: say('no post') },
  ];
}
