import { group } from 'd3-array';
import { ChartColumn, type ChartSource } from './chart-cells.ts';
import { partLook } from './chart-looks.ts';
import type { ChartSeries, DrawnChart } from './native-chart.ts';

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
