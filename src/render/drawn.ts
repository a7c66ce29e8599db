import { extent, greatest, group, max, range } from 'd3-array';
import type { Formatter } from '../languages/number-format.ts';
import {
  type ChartSpec,
  chartTable,
  type ColumnFormat,
  type ReportDocument,
  type ReportSection,
  type TimeNote,
} from '../report/report-document.ts';
import { type AxisKind, axisKind, dayAt, isTimeKind, positionOf, usualStep } from './chart-axis.ts';
import { type ChartRow, chartRows, formatNamed } from './chart-rows.ts';

/** What a chart of bars, lines or small multiples draws, read once from its rows. Page and workbook only draw it. */
export interface Drawn {
  readonly kind: 'bars' | 'lines' | 'multiples';
  readonly axis: Axis;
  /** The format of the values. */
  readonly format: ColumnFormat;
  /** The only series of bars, or one for each line or facet that is drawn. */
  readonly series: readonly DrawnSeries[];
  /** The number of bars, lines or facets in the rows, with those that are not drawn. */
  readonly count: number;
  /** What each bar should reach; null without a target. */
  readonly target: number | null;
  /** True where a point has a value of the previous period. */
  readonly hasPrevious: boolean;
  /** The notes on the days of an axis of time. */
  readonly notes: readonly NumberedNote[];
}

export interface NumberedNote extends TimeNote {
  /** Counts from 1 within a chart. */
  readonly number: number;
}

/** The line below the chart: `1 · 2 March 2026: New CPM agreed`. */
export function noteLine({ number, date, text }: NumberedNote, formatter: Formatter): string {
  return `${number} · ${formatter.format(date, 'date', { prose: true })}: ${text}`;
}

export interface Axis {
  readonly kind: AxisKind;
  /** The format of its column. */
  readonly format: ColumnFormat;
  /** What stands on it, in order, each once. */
  readonly categories: readonly Category[];
  /** The usual distance of neighbours; see {@link usualStep}. */
  readonly step: number | null;
}

/** A month, quarter, day, number or word. */
interface Category {
  readonly position: number;
}

export interface DrawnSeries {
  /** Null where all rows are one series. */
  readonly name: string | null;
  /** The number of its colour, from 1; the last one is for the series of rows without a name. */
  readonly color: number;
  /** In the order of the axis. */
  readonly points: readonly DrawnPoint[];
}

export interface DrawnPoint {
  /** The index of its row in the table of the chart. */
  readonly row: number;
  readonly position: number;
  readonly value: number | null;
  /** Null for a part, too: it has other days than what it would be compared with. */
  readonly previous: number | null;
  /** The part of the value that comes from posts whose figures are not final, from 0 to the value. */
  readonly young: number;
  /** The part of the value that the report is about, from 0 to the value; the rest is lighter. */
  readonly within: number;
  /** True for a week, month or quarter that is not whole. */
  readonly isPart: boolean;
  /** The number of posts behind the value; null where it is not known. */
  readonly n: number | null;
}

/** The most that a chart draws, on a page as in a workbook; its table has all. */
export const chartLimits = {
  /** Bars of words, each of which needs its label: more do not fit on a row of a workbook. */
  words: 25,
  bars: 600,
  /** Lines that can be told apart. */
  lines: 6,
  /** Points of a line; Excel takes some more. */
  points: 5_000,
  /** Four rows of five on a wide page. */
  facets: 20,
  /** Bars of a facet, which cannot be read when they are thinner than 1 px. */
  facetBars: 120,
} as const;

type Spec<Kind extends Drawn['kind']> = Extract<ChartSpec, { kind: Kind }>;
type Document = Pick<ReportDocument, 'sections' | 'notes' | 'timezone'>;

interface Source {
  readonly section: ReportSection;
  readonly document: Document;
  readonly formatter: Formatter;
}

/** Reads the chart of a section; null for one of another kind, and when it has nothing to draw. */
export function readDrawn(
  section: ReportSection,
  document: Document,
  formatter: Formatter,
): Drawn | null {
  const source = { section, document, formatter };
  const { chart } = section;
  if (chart?.kind === 'bars') return drawnBars(chart, source);
  if (chart?.kind === 'lines') return drawnLines(chart, source);
  return chart?.kind === 'multiples' ? drawnMultiples(chart, source) : null;
}

/** Null for a single date, which is in the table. Empty bars at both ends of an axis of time are left out. */
function drawnBars(spec: Spec<'bars'>, source: Source): Drawn | null {
  const read = readPoints(spec, null, source);
  if (!read?.points.some(hasValue)) return null;
  const isOfWords = axisKind(read.x) === 'word';
  const all = isOfWords ? read.points : withoutEmptyEnds(lastAtEach(read.points));
  if (all.length === 1 && !isOfWords) return null;
  const points = all.slice(0, isOfWords ? chartLimits.words : chartLimits.bars);
  const axis = axisOf(read.x, points.map(positionOfPoint));
  return {
    ...drawnOf('bars', read, axis, [{ name: null, color: 1, points }]),
    count: all.length,
    target: max(read.rows, (row) => row.number(spec.target) ?? undefined) ?? null,
    notes: hasEvenBars(axis) ? notesOn(axis, axis.step ?? 1, source) : [],
  };
}

/** Null when no line has two points. */
function drawnLines(spec: Spec<'lines'>, source: Source): Drawn | null {
  const compared = spec.series === null ? spec : { ...spec, previous: null };
  const read = readPoints(compared, spec.series, source);
  if (read === null) return null;
  const all = seriesOf(read.points).filter(({ points }) => points.some(hasValue));
  const lines = readableSeries(all, source.formatter);
  if (lines.every(({ points }) => points.filter(hasValue).length < 2)) return null;
  const known = lines.flatMap(({ points }) => points.filter(isKnown));
  const [first = 0, last = 0] = extent(known, positionOfPoint);
  const series = within(lines, ({ position }) => position >= first && position <= last);
  const axis = axisOf(
    read.x,
    series.flatMap(({ points }) => points.map(positionOfPoint)),
  );
  const drawn = drawnOf('lines', read, axis, series);
  return { ...drawn, count: all.length, notes: notesOn(axis, 1, source) };
}

/** The facets share their axis: the last months in a row, or the last positions that the rows have. */
function drawnMultiples(spec: Spec<'multiples'>, source: Source): Drawn | null {
  const read = readPoints(spec, spec.facet, source);
  if (!read?.points.some(hasValue)) return null;
  const kind = axisKind(read.x);
  const known = inOrder(read.points.filter(isKnown).map(positionOfPoint));
  const isOfMonths = kind === 'month' || kind === 'quarter';
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  const months = range(Math.max(first, last + 1 - chartLimits.facetBars), last + 1);
  const axis = axisOf(read.x, isOfMonths ? months : known.slice(-chartLimits.facetBars));
  const shown = new Set(positionsOn(axis));
  const all = seriesOf(read.points);
  const facets = all.slice(0, chartLimits.facets);
  const series = within(facets, ({ position }) => shown.has(position));
  return {
    ...drawnOf('multiples', read, axis, series),
    count: all.length,
    notes: isOfMonths && months.length > 1 ? notesOn(axis, 1, source) : [],
  };
}

function drawnOf(
  kind: Drawn['kind'],
  { y: format }: ReadPoints,
  axis: Axis,
  series: readonly DrawnSeries[],
): Omit<Drawn, 'count' | 'notes'> {
  const hasPrevious = series.some(({ points }) => points.some(({ previous }) => previous !== null));
  return { kind, axis, format, series, target: null, hasPrevious };
}

function within(
  all: readonly DrawnSeries[],
  isShown: (point: DrawnPoint) => boolean,
): DrawnSeries[] {
  return all.map((series) => ({ ...series, points: series.points.filter(isShown) }));
}

interface PointColumns {
  readonly x: string;
  readonly y: string;
  readonly previous: string | null;
  readonly not_final?: string | null;
  readonly marked?: string | null;
  readonly within?: string | null;
  readonly part?: string | null;
  readonly n?: string | null;
}

interface NamedPoint extends DrawnPoint {
  readonly name: string | null;
}

interface ReadPoints {
  readonly x: ColumnFormat;
  readonly y: ColumnFormat;
  readonly rows: readonly ChartRow[];
  /** Those of rows with a position, in the order of the rows. */
  readonly points: readonly NamedPoint[];
}

/** @param named the column with the names of the series */
function readPoints(
  { x, y, previous, not_final = null, marked = null, n = null, ...columns }: PointColumns,
  named: string | null,
  { section, document, formatter }: Source,
): ReadPoints | null {
  const table = chartTable(section, document);
  const [xFormat, yFormat] = [formatNamed(table, x), formatNamed(table, y)];
  if (!xFormat || !yFormat) return null;
  const rows = chartRows(table, formatter);
  const nameOf = (row: ChartRow) =>
    row.cell(named) === null ? unnamedSeries(formatter) : row.text(named);
  const points = rows.flatMap((row, index): NamedPoint[] => {
    const position = positionOf(row.cell(x), xFormat, { ...document, row: index });
    if (position === null) return [];
    const value = row.number(y);
    const isPart = row.cell(columns.part ?? null) === true;
    return [
      {
        row: index,
        name: named === null ? null : nameOf(row),
        position,
        value,
        previous: isPart ? null : row.number(previous),
        young: Math.min(Math.max(row.number(not_final) ?? 0, 0), Math.max(value ?? 0, 0)),
        within: withinOf(value ?? 0, row, { marked, within: columns.within ?? null }),
        isPart,
        n: row.number(n),
      },
    ];
  });
  return { x: xFormat, y: yFormat, rows, points };
}

function withinOf(
  value: number,
  row: ChartRow,
  { marked, within }: { readonly marked: string | null; readonly within: string | null },
): number {
  if (marked !== null && row.cell(marked) !== true) return 0;
  if (within === null) return value;
  const own = row.number(within) ?? 0;
  return value < 0 ? Math.min(0, Math.max(own, value)) : Math.max(0, Math.min(own, value));
}

/** The point with the largest value among those that are whole; null where none is. */
export function largestWhole<Point extends DrawnPoint>(points: readonly Point[]): Point | null {
  const whole = points.filter(({ isPart }) => !isPart);
  return greatest(whole, (a, b) => valueOf(a) - valueOf(b)) ?? null;
}

function valueOf({ value }: DrawnPoint): number {
  return value ?? Number.NEGATIVE_INFINITY;
}

/** The name of the series of rows without one. */
export function unnamedSeries({ say }: Pick<Formatter, 'say'>): string {
  return say('(none)');
}

function seriesOf(points: readonly NamedPoint[]): DrawnSeries[] {
  return [...group(points, ({ name }) => name)].map(([name, own]) => ({
    name,
    color: 1,
    points: own.toSorted((a, b) => a.position - b.position),
  }));
}

/**
 * The series that can be told apart as lines, each with its colour: of more than six, the five with the highest last value and
 * the one without a name, in the given order.
 */
export function readableSeries(
  all: readonly DrawnSeries[],
  formatter: Pick<Formatter, 'say'>,
): DrawnSeries[] {
  const unnamed = unnamedSeries(formatter);
  const short = all.filter(({ points }) => points.length <= chartLimits.points);
  const named = short.filter(({ name }) => name !== unnamed);
  const highest = named
    .toSorted((a, b) => lastValue(b) - lastValue(a))
    .slice(0, chartLimits.lines - 1);
  const kept = named.filter((each) => all.length <= chartLimits.lines || highest.includes(each));
  return short
    .filter((each) => each.name === unnamed || kept.includes(each))
    .map((each) => ({
      ...each,
      color: each.name === unnamed ? chartLimits.lines : kept.indexOf(each) + 1,
    }));
}

function lastValue({ points }: DrawnSeries): number {
  return points.findLast(hasValue)?.value ?? -Infinity;
}

function axisOf(format: ColumnFormat, positions: readonly number[]): Axis {
  const [kind, ordered] = [axisKind(format), inOrder(positions)];
  const categories = ordered.map((position) => ({ position }));
  return { kind, format, categories, step: usualStep(ordered, kind) };
}

export function positionsOn({ categories }: Pick<Axis, 'categories'>): number[] {
  return categories.map(({ position }) => position);
}

/** The first and the last position. */
export function endsOf({ categories }: Pick<Axis, 'categories'>): [number, number] {
  return [categories[0]?.position ?? 0, categories.at(-1)?.position ?? 0];
}

/** Tells whether bars stand at even distances, with gaps for missing rows; otherwise they stand side by side. */
export function hasEvenBars(axis: Axis): boolean {
  const [first, last] = endsOf(axis);
  return axis.step !== null && (last - first) / axis.step < chartLimits.bars;
}

/** In the order of their days. @param length how many months, quarters or days the last category has */
function notesOn(axis: Axis, length: number, { document: { notes } }: Source): NumberedNote[] {
  const { kind } = axis;
  if (!isTimeKind(kind)) return [];
  const [first, last] = endsOf(axis);
  const [from, end] = [dayAt(first, kind), dayAt(last + length, kind)];
  return notes
    .filter(({ date }) => date >= from && date < end)
    .map((note, index) => ({ ...note, number: index + 1 }));
}

/** The last row of a position wins. */
function lastAtEach<Point extends DrawnPoint>(points: readonly Point[]): Point[] {
  const last = new Map(points.map((point) => [point.position, point]));
  return [...last.values()].sort((a, b) => a.position - b.position);
}

function withoutEmptyEnds<Point extends DrawnPoint>(points: readonly Point[]): Point[] {
  return points.slice(Math.max(0, points.findIndex(isKnown)), points.findLastIndex(isKnown) + 1);
}

function hasValue({ value }: DrawnPoint): boolean {
  return value !== null;
}

/** Tells whether a point has a value now, or had one in the previous period. */
function isKnown({ value, previous }: DrawnPoint): boolean {
  return value !== null || previous !== null;
}

function positionOfPoint({ position }: DrawnPoint): number {
  return position;
}

/** Each once. */
function inOrder(positions: readonly number[]): number[] {
  return [...new Set(positions)].sort((a, b) => a - b);
}
