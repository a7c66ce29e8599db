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

/** The row's number; null where it has none, or none that has a place on a scale. */
export function numberIn(row: readonly Cell[], column: ChartColumn | null): number | null {
  const value = figureOf(cellIn(row, column));
  return value !== null && Number.isFinite(value) ? value : null;
}
