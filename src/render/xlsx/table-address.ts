import { isFigureFormat } from '../../languages/number-format.ts';
import {
  drawnColumns,
  type ReportColumn,
  type ReportSection,
} from '../../report/report-document.ts';
import { isFigureList, isId, isPostTitle, isUnknownInAll, isTechnical } from '../shown-table.ts';

/** `A` for 1, `AA` for 27. */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const letter = String.fromCharCode(65 + rest);
  const before = (column - 1 - rest) / 26;
  return before === 0 ? letter : columnLetters(before) + letter;
}

/** `B5:B16`: one column from row to row, all from 1. */
export function columnRange(column: number, firstRow: number, lastRow: number): string {
  const letters = columnLetters(column);
  return `${letters}${firstRow}:${letters}${lastRow}`;
}

/** `$B$5`: the same cell wherever a formula is moved. */
export function fixedCell(column: number, row: number): string {
  return `$${columnLetters(column)}$${row}`;
}

/** `'by_month'!` before an address: quoted, since names may have blanks and dashes. */
export function sheetPrefix(sheet: string): string {
  return `'${sheet.replaceAll("'", "''")}'!`;
}

/** The row of the heads on a section's sheet. */
export const headRow = 4;

/** Where a section's table lies in the workbook; rows and columns from 1. */
export interface TableAddress {
  readonly sheet: string;
  /** The name of the table: that of the section, which Excel must not take for a cell. */
  readonly table: string;
  readonly firstRow: number;
  /** The last row; the row of the heads when the table is empty. */
  readonly lastRow: number;
  readonly totalRow: number | null;
  /** The columns of the sheet, or the lines of a list, by their names in the section. */
  readonly columns: ReadonlyMap<string, number>;
  /** Set when the only row is written as a list, with a line for each figure. */
  readonly isList: boolean;
}

/**
 * The columns of a section's sheet with their index in its rows: those of the page first, then columns that the page
 * does not show, whole texts and addresses, and ids. Trends and hidden columns without any value have no column.
 */
export function sheetColumns(section: ReportSection): [number, ReportColumn][] {
  const { columns, key, layout } = section;
  const shown = [...columns.entries()].filter(
    ([index, { format, name, isInHtml }]) =>
      format !== 'trend' &&
      !isTechnical(section, index) &&
      (isInHtml || key.includes(name) || !isUnknownInAll(section, index)),
  );
  const hasName = shown.some(
    ([, column]) => column.isInHtml && !isForPrograms(column) && !isFigureFormat(column.format),
  );
  const rank = (column: ReportColumn): number => {
    if (isPostTitle(layout, column.name)) return 0;
    if (isForPrograms(column)) return hasName ? 4 : 1;
    if (layout === 'posts' && (column.format === 'url' || column.format === 'longtext')) return 3;
    return column.isInHtml ? 1 : 2;
  };
  return shown.sort(([, a], [, b]) => rank(a) - rank(b));
}

/** The columns of a section's sheet that people read, or that its chart draws. */
export function readColumns(section: ReportSection): [number, ReportColumn][] {
  const drawn = section.chart === null ? [] : drawnColumns(section.chart);
  return sheetColumns(section).filter(
    ([, column]) =>
      (column.isInHtml && !isForPrograms(column) && !['url', 'longtext'].includes(column.format)) ||
      (section.chart?.rows === null && drawn.some((part) => part.column === column.name)),
  );
}

/** Tells whether a column is for programs: an id, or the key of a workspace. */
export function isForPrograms({ name, format }: ReportColumn): boolean {
  return format === 'text' && (name === 'workspace' || isId(name));
}

/** Where a table is on a sheet if it is not alone there. */
interface TablePosition {
  /** The row of the heads. */
  readonly head?: number;
  /** The name of the table; by default that of the section. */
  readonly table?: string;
  /** The columns of the sheet; by default all that a section's own sheet has. */
  readonly columns?: readonly (readonly [number, ReportColumn])[];
}

export function locateTable(
  section: ReportSection,
  sheet: string,
  { head = headRow, table = section.name, columns = sheetColumns(section) }: TablePosition = {},
): TableAddress {
  const lastRow = head + section.rows.length;
  return {
    sheet,
    table: /^([a-z]{1,3}\d+|[rc]|r\d*c\d*)$/iu.test(table) ? `${table}_` : table,
    firstRow: head + 1,
    lastRow,
    totalRow: section.total === null ? null : lastRow + 1,
    columns: new Map(columns.map(([, { name }], index) => [name, index + 1] as const)),
    isList: isFigureList(section),
  };
}
