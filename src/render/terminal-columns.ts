import pc from 'picocolors';
import { terminalLine } from '../core/terminal-text.ts';
import { fitTerminal, terminalWidth } from '../core/terminal-width.ts';

export type Paint = (text: string) => string;

/** A column of a table on a terminal. Its texts may come from elsewhere: control characters in them are escaped. */
export interface TerminalColumn {
  readonly head: string;
  readonly cells: readonly string[];
  /** Figures are aligned to the right. */
  readonly isFigure: boolean;
  /** The width to which its texts may be cut. Figures, dates and times never are. */
  readonly minWidth: number;
  readonly rank: number;
  /** The colour of a cell, which is added after its text was escaped. */
  readonly paint?: (row: number) => Paint;
}

/** Where a text is printed. */
export interface Terminal {
  /** The width in columns; null for a file or a pipe, where nothing is cut. */
  readonly width: number | null;
  readonly hasColor: boolean;
}

/** The columns with the highest rank are left out first; the first column and the main one never are. */
export const ranks = {
  main: 0,
  key: 1,
  trend: 2,
  other: 3,
  long: 4,
  /** Nothing but empty cells: left out before any text is cut. */
  empty: 5,
  /** Says what another column says too: left out before all others, and not named. */
  repeated: 6,
} as const;

/** Words are not cut shorter than this. */
export const minWordWidth = 12;

const datePattern = /^(?:\d{4}-\d\d-\d\d.{0,20}|–|)$/u;
const gap = 2;
/** The most padding when nothing is cut: a longer text moves only the rest of its own row. */
const maxPadding = 40;
/** The most UTF-16 units in one column of a terminal: an emoji has several. */
const unitsPerColumn = 8;

/** A column with harmless texts, and its widths. */
interface MeasuredColumn extends TerminalColumn {
  readonly index: number;
  readonly width: number;
}

/**
 * Columns as a table with heads and a rule, a row on each line, and without a line feed at the end. If they do not fit,
 * repeated and empty columns are left out first, then words are cut, and then further columns are left out by rank. The
 * last line is what `remark` says of the heads of those that are left out.
 */
export function drawTable(
  columns: readonly TerminalColumn[],
  { width, hasColor }: Terminal,
  remark: (missing: readonly string[]) => string,
): string {
  const colors = pc.createColors(hasColor);
  const measured = measureColumns(columns, width);
  const shown = width === null ? measured : fitColumns(measured, width);
  const missing = measured.filter(
    ({ index, rank }) => rank !== ranks.repeated && shown.every((column) => column.index !== index),
  );
  return [
    lineOf(shown.map((column) => paddedCell(column.head, column, colors.bold))),
    lineOf(shown.map((column) => colors.dim('─'.repeat(column.width)))),
    ...rowLines(shown),
    ...(missing.length === 0 || width === null
      ? []
      : [colors.dim(fitTerminal(remark(missing.map(({ head }) => head)), width))]),
  ].join('\n');
}

/** True if no column has to be left out. */
export function isTableFitting(columns: readonly TerminalColumn[], { width }: Terminal): boolean {
  return width === null || minTotal(measureColumns(columns, Infinity)) <= width;
}

/** Rows without heads, which are cut at the end of the line; a column without any text takes no room. */
export function drawRows(columns: readonly TerminalColumn[], width: number | null): string {
  const measured = measureColumns(columns, Infinity).filter((column) => column.width > 0);
  const lines = rowLines(measured);
  return lines.map((line) => (width === null ? line : fitTerminal(line, width))).join('\n');
}

function measureColumns(
  columns: readonly TerminalColumn[],
  limit: number | null,
): MeasuredColumn[] {
  return columns.map((column, index) => {
    const head = terminalLine(column.head);
    const cells = column.cells.map((text) => cellText(text, limit));
    const measure = (text: string) => measuredWidth(text, column.isFigure, limit);
    const width = cells.reduce((most, cell) => Math.max(most, measure(cell)), measure(head));
    const isWhole = column.isFigure || cells.every((cell) => datePattern.test(cell));
    const minWidth = isWhole ? width : Math.min(width, column.minWidth);
    return { ...column, index, head, cells, width, minWidth };
  });
}

/** The part of a text that can be shown: some posts have 100 kB, which take long to clean and measure. */
function cellText(text: string, limit: number | null): string {
  if (limit === null) return terminalLine(text);
  const beginning = text.slice(0, unitsPerColumn * limit);
  const line = fitTerminal(terminalLine(beginning), limit);
  return text.length > beginning.length && !line.endsWith('…') ? `${line}…` : line;
}

/** The width of a text, up to the most padding when nothing is cut. */
function measuredWidth(text: string, isFigure: boolean, limit: number | null): number {
  if (limit !== null || isFigure) return terminalWidth(text);
  return Math.min(maxPadding, terminalWidth(text.slice(0, unitsPerColumn * maxPadding)));
}

/**
 * Leaves out columns, the last of equal rank first, until the others fit with their words cut, and then cuts the widest
 * of them first.
 */
function fitColumns(columns: readonly MeasuredColumn[], width: number): readonly MeasuredColumn[] {
  let shown = columns;
  for (const rank of [ranks.repeated, ranks.empty]) {
    if (totalWidth(shown.map((column) => column.width)) <= width) return shown;
    shown = shown.filter((column) => column.rank !== rank);
  }
  while (minTotal(shown) > width) {
    const rank = Math.max(...shown.slice(1).map((column) => column.rank));
    if (rank <= ranks.main) break;
    const out = shown.findLastIndex((column, index) => index > 0 && column.rank === rank);
    shown = shown.filter((_, index) => index !== out);
  }
  const widthWithin = (column: MeasuredColumn, limit: number) =>
    Math.min(column.width, Math.max(column.minWidth, limit));
  let limit = Math.max(...shown.map((column) => column.width));
  const total = () => totalWidth(shown.map((column) => widthWithin(column, limit)));
  while (limit > 0 && total() > width) limit -= 1;
  return shown.map((column) => cutColumn(column, widthWithin(column, limit)));
}

function cutColumn(column: MeasuredColumn, width: number): MeasuredColumn {
  const cut = (text: string) => fitTerminal(text, width);
  return { ...column, width, head: cut(column.head), cells: column.cells.map(cut) };
}

function minTotal(columns: readonly MeasuredColumn[]): number {
  return totalWidth(columns.map(({ minWidth }) => minWidth));
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1);
}

function rowLines(columns: readonly MeasuredColumn[]): string[] {
  return (columns[0]?.cells ?? []).map((_, row) =>
    lineOf(
      columns.map((column) =>
        paddedCell(column.cells[row] ?? '', column, column.paint?.(row) ?? String),
      ),
    ),
  );
}

function lineOf(cells: readonly string[]): string {
  return cells.join(' '.repeat(gap)).trimEnd();
}

function paddedCell(text: string, { width, isFigure }: MeasuredColumn, paint: Paint): string {
  const taken = text.length > unitsPerColumn * width ? width : terminalWidth(text);
  const padding = ' '.repeat(Math.max(0, width - taken));
  return isFigure ? padding + paint(text) : paint(text) + padding;
}
