import { isFigureFormat, type Formatter } from '../languages/number-format.ts';
import { figureOf, fromWords } from './document-head.ts';
import {
  type Cell,
  cellIn,
  type ReportColumn,
  type ReportSection,
  type ReportTable,
} from '../report/report-document.ts';

/** Rows without a section have no key, order or total. */
export type AnyTable = ReportTable & Partial<ReportSection>;

/** Tells whether a single row is shown as a list of figures, a line for each. */
export function isFigureList({ layout, rows }: AnyTable): boolean {
  return layout === 'figures' && rows.length === 1;
}

/**
 * Tells whether a column stays where there is little room: those by which people tell rows apart, the one that they are
 * sorted by, and key figures.
 */
export function isKept(table: AnyTable, index: number): boolean {
  const { columns, rows, key = [], layout, sortedBy } = table;
  const { name = '', isPrimary = false, isInHtml = false } = columns[index] ?? {};
  if (index === 0 || name === sortedBy) return true;
  const isKey = key.includes(name);
  // a column such as the workspace of every row distinguishes none of them
  if (isKey && rows.length > 1 && rows.every((row) => row[index] === rows[0]?.[index]))
    return false;
  return isPrimary || isPostTitle(layout, name) || (isKey && isInHtml && !isId(name));
}

/** Tells whether a column has ids, which are for programs. */
export function isId(name: string): boolean {
  return /(?:^|_)id$/u.test(name);
}

/** Tells whether a column has the titles of posts, which lead their rows. */
export function isPostTitle(layout: AnyTable['layout'], name: string): boolean {
  return layout === 'posts' && name === 'title';
}

/**
 * Tells whether a column only serves programs: the format of another, or a name in the key that the page shows in words. Ids
 * are none of these.
 */
export function isTechnical({ columns, key = [] }: AnyTable, index: number): boolean {
  const isFormat = columns.some(({ formatIndex }) => formatIndex === index);
  const { name = '', format, isInHtml = true } = columns[index] ?? {};
  const isCode = key.includes(name) && !isInHtml && format === 'text';
  // the days of a part stand beside it
  const isMark = name === 'is_part';
  return isFormat || isMark || (isCode && !isId(name) && name !== 'workspace');
}

export function isUnknownInAll({ rows }: Pick<ReportTable, 'rows'>, index: number): boolean {
  return rows.every((row) => (row[index] ?? null) === null);
}

/** The index of the column that counts what a row is made of; -1 without one. */
export function countedIndex({ columns }: Pick<ReportTable, 'columns'>): number {
  return columns.findIndex(({ name }) => name === 'posts' || name === 'videos');
}

/** The figures that only videos have. */
const ofVideos = /^(?:views?|viewers|watch_time|seconds|share_watched)(?:_|$)/u;

/** Why a cell without a value has none: of its row, or else of its column. Null where there is nothing to say. */
export function emptyReason(
  table: Pick<ReportTable, 'columns'>,
  row: readonly Cell[],
  index: number,
  { say }: Pick<Formatter, 'say'>,
): string | null {
  const cell = (name: string) => row[table.columns.findIndex((one) => one.name === name)] ?? null;
  const count = (name: string) => figureOf(cell(name));
  const { name, format, nullNote } = table.columns[index] ?? { name: '', format: 'text' as const };
  if (!isFigureFormat(format)) return nullNote ?? null;
  if (cell('part') === say('not read')) return say('Not read.');
  if (/^previous_|_target$/u.test(name)) return nullNote ?? null;
  const counted = table.columns[countedIndex(table)]?.name ?? '';
  if (count(counted) === 0) return say(counted === 'videos' ? 'No video.' : 'No post.');
  if (name.endsWith('_change') && cell('is_part') === true)
    return say('Compared only where the days are as many.');
  const type = cell('type');
  const isOfOther = count('videos') === 0 || (type !== null && type !== say('Video'));
  if (ofVideos.test(name) && isOfOther) return say('No video.');
  const term = emptyTerm(table, row, index);
  return term === -1 ? (nullNote ?? null) : emptyReason(table, row, term, { say });
}

/** The index of the column from which a figure follows and that has no value itself, which says why; -1 without one. */
function emptyTerm(
  { columns }: Pick<ReportTable, 'columns'>,
  row: readonly Cell[],
  index: number,
): number {
  const terms = termsOf(columns[index]?.calculation ?? null);
  const indexes = terms.map((term) => columns.findIndex(({ name }) => name === term));
  return indexes.find((at) => at !== -1 && (row[at] ?? null) === null) ?? -1;
}

function termsOf(calculation: ReportColumn['calculation']): string[] {
  if (calculation === null) return [];
  const { kind, of } = calculation;
  if (kind === 'share') return [of];
  return [kind === 'ratio' ? calculation.to : calculation.from, of];
}

/** The rows as text, with the total as the last one. */
export function printedRows(table: AnyTable, formatter: Formatter): string[][] {
  const rows = exactFigures(table).map((row) =>
    table.columns.map((column, index) => printedCell(column, row, index, formatter)),
  );
  if (table.total) rows.push(printedTotal(table.total, table, formatter));
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
