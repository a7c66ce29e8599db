import { extent, range, rollup, sum } from 'd3-array';
import { scaleQuantize } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { formatNamed } from '../../chart-rows.ts';
import { markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { boldWidth, cutToWidth, textWidth } from '../text-width.ts';
import { shortWriter } from './axes.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  type Frame,
  type KeyItem,
  swatch,
} from './figure.ts';
import { bars, hatch, text } from './marks.ts';

type HeatmapSpec = Extract<ChartSpec, { kind: 'heatmap' }>;

interface HeatCell {
  readonly row: string;
  readonly column: string;
  readonly posts: number;
  /** Null when the cell has too few posts. */
  readonly value: number | null;
}

interface Track {
  readonly name: string;
  readonly cells: readonly HeatCell[];
  readonly posts: number;
}

interface Heat {
  readonly rows: readonly Track[];
  readonly columns: readonly Track[];
  /** The colour of a value, from 0 (low) to 6 (high) in equal steps. */
  readonly step: (value: number) => number;
  readonly write: (value: number) => string;
}

const steps = range(7);
/** The most rows and columns of a grid; the table has all. */
const maxTracks = 24;

/** A grid of two dimensions with a figure in each cell of enough posts; null when there are none. */
export function heatmapChart(spec: HeatmapSpec, scope: ChartScope): Chart | null {
  const { table, rows, context, id } = scope;
  const { say } = context;
  const cells = rows.flatMap((row): HeatCell[] => {
    const posts = row.number(spec.n) ?? 0;
    if (row.cell(spec.row) === null || row.cell(spec.column) === null || posts === 0) return [];
    const value = posts >= spec.minimum ? row.number(spec.value) : null;
    return [{ row: row.text(spec.row), column: row.text(spec.column), posts, value }];
  });
  if (cells.length === 0) return null;
  const [low, high] = extent(cells.flatMap(({ value }) => value ?? []));
  const write = shortWriter(formatNamed(table, spec.value) ?? 'decimal', context);
  const tracks = (side: 'row' | 'column') =>
    trackNames(spec[side], scope, sums(cells, side)).map((name): Track => {
      const own = cells.filter((cell) => cell[side] === name);
      // there is room for `08`, not for `08:00`
      const label = name.replace(/:00$/u, '');
      return { name: label, cells: own, posts: sum(own, ({ posts }) => posts) };
    });
  const heat: Heat = {
    rows: tracks('row'),
    columns: tracks('column'),
    // Equal values are neither high nor low, so they have the colour in the middle.
    step: low === high ? () => 3 : scaleQuantize([low ?? 0, high ?? 0], steps),
    // The key has the unit.
    write: (value) => write(value).replace(/\s?%$/u, ''),
  };
  const span = (from: string, to: string) =>
    from === to ? from : say('{from:text} to {to:text}', { from, to });
  const ends = low === undefined ? null : span(write(low), write(high));
  const few = cells.some(({ posts }) => posts < spec.minimum) ? spec.minimum : null;
  const isDrawn = (side: 'row' | 'column') => sums(cells, side).size <= maxTracks;
  return {
    key: keyItems(ends, few, `${id}-key`, context),
    draw: (frame) => drawHeat(heat, say('posts'), frame),
    showsAllValues: isDrawn('row') && isDrawn('column'),
  };
}

function sums(cells: readonly HeatCell[], side: 'row' | 'column'): Map<string, number> {
  return rollup(
    cells,
    (own) => sum(own, ({ posts }) => posts),
    (cell) => cell[side],
  );
}

/** All weekdays, the hours from the first to the last with a post, or the groups with most posts. */
function trackNames(
  column: string,
  { table, rows, context }: ChartScope,
  posts: ReadonlyMap<string, number>,
): string[] {
  const format = formatNamed(table, column) ?? 'text';
  const print = (value: number) => context.formatter.format(value, format);
  if (format === 'weekday') return range(1, 8).map(print);
  if (format === 'hour') {
    const hours = rows.filter((row) => posts.has(row.text(column)));
    const [first = 0, last = 0] = extent(hours.flatMap((row) => row.number(column) ?? []));
    return range(first, last + 1).map(print);
  }
  const names = [...posts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return names.slice(0, maxTracks);
}

const [minLeft, maxLeft, right, top, rise, gap] = [45, 130, 40, 44, 34, 2];

/**
 * The grid, with the posts of each row and column. It is turned on a narrow page, and where the names of its columns
 * need more room than they have.
 */
function drawHeat(heat: Heat, unit: string, { isNarrow, width, id }: Frame): Drawing {
  const given = layOut(heat.rows, heat.columns, unit, width);
  const turned = layOut(heat.columns, heat.rows, unit, width);
  const isTurned = (isNarrow && turned.room >= 0) || (given.room < 0 && turned.room > given.room);
  const { rows, columns, left, pitch } = isTurned ? turned : given;
  const end = left + columns.length * pitch;
  const drawn = columns.flatMap((column, across) =>
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
    const own = drawn.filter(({ cell }) => lookOf(cell) === look).map(({ box }) => box);
    return bars(own, look, look === 'few' ? `${id}-hatch` : undefined);
  });
  const figures = drawn.map(({ cell, box }) => {
    if (!cell) return null;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2 + 4.5];
    if (cell.value === null) return text(x, y, String(cell.posts), 'soft mid');
    return text(x, y, heat.write(cell.value), heat.step(cell.value) > 3 ? 'high mid' : 'low mid');
  });
  const heads = columns.map(({ name, posts }, across) => {
    const x = left + (across + 0.5) * pitch - gap / 2;
    return markup`${text(x, 14, cutToWidth(name, pitch), 'bold mid')}${text(x, 34, String(posts), 'soft mid')}`;
  });
  const names = rows.map(({ name, posts }, down) => {
    const y = top + (down + 0.5) * rise + 3.5;
    return markup`${text(0, y, cutToWidth(name, left), 'bold')}${text(end + 8, y, String(posts), 'soft')}`;
  });
  return {
    height: top + rows.length * rise,
    marks: markup`${hatch(`${id}-hatch`, 'hatch')}${boxes}${figures}${text(0, 34, unit, 'soft')}${heads}${names}`,
  };
}

/** The layout of a grid. room is what the widest name of a column leaves of its width, below 0 if it is cut. */
function layOut(rows: readonly Track[], columns: readonly Track[], unit: string, width: number) {
  const widest = (tracks: readonly Track[]) =>
    boldWidth * Math.max(...tracks.map(({ name }) => textWidth(name)));
  const left = Math.min(maxLeft, Math.max(minLeft, textWidth(unit) + 6, widest(rows) + 6));
  const pitch = Math.min(72, (width - left - right) / columns.length);
  return { rows, columns, left, pitch, room: pitch - widest(columns) };
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
  const fewWords = say('fewer than {n|# post|# posts}: how many', { n: few });
  return [
    ends === null ? null : { mark: swatch(147, colours), words: ends },
    few === null ? null : { mark: swatch(20, hatched), words: fewWords },
    { mark: swatch(21, bars([box(0.5)], 'frame')), words: say('no post with this figure') },
  ];
}
