import type { Formatter } from '../../languages/number-format.ts';
import { terminalWidth } from '../../core/terminal-width.ts';
import type {
  Cell,
  ColumnFormat,
  ReportColumn,
  ReportSection,
  ReportTable,
} from '../../report/report-document.ts';
import { isPostTitle } from '../shown-table.ts';
import { cellText, uniqueNames } from './cell-text.ts';
import { type NumberFormats, numberFormatOf } from './number-formats.ts';
import { type ColumnStyles, columnStyles } from './styles.ts';
import { isForPrograms } from './table-address.ts';

export interface SheetColumn {
  /** The index in the rows of the table, from 0. */
  readonly index: number;
  readonly column: ReportColumn;
  readonly head: string;
  /** The width in characters. */
  readonly width: number;
  readonly styles: ColumnStyles;
  /** The styles of a cell whose row has a format of its own. */
  readonly stylesBy?: (format: ColumnFormat) => ColumnStyles;
}

export interface TableLayout {
  readonly columns: readonly SheetColumn[];
  /** The number of columns that stay visible when the reader scrolls right. */
  readonly frozen: number;
}

interface LayoutOptions {
  /** The columns in the order of the sheet, with their index in the rows of the table. */
  readonly columns: readonly (readonly [number, ReportColumn])[];
  readonly key?: readonly string[];
  readonly sortedBy?: string | null;
  /** The layout of the section: in a table of posts, only the titles stay visible. */
  readonly layout?: ReportSection['layout'];
  readonly timezone: string;
  readonly numberFormats: NumberFormats;
  readonly say: Formatter['say'];
}

const keyWidth = 28;
const idWidth = 12;
/** The widest columns of names, and of sentences. */
const [maxTextWidth, maxSentenceWidth] = [40, 170];
const titleWidth = 44;
/** The widest part that stays visible, in characters, so that a small screen has room for the rest. */
const maxFrozenWidth = 70;
/** The number of rows that the width of a column is measured by. */
const sampleSize = 200;

/** The least widths of columns of other formats than words. */
const leastWidths: Readonly<Partial<Record<ColumnFormat, number>>> = {
  longtext: 60,
  url: 40,
  share: 18,
  datetime: 18,
};
const figureWidth = 13;
const nameFormats: readonly ColumnFormat[] = ['text', 'list', 'trend'];

type TotalledTable = ReportTable & Partial<Pick<ReportSection, 'total'>>;

/** The most characters of a head that Excel takes in a table, where none is empty or repeated. */
const maxHeadLength = 255;

export function layoutTable(table: TotalledTable, options: LayoutOptions): TableLayout {
  const unique = uniqueNames(maxHeadLength);
  const columns = options.columns.map(([index, column], position) => ({
    index,
    column,
    head: unique(headText(column, options) || '–'),
    ...((column.formatIndex ?? column.change) !== undefined && {
      stylesBy: stylesByFormat(position, options),
    }),
    width: Math.max(columnWidth(table, index, options), position === 0 ? labelWidth(table) : 0),
    styles: columnStyles(column.format, columnFormat(table, index, options), {
      isKeyFigure: column.name === options.sortedBy,
      isOdd: position % 2 === 1,
    }),
  }));
  const { layout, key = [] } = options;
  return { columns, frozen: layout === 'posts' ? 1 : frozenColumns(columns, key) };
}

/** The styles of cells by their own formats, of which each is made once. */
function stylesByFormat(
  position: number,
  { numberFormats }: Pick<LayoutOptions, 'numberFormats'>,
): (format: ColumnFormat) => ColumnStyles {
  const made = new Map<ColumnFormat, ColumnStyles>();
  return (format) => {
    const known = made.get(format);
    if (known) return known;
    const styles = columnStyles(format, numberFormats[format], { isOdd: position % 2 === 1 });
    made.set(format, styles);
    return styles;
  };
}

/** The number format of a column; null for text. @param index the index of the column in the table */
export function columnFormat(
  table: TotalledTable,
  index: number,
  { numberFormats }: Pick<LayoutOptions, 'numberFormats'>,
): string | null {
  const format = table.columns[index]?.format;
  return format === undefined ? null : numberFormatOf(format, cellsOf(table, index), numberFormats);
}

function* cellsOf({ rows, total }: TotalledTable, index: number): Generator<Cell> {
  for (const row of rows) yield row[index] ?? null;
  yield total?.cells[index] ?? null;
}

export function tableWidth(columns: readonly SheetColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** The height of the heads in points: at least two lines, so that the button of the filter is below the words. */
export function headHeight(columns: readonly SheetColumn[]): number {
  const lines = columns.map(({ head, width }) => Math.ceil(head.length / (width - 2)));
  return 15 + 13 * Math.min(3, Math.max(1, ...lines));
}

/** The head with the time zone or the numbering of weekdays, which Excel cannot show in cells. */
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
  if (isForPrograms(column)) return idWidth;
  if (!nameFormats.includes(column.format)) {
    const least = leastWidths[column.format] ?? figureWidth;
    return Math.max(least, headWidth(column.title), largestWidth(table, index, numberFormats));
  }
  if (isPostTitle(layout, column.name)) return titleWidth;
  const isOnlyKey = key.length === 1 && key[0] === column.name;
  if (isOnlyKey) return keyWidth;
  const isWhole = (layout === 'table' || layout === 'sentences') && !key.includes(column.name);
  return sampledWidth(table, index, isWhole ? maxSentenceWidth : maxTextWidth);
}

/** The width of the label of the total, which is bold. */
function labelWidth({ total }: TotalledTable): number {
  return total ? Math.min(maxTextWidth, Math.ceil(1.1 * terminalWidth(total.label)) + 2) : 0;
}

/** The width of the widest figure in bold, with room for one more digit of money: Excel hides figures that do not fit. */
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

/** The width of the longest word of a head, at most that of a key column. */
function headWidth(title: string): number {
  const longest = Math.max(...title.split(/[\s-]+/u).map((word) => word.length));
  return Math.min(keyWidth, longest + 3);
}

function sampledWidth(table: ReportTable, index: number, most: number): number {
  const longest = table.rows.slice(0, sampleSize).reduce((longest, row) => {
    const cell = row[index];
    const length = typeof cell === 'string' ? cell.length : String(cell ?? '').length;
    return Math.max(longest, length);
  }, table.columns[index]?.title.length ?? 0);
  return Math.min(most, Math.max(11, longest + 2));
}

/** The columns up to the last of the key, or the first keys when those are too wide. */
function frozenColumns(columns: readonly SheetColumn[], key: readonly string[]): number {
  if (key.length === 0) return 0;
  const isKey = columns.map(({ column }) => key.includes(column.name) && !isForPrograms(column));
  const last = isKey.lastIndexOf(true) + 1;
  const width = columns.slice(0, last).reduce((sum, column) => sum + column.width, 0);
  if (last > 0 && width <= maxFrozenWidth) return last;
  const firstOther = isKey.indexOf(false);
  // When the key is further right, people tell rows apart by the first column.
  return Math.max(1, firstOther);
}
