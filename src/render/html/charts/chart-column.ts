import type { Cell, ReportColumn, ReportTable } from '../../../report/report-document.ts';
import { figureOf } from '../change.ts';

/** A column that a chart draws, with its place in the rows. */
export interface ChartColumn extends ReportColumn {
  readonly index: number;
}

/** The column of that name; null without a name, or where the rows have none. */
export function chartColumn(table: ReportTable, name: string | null): ChartColumn | null {
  const index = table.columns.findIndex((column) => column.name === name);
  const column = table.columns[index];
  return column ? { ...column, index } : null;
}

export function cellIn(row: readonly Cell[], column: ChartColumn | null): Cell {
  return column === null ? null : (row[column.index] ?? null);
}

/** Beyond these, a scale in floating point has no room for other values. */
const largest = 1e30;
const least = 1e-30;

/** The row's number, in bounds that a scale can hold; null where it has none or one beyond them. */
export function numberIn(row: readonly Cell[], column: ChartColumn | null): number | null {
  const value = figureOf(cellIn(row, column));
  if (value === null || !(Math.abs(value) <= largest)) return null;
  return Math.abs(value) < least ? 0 : value;
}
