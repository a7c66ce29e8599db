import { group } from 'd3-array';
import { categoryLooks, previousLine } from './chart-looks.ts';
import { ChartColumn, type ChartSource } from './chart-cells.ts';
import type { ChartSeries, DrawnChart, SeriesLook } from './native-chart.ts';

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
  const isEven = x.column.format === 'month' || areEven(places[0] ?? []);
  const lines = groups.flatMap((line, index) =>
    seriesOf({ x, y, ...line }, categoryLooks[index] ?? categoryLooks[0]),
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

function seriesOf(
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
  return seriesOf({ x, y, rows, name: null }, previousLine);
}

function areEven(places: readonly number[]): boolean {
  const steps = places.slice(1).map((place, index) => place - (places[index] ?? place));
  return new Set(steps).size <= 1;
}

function areEqual(lists: readonly (readonly unknown[])[]): boolean {
  return new Set(lists.map((list) => JSON.stringify(list))).size <= 1;
}
