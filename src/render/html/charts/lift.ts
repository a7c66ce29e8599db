import { descending, extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ChartSpec } from '../../../report/report-document.ts';
import { isNamelessGroup } from '../cell.ts';
import { markup, type Markup } from '../markup.ts';
import type { PageContext } from '../page-context.ts';
import { cutToWidth, textWidth } from '../text-width.ts';
import { axisTexts } from './axes.ts';
import {
  type Chart,
  type ChartRow,
  type ChartScope,
  type Drawing,
  formatNamed,
  type Frame,
  leftOutNotes,
  swatch,
} from './figure.ts';
import { dot, rules, text } from './marks.ts';

type LiftSpec = Extract<ChartSpec, { kind: 'lift' }>;

/** The same figure of posts with a label and of those without. */
interface Pair {
  readonly with: number;
  readonly without: number;
  readonly difference: number;
}

interface LiftRow {
  readonly label: string;
  readonly isNameless: boolean;
  /** Null when the row has too few posts to be compared. */
  readonly pair: Pair | null;
  /** The printed points, factor and posts, or the note that there are too few posts. */
  readonly figures: readonly string[];
  /** Rises, falls, or has no clear difference. */
  readonly way: 'rise' | 'fall' | 'even';
}

const maxRows = 24;
/** Wide: names at the left, then the plot, then figures. Narrow: two lines a row. */
const layouts = {
  wide: { pitch: 27, from: 188, to: 700, ticks: 6 },
  narrow: { pitch: 46, from: 8, to: 334, ticks: 3 },
} as const;
const [top, columns] = [24, [742, 826, 928]] as const;

/** Rows with a hollow dot for the posts without, a full one for those with; null without a pair. */
export function liftChart(spec: LiftSpec, scope: ChartScope): Chart | null {
  const { formatter, say } = scope.context;
  const even = formatter.format(0, formatNamed(scope.table, spec.lift) ?? 'decimal');
  const lift = scope.table.columns.find(({ name }) => name === spec.lift);
  const isClear = (row: ChartRow) =>
    row.text(spec.lift) !== even &&
    (lift?.coloredWhere === undefined || row.cell(lift.coloredWhere) === true);
  const all = scope.rows.map((row) => readRow(row, spec, isClear(row), scope.context));
  // Labels with too few posts are last.
  const lowest = Number.NEGATIVE_INFINITY;
  all.sort((a, b) => descending(a.pair?.difference ?? lowest, b.pair?.difference ?? lowest));
  const rows = all.slice(0, maxRows);
  if (rows.every(({ pair }) => pair === null)) return null;
  const format = formatNamed(scope.table, spec.with) ?? 'decimal';
  return {
    key: [
      { mark: swatch(12, dot(6, 6, 4.5, 'hollow')), words: say('posts without') },
      { mark: swatch(12, dot(6, 6, 4.5, 'dot rise')), words: say('posts with') },
      rows.some(({ pair, way }) => pair !== null && way === 'even')
        ? {
            mark: swatch(12, dot(6, 6, 4.5, 'dot even')),
            words: say('posts with, no clear difference'),
          }
        : null,
      { mark: null, words: say('at the right: lift, factor, posts') },
    ],
    draw: (frame) => drawRows(rows, (value) => formatter.format(value, format), frame),
    showsAllValues: false,
    notes: leftOutNotes(rows.length, all.length, scope.context),
  };
}

function readRow(row: ChartRow, spec: LiftSpec, isClear: boolean, context: PageContext): LiftRow {
  const [own, without] = [row.number(spec.with), row.number(spec.without)];
  const [difference, lift] = [row.number(spec.lift), row.text(spec.lift)];
  const label = row.text(spec.label);
  const isNameless = isNamelessGroup(label, context);
  if (own === null || without === null || difference === null) {
    const figures = [context.say('not enough posts ({n:text})', { n: row.text(spec.n) })];
    return { label, pair: null, figures, way: 'even', isNameless };
  }
  return {
    label,
    pair: { with: own, without, difference },
    figures: [lift, row.text(spec.factor), row.text(spec.n)],
    way: !isClear ? 'even' : own < without ? 'fall' : 'rise',
    isNameless,
  };
}

type Scale = (value: number) => number;

function drawRows(
  rows: readonly LiftRow[],
  write: (value: number) => string,
  frame: Frame,
): Drawing {
  const { pitch, from, to, ticks } = layouts[frame.isNarrow ? 'narrow' : 'wide'];
  const values = rows.flatMap(({ pair }) => (pair ? [pair.with, pair.without] : []));
  const x = scaleLinear(spanOf(values), [from, to]).nice(5);
  const bottom = top + rows.length * pitch - 12;
  const grid = x.ticks(ticks).map((tick) => [x(tick), top - 16, x(tick), bottom] as const);
  const labels = x.ticks(ticks).map((tick) => ({ place: tick, text: write(tick) }));
  const axis = axisTexts(labels, x, { bottom: bottom - 2, right: frame.width });
  const drawn = rows.map((row, index) => {
    const y = top + index * pitch;
    return frame.isNarrow ? narrowRow(row, y, x, frame.width) : wideRow(row, y, x);
  });
  return { height: axis.height, marks: markup`${rules(grid, 'grid')}${axis.marks}${drawn}` };
}

/** Dots need no zero; equal values still need a width. */
function spanOf(values: readonly number[]): [number, number] {
  const [low = 0, high = 0] = extent(values);
  if (low !== high) return [low, high];
  return [low - (Math.abs(low) / 2 || 1), high + (Math.abs(high) / 2 || 1)];
}

function wideRow(row: LiftRow, y: number, x: Scale): Markup {
  const name = text(0, y + 4.5, cutToWidth(row.label, 176), nameLook(row));
  const figures = row.figures.map((figure, index) =>
    row.pair
      ? text(columns[index] ?? 0, y + 4.5, figure, ['bold', '', 'end'][index])
      : text(188, y + 4.5, figure, 'soft'),
  );
  return markup`${name}${pairMarks(row, y, x)}${figures}`;
}

function narrowRow(row: LiftRow, y: number, x: Scale, width: number): Markup {
  const figures = row.figures.join(' · ');
  const name = cutToWidth(row.label, width - textWidth(figures) - 16);
  return markup`${text(0, y, name, nameLook(row))}${text(width, y, figures, row.pair ? 'end' : 'soft end')}${pairMarks(row, y + 16, x)}`;
}

/** The names of the labels that are compared are bold. */
function nameLook({ isNameless, pair }: LiftRow): string {
  if (!pair) return 'soft';
  return isNameless ? '' : 'bold';
}

/** The direction shows in the colour, in the side of the full dot and in the sign of the lift. */
function pairMarks({ pair, way }: LiftRow, y: number, x: Scale): Markup | null {
  if (!pair) return null;
  const [from, to] = [x(pair.without), x(pair.with)];
  return markup`${rules([[from, y, to, y]], `span ${way}`)}${dot(from, y, 4.5, 'hollow')}${dot(to, y, 4.5, `dot ${way}`)}`;
}
