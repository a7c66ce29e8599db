import { group, max } from 'd3-array';
import type { Cell, ChartSpec, ReportTable } from '../../../report/report-document.ts';
import type { PageContext } from '../page-context.ts';
import { cellIn, type ChartColumn, chartColumn, numberIn } from './chart-column.ts';
import { dayStep } from './usual-step.ts';
import { createXReader, type XReader } from './x-reader.ts';

export type LinesSpec = Extract<ChartSpec, { kind: 'lines' }>;

export interface Point {
  /** On the axis: of a month, a day or a number. */
  readonly at: number;
  readonly value: number;
}

/** Points that a line joins. */
export type Stretch = readonly Point[];

export interface LineSeries {
  /** Null where the chart has a single line without a name. */
  readonly name: string | null;
  /** Of the six that have a colour, a dash and a shape; the last is that of what has no name. */
  readonly category: 1 | 2 | 3 | 4 | 5 | 6;
  /** One of many, which have no label. */
  readonly isOther: boolean;
  readonly stretches: readonly Stretch[];
  readonly previous: readonly Stretch[];
  /** How many posts it rests on, as its last row has it. */
  readonly n: number | null;
}

export interface LineSet {
  readonly reader: XReader;
  /** Those with a value. */
  readonly series: readonly LineSeries[];
  /** Lines that are not drawn at all. */
  readonly leftOut: number;
  /** All places on the axis, in order. */
  readonly places: readonly number[];
  readonly columns: { readonly x: ChartColumn; readonly y: ChartColumn };
}

interface Reading {
  readonly at: number;
  readonly name: string | null;
  readonly value: number | null;
  readonly previous: number | null;
  readonly n: number | null;
}

const none = '(none)';
const maxNamed = 5;
/** More lines than these cover each other, even thin ones. */
const maxOther = 40;

/** Null where `x` or `y` is no column. Null values and missing places end a stretch; nothing is filled in. */
export function lineSet(table: ReportTable, spec: LinesSpec, context: PageContext): LineSet | null {
  const x = chartColumn(table, spec.x);
  const y = chartColumn(table, spec.y);
  if (!x || !y) return null;
  const reader = createXReader(x, context);
  const readings = readRows(table, spec, { x, y, reader, context });
  const places = [...new Set(readings.map(({ at }) => at))].sort((a, b) => a - b);
  const joins = spec.steps ? () => true : joinRule(places, reader);
  const lines = [...group(readings, ({ name }) => name)].map(([name, members]) => {
    const sorted = members.toSorted((a, b) => a.at - b.at);
    return {
      name,
      stretches: stretchesOf(sorted, ({ value }) => value, joins),
      previous: stretchesOf(sorted, ({ previous }) => previous, joins),
      n: sorted.findLast(({ n }) => n !== null)?.n ?? null,
    };
  });
  const known = lines.filter(({ stretches }) => stretches.length > 0);
  const series = withCategories(known);
  const others = series.filter(({ isOther }) => isOther);
  const hidden = new Set(others.slice(maxOther));
  const drawn = series.filter((line) => !hidden.has(line));
  return { reader, series: drawn, leftOut: hidden.size, places, columns: { x, y } };
}

export function lastPoint(stretches: readonly Stretch[]): Point | null {
  return stretches.at(-1)?.at(-1) ?? null;
}

function readRows(
  table: ReportTable,
  spec: LinesSpec,
  scope: { x: ChartColumn; y: ChartColumn; reader: XReader; context: PageContext },
): Reading[] {
  const series = chartColumn(table, spec.series);
  const previous = chartColumn(table, spec.previous);
  const n = chartColumn(table, spec.n);
  const { formatter } = scope.context;
  const nameIn = (row: readonly Cell[]) => {
    if (!series) return null;
    const cell = cellIn(row, series);
    return cell === null ? none : formatter.format(cell, series.format);
  };
  return table.rows.flatMap((row) => {
    const at = scope.reader.placeOf(cellIn(row, scope.x));
    if (at === null) return [];
    const value = numberIn(row, scope.y);
    return [{ at, name: nameIn(row), value, previous: numberIn(row, previous), n: numberIn(row, n) }]; // prettier-ignore
  });
}

type Joins = (from: number, to: number) => boolean;

/** Neighbours on the axis: the next month; days as far apart as most are; the next number that any row has. */
function joinRule(places: readonly number[], { kind }: XReader): Joins {
  if (kind === 'month') return (from, to) => to - from <= 1;
  if (kind === 'day') {
    const step = dayStep(places);
    return (from, to) => to - from <= step;
  }
  const ranks = new Map(places.map((place, rank) => [place, rank]));
  return (from, to) => (ranks.get(to) ?? 0) - (ranks.get(from) ?? 0) <= 1;
}

function stretchesOf(
  sorted: readonly Reading[],
  valueOf: (reading: Reading) => number | null,
  joins: Joins,
): Stretch[] {
  const stretches: Point[][] = [];
  let isOpen = false;
  for (const reading of sorted) {
    const value = valueOf(reading);
    if (value === null) {
      isOpen = false;
      continue;
    }
    const open = isOpen ? stretches.at(-1) : undefined;
    const last = open?.at(-1);
    const point = { at: reading.at, value };
    if (open && last && joins(last.at, reading.at)) open.push(point);
    else stretches.push([point]);
    isOpen = true;
  }
  return stretches;
}

type Line = Omit<LineSeries, 'category' | 'isOther'>;

/** In the order of the rows; beyond six the five that end highest, and the rest as one category. */
function withCategories(lines: readonly Line[]): LineSeries[] {
  const named = lines.filter(({ name }) => name !== none);
  const isMany = lines.length > maxNamed + 1 || named.length > maxNamed + 1;
  const ends = (line: Line) => lastPoint(line.stretches)?.value ?? 0;
  const leading = new Set(
    isMany ? named.toSorted((a, b) => ends(b) - ends(a)).slice(0, maxNamed) : named,
  );
  const order = [...named.filter((line) => leading.has(line))];
  return lines.map((line) => {
    const place = order.indexOf(line);
    const category = place >= 0 ? categoryAt(place) : 6;
    return { ...line, category, isOther: isMany && place < 0 };
  });
}

function categoryAt(place: number): LineSeries['category'] {
  const categories = [1, 2, 3, 4, 5] as const;
  return categories[place] ?? 6;
}

/** From 0 to the largest value, or from the least where there are negative ones. */
export function lineRange({ series }: LineSet): [number, number] {
  const values = series
    .flatMap(({ stretches, previous }) => [...stretches, ...previous])
    .flatMap((stretch) => stretch.map(({ value }) => value));
  const high = Math.max(0, max(values) ?? 0);
  const low = -Math.max(0, max(values, (value) => -value) ?? 0);
  return low === 0 && high === 0 ? [0, 1] : [low, high];
}
