import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { isNamelessGroup } from '../cell.ts';
import { markup, type Markup } from '../markup.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import {
  type Chart,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  leftOutNotes,
} from './figure.ts';
import { dot, rules, text } from './marks.ts';

type LiftSpec = Extract<ChartSpec, { kind: 'lift' }>;

/** The same figure of posts with a label and of those without. */
interface Pair {
  readonly with: number;
  readonly without: number;
  readonly difference: number;
  /** Rises, falls, or prints as no difference at all. */
  readonly way: 'rise' | 'fall' | 'even';
}

interface LiftRow {
  readonly label: string;
  /** Null where the row has too few posts to be compared. */
  readonly pair: Pair | null;
  /** As the table prints them: points, factor, posts. */
  readonly lift: string;
  readonly factor: string;
  readonly n: string;
}

const maxRows = 24;
/** Wide: names at the left, then the plot, then three columns of figures. Narrow: two lines a row. */
const layouts = {
  wide: { pitch: 27, top: 44, from: 188, to: 700, ticks: 6 },
  narrow: { pitch: 46, top: 24, from: 8, to: 334, ticks: 3 },
} as const;
const columns = { lift: 742, factor: 826, n: 928 } as const;

/** Rows with a hollow dot for the posts without, a full one for those with; null without a pair. */
export function liftChart(spec: LiftSpec, scope: ChartScope): Chart | null {
  const { formatter } = scope.context;
  const all = readRows(spec, scope);
  const rows = all.slice(0, maxRows);
  if (rows.every(({ pair }) => pair === null)) return null;
  const format = formatNamed(scope.table, spec.with) ?? 'decimal';
  return {
    draw: (frame) => drawRows(rows, (value) => formatter.format(value, format), frame),
    showsAllValues: false,
    notes: leftOutNotes(rows.length, all.length),
  };
}

/** From the highest to the lowest, then those that have too few posts. */
function readRows(spec: LiftSpec, { table, rows, context }: ChartScope): LiftRow[] {
  const even = context.formatter.format(0, formatNamed(table, spec.lift) ?? 'decimal');
  const read = rows.map((row): LiftRow => {
    const [own, without] = [row.number(spec.with), row.number(spec.without)];
    const [difference, lift] = [row.number(spec.lift), row.text(spec.lift)];
    const isPair = own !== null && without !== null && difference !== null;
    const way = () => (lift === even ? 'even' : (own ?? 0) < (without ?? 0) ? 'fall' : 'rise');
    return {
      label: row.text(spec.label),
      pair: isPair ? { with: own, without, difference, way: way() } : null,
      lift,
      factor: row.text(spec.factor),
      n: row.text(spec.n),
    };
  });
  const lowest = Number.NEGATIVE_INFINITY;
  return read.sort((a, b) => {
    if (!a.pair && !b.pair) return 0;
    return (b.pair?.difference ?? lowest) - (a.pair?.difference ?? lowest);
  });
}

type Scale = (value: number) => number;

function drawRows(
  rows: readonly LiftRow[],
  write: (value: number) => string,
  frame: Frame,
): Drawing {
  const { pitch, top, from, to, ticks } = layouts[frame.isNarrow ? 'narrow' : 'wide'];
  const values = rows.flatMap(({ pair }) => (pair ? [pair.with, pair.without] : []));
  const x = scaleLinear(spanOf(values), [from, to]).nice(5);
  const bottom = top + rows.length * pitch - 12;
  const grid = x.ticks(ticks).map((tick) => [x(tick), top - 16, x(tick), bottom] as const);
  const names = x.ticks(ticks).map((tick) => text(x(tick), bottom + 17, write(tick), 'soft mid'));
  const drawn = rows.map((row, index) => {
    const y = top + index * pitch;
    return frame.isNarrow ? narrowRow(row, y, x, frame.width) : wideRow(row, y, x, index === 0);
  });
  const head = frame.isNarrow
    ? text(0, bottom + 38, 'Hollow: without. Full: with. Right: lift · factor · posts.', 'soft')
    : markup`${text(columns.lift, 12, 'lift', 'soft')}${text(columns.factor, 12, 'factor', 'soft')}${text(columns.n, 12, 'posts', 'soft end')}`;
  return {
    height: bottom + (frame.isNarrow ? 44 : 22),
    marks: markup`${rules(grid, 'grid')}${names}${head}${drawn}`,
  };
}

/** Dots need no zero; equal values still need a width. */
function spanOf(values: readonly number[]): [number, number] {
  const [low = 0, high = 0] = extent(values);
  if (low !== high) return [low, high];
  return [low - (Math.abs(low) / 2 || 1), high + (Math.abs(high) / 2 || 1)];
}

function wideRow(row: LiftRow, y: number, x: Scale, isFirst: boolean): Markup {
  const name = text(0, y + 4.5, cutToWidth(row.label, 176), nameLook(row));
  const n = text(columns.n, y + 4.5, row.n, row.pair ? 'end' : 'soft end');
  if (!row.pair) return markup`${name}${text(188, y + 4.5, fewWords(row), 'soft')}${n}`;
  return markup`${name}${pairMarks(row.pair, y, x)}${isFirst && pairNames(row.pair, y, x)}${text(columns.lift, y + 4.5, row.lift, 'bold')}${text(columns.factor, y + 4.5, row.factor)}${n}`;
}

function narrowRow(row: LiftRow, y: number, x: Scale, width: number): Markup {
  const figures = row.pair ? `${row.lift} · ${row.factor} · ${row.n}` : fewWords(row);
  const name = cutToWidth(row.label, width - textWidth(figures) - 16);
  return markup`${text(0, y, name, nameLook(row))}${text(width, y, figures, row.pair ? 'end' : 'soft end')}${row.pair && pairMarks(row.pair, y + 16, x)}`;
}

/** Bold is for names of what is compared. */
function nameLook({ label, pair }: LiftRow): string {
  if (!pair) return 'soft';
  return isNamelessGroup(label) ? '' : 'bold';
}

function fewWords({ n }: LiftRow): string {
  return `not enough posts (${n})`;
}

/** The full dot's side and the sign of the lift show the direction, too. */
function pairMarks(pair: Pair, y: number, x: Scale): Markup {
  const [from, to] = [x(pair.without), x(pair.with)];
  return markup`${rules([[from, y, to, y]], `span ${pair.way}`)}${dot(from, y, 4.5, 'hollow')}${dot(to, y, 4.5, `dot ${pair.way}`)}`;
}

/** Over the dots of the first row, apart from each other. */
function pairNames(pair: Pair, y: number, x: Scale): Markup {
  const half = (textWidth('without') + textWidth('with')) / 4 + 6;
  const middle = (x(pair.with) + x(pair.without)) / 2;
  const side = pair.with >= pair.without ? 1 : -1;
  const reach = Math.max(Math.abs(x(pair.with) - x(pair.without)) / 2, half) * side;
  return markup`${text(middle - reach, y - 11, 'without', 'mid')}${text(middle + reach, y - 11, 'with', 'bold mid')}`;
}
