import type { Formatter } from '../languages/number-format.ts';
import type { Cell, ColumnFormat, ReportTable } from '../report/report-document.ts';
import { figureOf } from './document-head.ts';

/** A row of a chart, read by the names of its columns; a name that is no column, or null, reads as null. */
export interface ChartRow {
  cell(name: string | null): Cell;
  number(name: string | null): number | null;
  text(name: string | null): string;
}

export function chartRows(table: ReportTable, formatter: Formatter): ChartRow[] {
  const indexes = new Map<string | null, number>(
    table.columns.map(({ name }, index) => [name, index]),
  );
  return table.rows.map((row) => {
    const cell = (name: string | null) => row[indexes.get(name) ?? -1] ?? null;
    return {
      cell,
      number: (name) => boundedNumber(figureOf(cell(name))),
      text: (name) => formatter.format(cell(name), formatNamed(table, name) ?? 'text'),
    };
  });
}

/** The format of a column; null when the table has no such column. */
export function formatNamed({ columns }: ReportTable, name: string | null): ColumnFormat | null {
  return columns.find((column) => column.name === name)?.format ?? null;
}

/** Larger or smaller values would leave a floating-point scale no precision for the others. */
const [smallest, largest] = [1e-30, 1e30];

export function boundedNumber(value: number | null): number | null {
  if (value === null || !(Math.abs(value) <= largest)) return null;
  return Math.abs(value) < smallest ? 0 : value;
}
