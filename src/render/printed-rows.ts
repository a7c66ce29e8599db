import { isFigureFormat, type Formatter } from '../languages/number-format.ts';
import { fromWords } from './document-head.ts';
import {
  type Cell,
  cellIn,
  type ReportColumn,
  type ReportSection,
  type ReportTable,
} from '../report/report-document.ts';

/** The rows as text, with the total as the last one. */
export function printedRows(table: ReportTable | ReportSection, formatter: Formatter): string[][] {
  const rows = exactFigures(table).map((row) =>
    table.columns.map((column, index) => printedCell(column, row, index, formatter)),
  );
  const total = 'total' in table ? table.total : null;
  if (total) rows.push(printedTotal(total, table, formatter));
  return rows;
}

/** The rows with all digits of decimals, as texts where a number would round them. */
export function exactFigures({ columns, rows, exactRows }: ReportTable): ReportTable['rows'] {
  if (!exactRows) return rows;
  return rows.map((row, at) =>
    row.map((cell, index) => {
      const isFigure = isFigureFormat(columns[index]?.format ?? 'text');
      return isFigure ? (exactRows[at]?.[index] ?? null) : cell;
    }),
  );
}

function printedCell(
  column: ReportColumn,
  row: readonly Cell[],
  index: number,
  formatter: Formatter,
): string {
  const {
    column: { format, base },
    cell,
  } = cellIn(column, row, index);
  return base
    ? fromWords(formatter.format(base.cell, base.format), formatter)
    : formatter.format(cell, format);
}

/** The row of totals. The first column has its label, and a column without a total is empty. */
function printedTotal(
  { label, cells }: NonNullable<ReportSection['total']>,
  { columns }: ReportTable,
  formatter: Formatter,
): string[] {
  return columns.map((column, index) => {
    if (index === 0) return label;
    return (cells[index] ?? null) === null ? '' : printedCell(column, cells, index, formatter);
  });
}
