import { group } from 'd3-array';
import {
  ChartColumn,
  type ChartSeries,
  type ChartSource,
  type DrawnChart,
  type SeriesLook,
} from './chart-cells.ts';

const barColor = '1A76C4';
const inkColor = '15191F';

/** Of series side by side: colour, dash and mark tell them apart, never colour alone. */
const categoryLooks: readonly SeriesLook[] = [
  { color: '1A76C4', kind: 'line', dash: 'solid', mark: 'circle' },
  { color: 'DE5F0B', kind: 'line', dash: 'dash', mark: 'square' },
  { color: '0B3B3A', kind: 'line', dash: 'sysDot', mark: 'triangle' },
  { color: '8C319B', kind: 'line', dash: 'dashDot', mark: 'diamond' },
  { color: '5C4D06', kind: 'line', dash: 'lgDash', mark: 'x' },
  { color: '7B8491', kind: 'line', dash: 'solid' },
];

/** Of what may still change, within the bar that it is a part of. */
const notFinalBar: SeriesLook = { color: barColor, kind: 'hatch' };
/** Of the period before: ink dashes without a line. */
const previousMarks: SeriesLook = { color: inkColor, kind: 'marks', mark: 'dash' };
const previousLine: SeriesLook = { color: '7B8491', kind: 'line', dash: 'dash' };

const dark = [0x0a, 0x37, 0x63] as const;
const light = [0xd3, 0xe4, 0xf2] as const;

/** Parts of a whole in one hue, from dark to light. */
function partLook(index: number, count: number): SeriesLook {
  const way = count < 2 ? 0 : index / (count - 1);
  const color = dark
    .map((from, channel) => Math.round(from + way * ((light[channel] ?? from) - from)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('');
  return { color: color.toUpperCase(), kind: 'bar' };
}

/** More names than that no axis of 16 cm shows. */
const maxNames = 25;

const looks = {
  bar: { color: barColor, kind: 'bar' },
  outline: { color: barColor, kind: 'outline' },
  light: { color: 'A9CBE6', kind: 'bar' },
  dark: { color: '0A3763', kind: 'bar' },
} as const satisfies Record<string, SeriesLook>;

/** A column for each row, hatched what may still change, and a dash for the period before. */
export function barChart(
  source: ChartSource,
  names: {
    readonly label: string;
    readonly value: string;
    readonly previous: string | null;
    readonly notFinal: string | null;
  },
): DrawnChart | null {
  const label = ChartColumn.of(source, names.label);
  const value = ChartColumn.of(source, names.value);
  if (!label || !value) return null;
  const rows = namedRows(source, label);
  const knownColumn = (name: string | null) => {
    const column = name === null ? null : ChartColumn.of(source, name);
    return column && rows.some((row) => (column.number(row) ?? 0) !== 0) ? column : null;
  };
  const notFinal = knownColumn(names.notFinal);
  const previous = knownColumn(names.previous);
  return {
    kind: 'columns',
    format: value.format ?? 'General',
    series: [
      ...seriesOf({ label, value, rows, look: looks.bar }),
      ...(notFinal ? seriesOf({ label, value: notFinal, rows, look: notFinalBar }) : []),
      ...(previous ? seriesOf({ label, value: previous, rows, look: previousMarks }) : []),
    ],
  };
}

/** In centimetres: of one lying bar with its gap, of what is around all of them, and of the whole chart. */
const barHeight = 0.55;
const aroundBars = 1.6;
/** A row of a sheet, which holds the chart, is no higher than 14.4 cm. */
const heightLimits = [4, 14] as const;

/**
 * Lying bars: one for each row and figure, in the order of the rows.
 * @param names.used the column that is true for the row in use; the others are drawn lighter
 */
export function figuresChart(
  source: ChartSource,
  names: { readonly label: string; readonly used?: string },
  figures: readonly { readonly name: string; readonly look: keyof typeof looks }[],
): DrawnChart | null {
  const label = ChartColumn.of(source, names.label);
  const used = names.used === undefined ? null : ChartColumn.of(source, names.used);
  if (!label) return null;
  const drawn = figures.flatMap(({ name, look }) => {
    const value = ChartColumn.of(source, name);
    const isKnown = value && source.table.rows.some((_, row) => value.number(row) !== null);
    return isKnown ? [{ value, look: looks[look] }] : [];
  });
  const rows = namedRows(source, label).filter((row) =>
    drawn.some(({ value }) => value.number(row) !== null),
  );
  const [first] = drawn;
  if (!first) return null;
  const bars = Math.max(rows.length * drawn.length, 2 * rows.length);
  const painted = rows.flatMap((row, index) =>
    used === null || used.cell(row) === true ? [] : [{ index, color: looks.light.color }],
  );
  return {
    kind: 'bars',
    format: first.value.format ?? 'General',
    hasValues: drawn.length === 1,
    height: Math.min(heightLimits[1], Math.max(heightLimits[0], aroundBars + barHeight * bars)),
    series: drawn.flatMap(({ value, look }) =>
      seriesOf({ label, value, rows, look }).map((series) => ({ ...series, painted })),
    ),
  };
}

/** Rows that a mark can be named by: those of times all, of names the first. */
function namedRows({ table }: ChartSource, label: ChartColumn): number[] {
  const rows = [...table.rows.keys()].filter((row) => label.value(row) !== null);
  return typeof label.value(rows[0] ?? 0) === 'number' ? rows : rows.slice(0, maxNames);
}

function seriesOf(parts: {
  readonly label: ChartColumn;
  readonly value: ChartColumn;
  readonly rows: readonly number[];
  readonly look: SeriesLook;
}): ChartSeries[] {
  const { label, value, rows, look } = parts;
  const categories = label.cells(rows);
  const values = value.cells(rows);
  return categories && values ? [{ name: value.head(), categories, values, look }] : [];
}

/** So many days stand level beside each other. */
const maxDays = 6;

interface LineNames {
  readonly x: string;
  readonly y: string;
  /** Null: all rows are one line. */
  readonly series: string | null;
  readonly previous: string | null;
}

interface Lines {
  readonly x: ChartColumn;
  readonly y: ChartColumn;
  readonly groups: readonly {
    readonly rows: readonly number[];
    readonly name: ChartColumn | null;
  }[];
}

/**
 * A line for each series that has a value, of the six that are largest; over shared
 * categories where all have the same and these lie evenly: places side by side say nothing of what is between.
 */
export function lineChart(source: ChartSource, names: LineNames): DrawnChart | null {
  const x = ChartColumn.of(source, names.x);
  const y = ChartColumn.of(source, names.y);
  if (!x || !y) return null;
  const groups = groupsOf(source, names, { x, y });
  const places = groups.map(({ rows }) => rows.map((row) => x.number(row) ?? 0));
  // Days are wide: many of them need an axis of time, which leaves some out.
  const isCrowded = x.column.format === 'date' && (places[0] ?? []).length > maxDays;
  const isEven = x.column.format === 'month' || (!isCrowded && areEven(places[0] ?? []));
  const lines = groups.flatMap((line, index) =>
    lineSeries({ x, y, ...line }, categoryLooks[index] ?? categoryLooks[0]),
  );
  const before =
    groups.length === 1 ? previousOf(source, names, { x, rows: groups[0]?.rows ?? [] }) : [];
  return {
    kind: isEven && areEqual(places) ? 'lines' : 'scatter',
    format: y.format ?? 'General',
    series: [...lines, ...before],
  };
}

function groupsOf(
  source: ChartSource,
  { series }: LineNames,
  { x, y }: Pick<Lines, 'x' | 'y'>,
): Lines['groups'] {
  // A value without a place on the axis would be drawn at a place of its own.
  const rows = [...source.table.rows.keys()].filter((row) => x.number(row) !== null);
  const name = series === null ? null : ChartColumn.of(source, series);
  if (name === null) return rows.length === 0 ? [] : [{ rows, name }];
  const size = (members: readonly number[]) =>
    Math.max(...members.map((row) => y.number(row) ?? 0));
  const groups = [...group(rows, (row) => name.value(row)).values()].filter((members) =>
    members.some((row) => y.number(row) !== null),
  );
  const largest = new Set(
    groups.toSorted((a, b) => size(b) - size(a)).slice(0, categoryLooks.length),
  );
  return groups
    .filter((members) => largest.has(members))
    .map((members) => ({ rows: members, name }));
}

function lineSeries(
  line: { x: ChartColumn; y: ChartColumn; rows: readonly number[]; name: ChartColumn | null },
  look: SeriesLook | undefined,
): ChartSeries[] {
  const { x, y, rows, name } = line;
  const categories = x.cells(rows);
  const values = y.cells(rows);
  if (!categories || !values || look === undefined) return [];
  return [{ name: name?.nameAt(rows[0] ?? 0) ?? y.head(), categories, values, look }];
}

function previousOf(
  source: ChartSource,
  { previous }: LineNames,
  { x, rows }: { x: ChartColumn; rows: readonly number[] },
): ChartSeries[] {
  const y = previous === null ? null : ChartColumn.of(source, previous);
  if (!y || !rows.some((row) => y.number(row) !== null)) return [];
  return lineSeries({ x, y, rows, name: null }, previousLine);
}

function areEven(places: readonly number[]): boolean {
  const steps = places.slice(1).map((place, index) => place - (places[index] ?? place));
  return new Set(steps).size <= 1;
}

function areEqual(lists: readonly (readonly unknown[])[]): boolean {
  return new Set(lists.map((list) => JSON.stringify(list))).size <= 1;
}

/** More parts than that cannot be told apart in one hue. */
const maxParts = 12;

interface PartNames {
  /** Null: all rows are parts of one bar. */
  readonly group: string | null;
  readonly part: string;
  readonly share: string;
}

/** A bar of 100 % for each group, in the order of the rows. */
export function partsChart(source: ChartSource, names: PartNames): DrawnChart | null {
  const part = ChartColumn.of(source, names.part);
  const share = ChartColumn.of(source, names.share);
  const bar = names.group === null ? null : ChartColumn.of(source, names.group);
  if (!part || !share || (names.group !== null && !bar)) return null;
  const rows = [...source.table.rows.keys()].filter((row) => part.value(row) !== null);
  const members = bar === null ? rows.map((row) => [row]) : partsOf(rows, part, bar);
  if (members.length > maxParts) return null;
  const series = members.flatMap((each, index): ChartSeries[] => {
    // Without a group the only bar is named by what its parts are of.
    const categories = bar === null ? headCells(share) : bar.cells(each);
    const values = share.cells(each);
    if (!categories || !values?.values.some((value) => value !== null)) return [];
    const look = partLook(index, members.length);
    return [{ name: part.nameAt(each[0] ?? 0), categories, values, look }];
  });
  return { kind: 'parts', format: share.format ?? '0%', series };
}

function headCells(share: ChartColumn) {
  const { formula, text } = share.head();
  return { formula, values: [text], format: null };
}

/** The rows of each part, a row a group: only where every part stands in every group do bars line up. */
function partsOf(rows: readonly number[], part: ChartColumn, bar: ChartColumn): number[][] {
  const parts = [...group(rows, (row) => part.value(row)).values()];
  const groupsOf = (members: readonly number[]) =>
    JSON.stringify(members.map((row) => bar.value(row)));
  return new Set(parts.map(groupsOf)).size <= 1 ? parts : [];
}
