import type { Cell, ReportTable } from '../report/report-document.ts';

/**
 * Rows as an array of objects, one a line, keyed by the names of the columns. Integers beyond 2^53 − 1 and decimals of
 * more than 15 digits are strings, since readers would round them; times are ISO 8601 in UTC.
 */
export function renderJson(table: ReportTable): string {
  const names = table.columns.map((column) => JSON.stringify(column.name));
  const rows = (table.exactRows ?? table.rows).map((row) => {
    const members = names.map((name, index) => `${name}:${cellJson(row[index] ?? null)}`);
    return `{${members.join(',')}}`;
  });
  return rows.length === 0 ? '[]\n' : `[\n${rows.join(',\n')}\n]\n`;
}

function cellJson(cell: Cell): string {
  if (typeof cell !== 'bigint') return JSON.stringify(cell);
  const isExact = Number.isSafeInteger(Number(cell));
  return isExact ? String(cell) : `"${cell}"`;
}
