import pc from 'picocolors';
import { createFormatter, type FormatterOptions } from '../core/number-format.ts';
import { fitTerminal, terminalLine, terminalWidth } from '../core/terminal-text.ts';
import type { ColumnFormat, ReportSection, ReportTable } from '../report/report-document.ts';
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
  readonly head: string;
  readonly cells: readonly string[];
  readonly isFigure: boolean;
  readonly isWords: boolean;
  readonly width: number;
}

const gap = 2;
/** Words are never cut shorter than this; figures and times are never cut. */
const leastWidth = 8;
const wordFormats: readonly ColumnFormat[] = ['text', 'longtext', 'url', 'list'];

/**
 * Rows for a terminal, a line each and the total as the last one, without a line feed at the end.
 * Words are cut to fit its width; columns that do not fit even so are left out and named below.
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
  const missing = columns.slice(shown.length).map((column) => column.head);
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
  return table.columns.map(({ title, format }, index) => {
    const head = terminalLine(title);
    const cells = rows.map((row) => terminalLine(row[index] ?? ''));
    const width = [head, ...cells].reduce((most, text) => Math.max(most, terminalWidth(text)), 0);
    return {
      head,
      cells,
      isFigure: isFigureFormat(format),
      isWords: wordFormats.includes(format),
      width,
    };
  });
}

/** Takes from the widest words first, then leaves out the last columns. */
function fitColumns(columns: readonly TextColumn[], width: number): TextColumn[] {
  const least = columns.map((column) =>
    column.isWords ? Math.min(column.width, leastWidth) : column.width,
  );
  let count = columns.length;
  while (count > 1 && totalWidth(least.slice(0, count)) > width) count -= 1;
  const shown = columns.slice(0, count);
  const limit = largestLimit(shown, width);
  return shown.map((column, index) => ({
    ...column,
    width: column.isWords
      ? Math.max(least[index] ?? 0, Math.min(column.width, limit))
      : column.width,
  }));
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
      columns.map((column, index) =>
        paddedCell(column.cells[row] ?? '', column, cellColor(row, index)),
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
