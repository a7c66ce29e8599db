import type { Cell, ReportColumn, ReportTable } from '../../../report/report-document.ts';
import type { Formatter } from '../../../core/number-format.ts';
import { figureOf } from '../change.ts';

/** A row of a chart, read by the names of its columns; a name that is no column, or null, reads as null. */
export interface ChartRow {
  cell(name: string | null): Cell;
  number(name: string | null): number | null;
  /** As the table prints it. */
  text(name: string | null): string;
}

export function chartRows(table: ReportTable, formatter: Formatter): ChartRow[] {
  const places = new Map<string | null, number>(
    table.columns.map(({ name }, place) => [name, place]),
  );
  return table.rows.map((row) => {
    const cell = (name: string | null) => row[places.get(name) ?? -1] ?? null;
    return {
      cell,
      number: (name) => boundedNumber(figureOf(cell(name))),
      text: (name) => formatter.format(cell(name), columnNamed(table, name)?.format ?? 'text'),
    };
  });
}

export function columnNamed(table: ReportTable, name: string | null): ReportColumn | null {
  return table.columns.find((column) => column.name === name) ?? null;
}

/** Beyond these, a scale in floating point has no room for other values. */
const [smallest, largest] = [1e-30, 1e30];

function boundedNumber(value: number | null): number | null {
  if (value === null || !(Math.abs(value) <= largest)) return null;
  return Math.abs(value) < smallest ? 0 : value;
}

/** What has no name of its own. */
export const noName = '(none)';
