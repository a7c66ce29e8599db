import type { Formatter } from '../../core/number-format.ts';
import type {
  Cell,
  ColumnFormat,
  ReportColumn,
  ReportSection,
  ReportTable,
} from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { type NumberFormats, numberFormatOf } from './number-formats.ts';
import { type ColumnStyles, columnStyles } from './styles.ts';
import { isId } from './table-place.ts';

/** One column of a sheet, ready to be written. */
export interface SheetColumn {
  /** Its place in the rows of the table, from 0. */
  readonly index: number;
  readonly column: ReportColumn;
  readonly head: string;
  /** In characters. */
  readonly width: number;
  readonly styles: ColumnStyles;
}

export interface TableLayout {
  readonly columns: readonly SheetColumn[];
  /** How many columns stay in sight when the reader scrolls right. */
  readonly frozen: number;
}

interface LayoutOptions {
  /** In the order of the sheet, with their places in the table's rows. */
  readonly columns: readonly (readonly [number, ReportColumn])[];
  readonly key?: readonly string[];
  readonly sortedBy?: string | null;
  /** Of `posts`, titles lead the table; they alone stay in sight. */
  readonly layout?: ReportSection['layout'];
  readonly timezone: string;
  readonly numberFormats: NumberFormats;
  readonly say: Formatter['say'];
}

const keyWidth = 28;
const idWidth = 12;
/** Of the titles of posts, which lead their table. */
const titleWidth = 44;
/** More than this in sight all the time would leave no room for the rest on a small screen. */
const maxFrozenWidth = 70;
/** The rows that a column's width is measured by. */
const sampleSize = 200;

const fixedWidths: Readonly<Partial<Record<ColumnFormat, number>>> = {
  longtext: 60,
  url: 40,
  count: 13,
  decimal: 12,
  money: 14,
  money_exact: 14,
  cpm: 12,
  rate: 12,
  share: 18,
  duration: 13,
  factor: 12,
  pp: 12,
  change: 12,
  month: 11,
  date: 11,
  datetime: 18,
  weekday: 12,
  hour: 12,
  boolean: 11,
};

/** A table, and the row under it where there is one. */
type TotalledTable = ReportTable & Partial<Pick<ReportSection, 'total'>>;

export function layoutTable(table: TotalledTable, options: LayoutOptions): TableLayout {
  const columns = options.columns.map(([index, column], position) => ({
    index,
    column,
    head: headText(column, options),
    width: columnWidth(table, index, options),
    styles: columnStyles(column.format, columnFormat(table, index, options.numberFormats), {
      isKeyFigure: column.name === options.sortedBy,
      isOdd: position % 2 === 1,
    }),
  }));
  const { layout, key = [] } = options;
  return { columns, frozen: layout === 'posts' ? 1 : frozenColumns(columns, key) };
}

/** Null: its cells hold text. @param index of the column in the table */
export function columnFormat(
  table: TotalledTable,
  index: number,
  numberFormats: NumberFormats,
): string | null {
  const format = table.columns[index]?.format;
  return format === undefined ? null : numberFormatOf(format, cellsOf(table, index), numberFormats);
}

function* cellsOf({ rows, total }: TotalledTable, index: number): Generator<Cell> {
  for (const row of rows) yield row[index] ?? null;
  yield total?.cells[index] ?? null;
}

/** In characters. */
export function tableWidth(columns: readonly SheetColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** Points: two lines as a rule, so that the filter's button is below the words. */
export function headHeight(columns: readonly SheetColumn[]): number {
  const lines = columns.map(({ head, width }) => Math.ceil(head.length / (width - 2)));
  return 15 + 13 * Math.min(3, Math.max(1, ...lines));
}

/** Excel's times have no zone and its weekdays no names, so heads say what is meant. */
function headText(
  { title, format }: ReportColumn,
  { timezone, say }: Pick<LayoutOptions, 'timezone' | 'say'>,
): string {
  if (format === 'datetime') return cellText(`${title} (${timezone})`);
  if (format === 'weekday') return cellText(say('{title:text} (1 = Monday)', { title }));
  return cellText(title);
}

function columnWidth(
  table: TotalledTable,
  index: number,
  { key = [], numberFormats, layout }: LayoutOptions,
): number {
  const column = table.columns[index];
  if (!column) return keyWidth;
  if (isId(column)) return idWidth;
  const fixed = fixedWidths[column.format];
  if (fixed !== undefined) {
    return Math.max(fixed, headWidth(column.title), largestWidth(table, index, numberFormats));
  }
  if (layout === 'posts' && column.name === 'title') return titleWidth;
  const isOnlyKey = key.length === 1 && key[0] === column.name;
  return isOnlyKey ? keyWidth : sampledWidth(table, index);
}

/** What the largest figure needs in bold, money with room for one more: what does not fit is not shown. */
function largestWidth(table: TotalledTable, index: number, numberFormats: NumberFormats): number {
  const format = table.columns[index]?.format;
  if (format !== 'money' && format !== 'money_exact' && format !== 'count') return 0;
  let largest = 0;
  for (const cell of cellsOf(table, index))
    largest = Math.max(largest, Math.abs(Number(cell ?? 0)));
  const digits = Math.floor(largest).toLocaleString('en').length;
  if (format === 'count') return Math.ceil(1.1 * digits) + 1;
  const around = (numberFormats[format] ?? '').replace(/\[\$|\]|#,##0/gu, '').length;
  return Math.min(40, Math.ceil(1.1 * (digits + around + 1)) + 3);
}

/** What the longest word of a head needs, so that it is not broken; at most that of a key. */
function headWidth(title: string): number {
  const longest = Math.max(...title.split(/[\s-]+/u).map((word) => word.length));
  return Math.min(keyWidth, longest + 3);
}

function sampledWidth(table: ReportTable, index: number): number {
  const longest = table.rows.slice(0, sampleSize).reduce((most, row) => {
    const cell = row[index];
    const length = typeof cell === 'string' ? cell.length : String(cell ?? '').length;
    return Math.max(most, length);
  }, table.columns[index]?.title.length ?? 0);
  return Math.min(40, Math.max(11, longest + 2));
}

/** Up to the last column of the key; where that is too wide, the keys at the beginning. */
function frozenColumns(columns: readonly SheetColumn[], key: readonly string[]): number {
  if (key.length === 0) return 0;
  const isKey = columns.map(({ column }) => key.includes(column.name) && !isId(column));
  const last = isKey.lastIndexOf(true) + 1;
  const width = columns.slice(0, last).reduce((sum, column) => sum + column.width, 0);
  if (last > 0 && width <= maxFrozenWidth) return last;
  const firstOther = isKey.indexOf(false);
  // Where the key is further right, the first column tells rows apart for people.
  return Math.max(1, firstOther);
}
