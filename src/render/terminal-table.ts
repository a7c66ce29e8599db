import pc from 'picocolors';
import { createFormatter, type FormatterOptions } from '../core/number-format.ts';
import { fitTerminal, terminalLine, terminalWidth } from '../core/terminal-text.ts';
import type {
  ColumnFormat,
  ReportColumn,
  ReportSection,
  ReportTable,
} from '../report/report-document.ts';
import { isFigureFormat } from './figure-format.ts';
import { printedRows } from './printed-rows.ts';

export interface TerminalTableOptions extends FormatterOptions {
  /** In columns; null: as wide as it comes, for a file or a pipe. */
  readonly width: number | null;
  readonly color: boolean;
  /** The colour of a cell, put on after whatever stands in it was made harmless. */
  readonly cellColor?: (row: number, column: number) => Paint;
}

/** Puts colours around a text that goes to a terminal. */
export type Paint = (text: string) => string;

interface TextColumn {
  /** Among the table's columns. */
  readonly place: number;
  readonly head: string;
  readonly cells: readonly string[];
  readonly isFigure: boolean;
  readonly isWords: boolean;
  readonly width: number;
  /** The higher, the sooner it is left out. */
  readonly rank: number;
}

const gap = 2;
/** Words are never cut shorter than this; figures and times are never cut. */
const leastWidth = 8;
const wordFormats: readonly ColumnFormat[] = ['text', 'longtext', 'url', 'list'];

/**
 * Rows for a terminal, a line each and the total as the last one, without a line feed at the end.
 * Words are cut to fit its width; where columns do not fit even so, the least of them are left out, and named
 * below: first addresses, whole texts and what a page hides, last the key figures.
 * Nothing in a cell can steer the terminal.
 */
export function renderTerminalTable(
  table: ReportTable | ReportSection,
  options: TerminalTableOptions,
): string {
  const columns = textColumns(table, options);
  const shown = options.width === null ? columns : fitColumns(columns, options.width);
  const colors = pc.createColors(options.color);
  const lines = [drawTable(shown, colors, options.cellColor)];
  const heads = new Set(shown.map(({ place }) => place));
  const missing = columns.filter(({ place }) => !heads.has(place)).map((column) => column.head);
  if (missing.length > 0) {
    const columnsWord = missing.length === 1 ? 'column' : 'columns';
    const words = `${missing.length} more ${columnsWord}: ${missing.join(', ')}`;
    lines.push(colors.dim(fitTerminal(words, options.width ?? words.length)));
  }
  return lines.join('\n');
}

function textColumns(
  table: ReportTable | ReportSection,
  options: TerminalTableOptions,
): TextColumn[] {
  const rows = printedRows(table, createFormatter(options));
  return table.columns.map((column, index) => {
    const { title, format } = column;
    const head = terminalLine(title);
    const cells = rows.map((row) => terminalLine(row[index] ?? ''));
    const width = [head, ...cells].reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
    return {
      place: index,
      rank: rankOf(column, index, table),
      head,
      cells,
      isFigure: isFigureFormat(format),
      isWords: wordFormats.includes(format),
      width,
    };
  });
}

function rankOf(
  { name, format, isPrimary, isInHtml }: ReportColumn,
  index: number,
  table: ReportTable | ReportSection,
): number {
  const sortedBy = 'sortedBy' in table ? table.sortedBy : null;
  if (index === 0 || isPrimary || name === sortedBy) return 0;
  if (!isInHtml || format === 'url' || format === 'longtext') return 3;
  return format === 'trend' ? 1 : 2;
}

/** Takes from the widest words first, then leaves out columns, of equal ones the last. */
function fitColumns(columns: readonly TextColumn[], width: number): TextColumn[] {
  let shown = columns;
  while (shown.length > 1 && totalWidth(shown.map(leastOf)) > width) {
    const rank = Math.max(...shown.slice(1).map((column) => column.rank));
    const out = shown.findLastIndex((column, index) => index > 0 && column.rank === rank);
    shown = shown.filter((_, index) => index !== out);
  }
  const limit = largestLimit(shown, width);
  return shown.map((column) => ({
    ...column,
    width: column.isWords ? Math.max(leastOf(column), Math.min(column.width, limit)) : column.width,
  }));
}

function leastOf({ isWords, width }: TextColumn): number {
  return isWords ? Math.min(width, leastWidth) : width;
}

/** The greatest width of words with which all columns fit. */
function largestLimit(columns: readonly TextColumn[], width: number): number {
  let limit = columns.reduce((most, column) => Math.max(most, column.width), leastWidth);
  const widths = () =>
    columns.map((column) => (column.isWords ? Math.min(column.width, limit) : column.width));
  while (limit > leastWidth && totalWidth(widths()) > width) limit -= 1;
  return limit;
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
  const shown = fitTerminal(text, width);
  const padding = ' '.repeat(Math.max(0, width - terminalWidth(shown)));
  return isFigure ? padding + color(shown) : color(shown) + padding;
}
