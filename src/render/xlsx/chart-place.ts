import { headHeight, type TableLayout, tableWidth } from './column-layout.ts';
import { type ChartAnchor, chartHeight, chartWidth } from './drawing-xml.ts';
import type { NativeChart } from './native-chart.ts';
import { charactersPerPage } from './page.ts';
import { headRow } from './table-place.ts';

/** How wide a chart is, in characters of columns: 5.3 in a centimetre. */
export const chartCharacters = chartWidth * 5.3;
const pointsPerCm = 72 / 2.54;
/** Two columns of the usual width. */
const gap = 18;
/** Below more rows than that nobody would look for a chart. */
const maxRowsAbove = 60;
/** Smaller than that, letters are hard to read. */
const leastScale = 0.66;

/** Where a section's chart stands: right of a narrow table, below a wide one, since a page is as wide as both. */
export function isChartBelow({ columns }: TableLayout, rows: number): boolean {
  const width = tableWidth(columns) + gap + chartCharacters;
  return width * leastScale > charactersPerPage && rows <= maxRowsAbove;
}

/** Two columns right of the table, below the heads: these are printed again on each page. */
export function besideTable({ columns }: TableLayout): ChartAnchor {
  return { column: columns.length + 3, row: headRow, below: headHeight(columns) };
}

/** The height of a row that holds the whole chart, so that no page parts it; in points. */
export function chartRowHeight(chart: NativeChart): number {
  // Excel knows no higher row.
  return Math.min(409, Math.ceil(chartHeight(chart) * pointsPerCm) + 8);
}
