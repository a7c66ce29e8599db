import pc from 'picocolors';
import {
  createFormatter,
  isFigureFormat,
  type FormatterOptions,
} from '../languages/number-format.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { fitTerminal, terminalWidth } from '../core/terminal-width.ts';
import type {
  Cell,
  ColumnFormat,
  ReportColumn,
  ReportSection,
  ReportTable,
} from '../report/report-document.ts';
import { printedRows } from './printed-rows.ts';

export interface TerminalTableOptions extends FormatterOptions {
  /** The width in columns; null for a file or a pipe, where nothing is cut. */
  readonly width: number | null;
  readonly color: boolean;
  /** The colour of a cell, added after its text was escaped. */
  readonly cellColor?: (row: number, column: number) => Paint;
}

export type Paint = (text: string) => string;

interface TextColumn {
  readonly place: number;
  readonly head: string;
  readonly cells: readonly string[];
  readonly isFigure: boolean;
  /** Set when its cells may be cut; figures, times and dates never are. */
  readonly isWords: boolean;
  readonly width: number;
  readonly minWidth: number;
  readonly rank: number;
}

const gap = 2;
/** Words are not cut shorter than this. */
const minWordWidth = 12;
/** The most padding when nothing is cut: a longer text moves only the rest of its own row. */
const maxPadding = 40;
const wordFormats: readonly ColumnFormat[] = ['text', 'longtext', 'url', 'list'];
/** The columns with the highest rank are left out first; the main one never is. */
const ranks = { main: 0, key: 1, trend: 2, other: 3, long: 4, empty: 5 } as const;

/**
 * Rows for a terminal, one a line, with the total as the last one, and without a line feed at the end. If they do not
 * fit, empty columns are left out first, then words are cut, and then further columns are left out: addresses, whole
 * texts and what a page hides first, the keys last; never the first column, nor the one that the rows are sorted by.
 * A line below names the columns that are left out. Control sequences in cells are escaped.
 */
export function renderTerminalTable(
  table: ReportTable | ReportSection,
  options: TerminalTableOptions,
): string {
  const { width, cellColor } = options;
  const colors = pc.createColors(options.color);
  const columns = textColumns(table, options);
  if (width === null) return drawTable(columns, colors, cellColor);
  const shown = fitColumns(columns, width);
  const missing = columns.filter(({ place }) => shown.every((column) => column.place !== place));
  const heads = missing.map(({ head }) => head).join(', ');
  const { say } = createFormatter(options);
  const remark = say('{n:count} more {n|column|columns}: {heads:text}', {
    n: missing.length,
    heads,
  });
  return [
    drawTable(shown, colors, cellColor),
    ...(missing.length > 0 ? [colors.dim(fitTerminal(remark, width))] : []),
  ].join('\n');
}

function textColumns(
  table: ReportTable | ReportSection,
  options: TerminalTableOptions,
): TextColumn[] {
  const printed = printedRows(table, createFormatter({ ...options, hasOffsets: true }));
  const main = mainColumn(table);
  return table.columns.map((column, place) => {
    const head = terminalLine(column.title);
    const cells = printed.map((row) => cellText(row[place] ?? '', options.width));
    const isWords = wordFormats.includes(column.format) && !cells.every(isDateOrEmpty);
    const measure = (text: string) => measuredWidth(text, isWords, options.width);
    const width = cells.reduce((most, cell) => Math.max(most, measure(cell)), measure(head));
    return {
      place,
      head,
      cells,
      isFigure: isFigureFormat(column.format),
      isWords,
      width,
      minWidth: isWords ? Math.min(width, minWordWidth) : width,
      rank: place === main ? ranks.main : rankOf(column, place, table),
    };
  });
}

/** The column that the rows are sorted by; otherwise the first key figure. */
function mainColumn(table: ReportTable | ReportSection): number {
  const sortedBy = 'sortedBy' in table ? table.sortedBy : null;
  return table.columns.findIndex(({ name, isPrimary, format }) =>
    sortedBy === null ? isPrimary && isFigureFormat(format) : name === sortedBy,
  );
}

function rankOf(
  { name, format, isPrimary, isInHtml }: ReportColumn,
  place: number,
  table: ReportTable | ReportSection,
): number {
  const isEmpty = table.rows.length > 0 && table.rows.every((row) => isNothing(row[place] ?? null));
  if (isEmpty && place > 0) return ranks.empty;
  const isKey = 'key' in table && isInHtml && table.key.includes(name);
  const isPostTitle = 'layout' in table && table.layout === 'posts' && name === 'title';
  if (place === 0 || isPrimary || isKey || isPostTitle) return ranks.key;
  if (!isInHtml || format === 'url' || format === 'longtext') return ranks.long;
  return format === 'trend' ? ranks.trend : ranks.other;
}

/** The most UTF-16 units in one column of a terminal: an emoji has several. */
const unitsPerColumn = 8;

/** The part of a text that can be shown: some posts have 100 kB, which take long to clean and measure. */
function cellText(text: string, width: number | null): string {
  if (width === null) return terminalLine(text);
  const beginning = text.slice(0, unitsPerColumn * width);
  const line = fitTerminal(terminalLine(beginning), width);
  return text.length > beginning.length && !line.endsWith('…') ? `${line}…` : line;
}

/** The width of a text, up to the most padding when nothing is cut. */
function measuredWidth(text: string, isWords: boolean, width: number | null): number {
  if (width !== null || !isWords) return terminalWidth(text);
  return Math.min(maxPadding, terminalWidth(text.slice(0, unitsPerColumn * maxPadding)));
}

const datePattern = /^(?:\d{4}-\d\d-\d\d.{0,20}|–|)$/u;

function isDateOrEmpty(cell: string): boolean {
  return datePattern.test(cell);
}

function isNothing(cell: Cell): boolean {
  return cell === null || cell === 0 || cell === '' || (Array.isArray(cell) && cell.length === 0);
}

/**
 * Leaves out columns, the last of equal rank first, until the others fit with their words cut, and then cuts the
 * widest of them first.
 */
function fitColumns(columns: readonly TextColumn[], width: number): TextColumn[] {
  if (totalWidth(columns.map((column) => column.width)) <= width) return [...columns];
  let shown = columns.filter(({ rank }) => rank !== ranks.empty);
  while (totalWidth(shown.map(({ minWidth }) => minWidth)) > width) {
    const rank = Math.max(...shown.slice(1).map((column) => column.rank));
    if (rank <= ranks.main) break;
    const out = shown.findLastIndex((column, index) => index > 0 && column.rank === rank);
    shown = shown.filter((_, index) => index !== out);
  }
  const widthWithin = (column: TextColumn, limit: number) =>
    Math.min(column.width, Math.max(column.minWidth, limit));
  let limit = Math.max(...shown.map((column) => column.width));
  const total = () => totalWidth(shown.map((column) => widthWithin(column, limit)));
  while (limit > minWordWidth && total() > width) limit -= 1;
  return shown.map((column) => cutColumn(column, widthWithin(column, limit)));
}

function cutColumn(column: TextColumn, width: number): TextColumn {
  const cut = (text: string) => fitTerminal(text, width);
  return { ...column, width, head: cut(column.head), cells: column.cells.map(cut) };
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1);
}

function drawTable(
  columns: readonly TextColumn[],
  colors: ReturnType<typeof pc.createColors>,
  cellColor: (row: number, column: number) => Paint = () => String,
): string {
  const line = (cells: readonly string[]) => cells.join(' '.repeat(gap)).trimEnd();
  const heads = columns.map((column) => paddedCell(column.head, column, colors.bold));
  const rule = columns.map((column) => colors.dim('─'.repeat(column.width)));
  const rows = (columns[0]?.cells ?? []).map((_, row) =>
    line(
      columns.map((column) =>
        paddedCell(column.cells[row] ?? '', column, cellColor(row, column.place)),
      ),
    ),
  );
  return [line(heads), line(rule), ...rows].join('\n');
}

function paddedCell(text: string, { width, isFigure }: TextColumn, color: Paint): string {
  const taken = text.length > unitsPerColumn * width ? width : terminalWidth(text);
  const padding = ' '.repeat(Math.max(0, width - taken));
  return isFigure ? padding + color(text) : color(text) + padding;
}
