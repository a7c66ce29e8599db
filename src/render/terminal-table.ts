import {
  createFormatter,
  isFigureFormat,
  type FormatterOptions,
} from '../languages/number-format.ts';
import type { Cell, ColumnFormat, ReportColumn } from '../report/report-document.ts';
import { type AnyTable, isKept, printedRows } from './shown-table.ts';
import { drawTable, minWordWidth, ranks, type Terminal } from './terminal-columns.ts';

const wordFormats: readonly ColumnFormat[] = ['text', 'longtext', 'url', 'list'];

/**
 * A report's rows as a table for a terminal, with the total as the last one. Figures, times and dates are never cut.
 * Where columns are left out, addresses, whole texts and what a page hides go first, the keys last, and never the column
 * that the rows are sorted by.
 */
export function renderTerminalTable(table: AnyTable, options: Terminal & FormatterOptions): string {
  const formatter = createFormatter({ ...options, hasOffsets: true });
  const printed = printedRows(table, formatter);
  const main = mainColumn(table);
  const columns = table.columns.map((column, index) => {
    const { title, format } = column;
    return {
      head: title,
      cells: printed.map((row) => row[index] ?? ''),
      isFigure: isFigureFormat(format),
      minWidth: wordFormats.includes(format) ? minWordWidth : Infinity,
      rank: index === main ? ranks.main : rankOf(column, index, table),
    };
  });
  return drawTable(columns, options, (missing) =>
    formatter.say('{n:count} more {n|column|columns}: {heads:text}', {
      n: missing.length,
      heads: missing.join(', '),
    }),
  );
}

/** The column that the rows are sorted by; otherwise the first key figure. */
function mainColumn({ columns, sortedBy = null }: AnyTable): number {
  return columns.findIndex(({ name, isPrimary, format }) =>
    sortedBy === null ? isPrimary && isFigureFormat(format) : name === sortedBy,
  );
}

function rankOf({ format, isInHtml }: ReportColumn, index: number, table: AnyTable): number {
  const isEmpty = table.rows.length > 0 && table.rows.every((row) => isNothing(row[index] ?? null));
  if (isEmpty && index > 0) return ranks.empty;
  if (isKept(table, index)) return ranks.key;
  if (!isInHtml || format === 'url' || format === 'longtext') return ranks.long;
  return format === 'trend' ? ranks.trend : ranks.other;
}

function isNothing(cell: Cell): boolean {
  return cell === null || cell === 0 || cell === '' || (Array.isArray(cell) && cell.length === 0);
}
