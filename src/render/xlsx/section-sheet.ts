import type { Formatter } from '../../languages/number-format.ts';
import { terminalWidth } from '../../core/terminal-width.ts';
import {
  type Cell,
  cellIn,
  type ReportSection,
  type ReportTable,
} from '../../report/report-document.ts';
import { cellText, linkTarget, shortenTo } from './cell-text.ts';
import { headingOf } from '../document-head.ts';
import { emptyReason, isPostTitle } from '../shown-table.ts';
import { sheetValue } from './cell-value.ts';
import type { ChartCells, NativeChart } from './chart-cells.ts';
import { type SheetFormula, totalFormulas } from './formulas.ts';
import type { NumberFormats } from './number-formats.ts';
import {
  besideTable,
  chartRowHeight,
  type Foot,
  isChartBelow,
  pageOptions,
  type PrintedPart,
  printedPart,
  titleLines,
  tablePageOptions,
} from './page.ts';
import type { PlannedSection } from './sheet-plan.ts';
import type { SheetCell, SheetWriter } from './sheet-writer.ts';
import { bodyStyle, columnStyles, styles } from './styles.ts';
import {
  headHeight,
  layoutTable,
  type SheetColumn,
  type TableLayout,
  tableWidth,
} from './table-layout.ts';
import {
  columnLetters,
  columnRange,
  fixedCell,
  headRow,
  type TableAddress,
  sheetColumns,
  sheetPrefix,
} from './table-address.ts';
import type { WorkbookFile } from './workbook-file.ts';

export interface SheetContext {
  readonly workbook: WorkbookFile;
  readonly timezone: string;
  readonly numberFormats: NumberFormats;
  readonly foot: Foot;
  readonly say: Formatter['say'];
}

const rowHeight = 15;
/** The column widths of a list: names of figures, and figures. */
export const listWidths = [40, 20];

/** Writes a section: its finding, its description, and its table from row 4 on with total, notes and chart. */
export function writeSectionSheet(
  { section, address, isHidden }: PlannedSection,
  chart: NativeChart | null,
  context: SheetContext,
): void {
  const columns = sheetColumns(section);
  const layout = layoutTable(section, { ...section, ...context, columns });
  const isBelow = chart !== null && isChartBelow(layout, section.rows.length);
  const options = address.isList
    ? pageOptions(context.foot, { head: headRow })
    : tablePageOptions(layout, headRow, { ...context, isOnePage: isBelow });
  const state = isHidden ? 'hidden' : 'visible';
  const sheet = context.workbook.addSheet(address.sheet, { ...options, state });
  sheet.setWidths(address.isList ? listWidths : layout.columns.map(({ width }) => width));
  const texts = sheetTexts(section);
  const isBeside = chart !== null && !isBelow;
  const printed = printedPart(layout, { texts, hasChart: isBelow });
  writeHead(sheet, ...texts, address.isList || isBeside ? null : printed);
  writeRows(sheet, section, address, layout, context);
  // A long line next to a chart would run below it.
  const lines = [...emptyNotes(section, context), ...(chart?.marks?.lines ?? []), ...section.notes];
  writeNotes(sheet, lines, chart === null || isBelow ? null : layout);
  const marked = chart && withMarks(sheet, chart, address.sheet);
  if (marked && isBelow) placeBelow(sheet, marked);
  if (marked && !isBelow) sheet.charts.push({ chart: marked, anchor: besideTable(layout) });
  else if (!address.isList) sheet.setPrintArea(printed.last);
}

/** Writes the table of a section, or the list of its figures, with its totals and bars, below the rows of the sheet. */
export function writeRows(
  sheet: SheetWriter,
  section: ReportSection,
  address: TableAddress,
  layout: TableLayout,
  { timezone, say }: SheetContext,
): void {
  const { table, isList, firstRow, lastRow } = address;
  const totals = totalFormulas(section, address);
  const options = { totals, timezone, say, table, ...layout };
  if (isList) {
    writeList(sheet, section, options);
    return;
  }
  writeTable(sheet, section, options);
  for (const { format, name } of section.columns) {
    const column = address.columns.get(name);
    if (format === 'share' && column !== undefined)
      sheet.addBars(columnRange(column, firstRow, lastRow));
  }
}

/** Writes the title and the line below it. @param within what is printed, over which a long title wraps */
export function writeHead(
  sheet: SheetWriter,
  title: string,
  line: string,
  within: PrintedPart | null = null,
): void {
  const lines = within === null ? 1 : titleLines(title, within);
  sheet.addRow(
    [{ value: cellText(title), style: lines > 1 ? styles.wrappedFinding : styles.finding }],
    { height: 4 + 20 * lines, ...(within !== null && lines > 1 && { merge: [1, within.last] }) },
  );
  sheet.addRow([{ value: cellText(line), style: styles.small }], { height: 15 });
  sheet.addRow([], { height: 8 });
}

/** The title of a section's sheet, and the line below it with what the title does not say. */
export function sheetTexts(section: ReportSection): readonly [title: string, line: string] {
  const { finding, title, basis } = section;
  const [heading, line] = headingOf(section);
  const texts = [finding === null ? title : '', line, basis ?? ''];
  return [heading, texts.filter((text) => text !== '').join(' · ')];
}

export interface RowOptions {
  readonly columns: readonly SheetColumn[];
  readonly timezone: string;
  /** The formulas in the row of totals, by column; null in a plain table. */
  readonly totals: ReadonlyMap<string, SheetFormula> | null;
  readonly say: Formatter['say'];
  readonly table: string;
}

/** Writes heads, rows and total below the rows of the sheet. */
export function writeTable(
  sheet: SheetWriter,
  table: ReportTable & Partial<Pick<ReportSection, 'total' | 'layout'>>,
  options: RowOptions,
): void {
  const { columns } = options;
  sheet.addRow(
    columns.map(({ head, styles: { head: style } }) => ({ value: head, style })),
    { height: headHeight(columns) },
  );
  const head = sheet.rows;
  const cellOf = bodyCells(table, options);
  for (const cells of table.rows) {
    sheet.addRow(
      columns.map((entry) => cellOf(entry, cells)),
      { height: rowHeight },
    );
  }
  const last = sheet.rows;
  if (table.total) sheet.addRow(totalCells(table.total, options), { height: rowHeight });
  if (columns.length === 0) return;
  // The table and its filter cover heads and rows, but not the total, which always stays visible. Excel's has a row.
  const letters = columnLetters(columns.length);
  const range = `A${head}:${letters}${Math.max(last, head + 1)}`;
  const heads = columns.map((column) => column.head);
  sheet.tables.push({ name: options.table, heads, range, hasFilter: true });
  if (last > head) sheet.setPlainCells(`A${head + 1}:${letters}${last + 1}`);
}

/** Writes the only row of a table as a list: the name of each figure, and the figure beside it. */
function writeList(sheet: SheetWriter, table: ReportTable, options: RowOptions): void {
  const heads = [options.say('Figure'), options.say('Value')] as const;
  sheet.addRow([
    { value: heads[0], style: columnStyles('text', null).head },
    { value: heads[1], style: columnStyles('count', null).head },
  ]);
  const range = `A${sheet.rows}:B${sheet.rows + options.columns.length}`;
  sheet.tables.push({ name: options.table, heads, range, hasFilter: false });
  const cellOf = bodyCells(table, options);
  for (const entry of options.columns) {
    const name = { value: entry.head, style: styles.label };
    sheet.addRow([name, cellOf(entry, table.rows[0] ?? [])], { height: rowHeight });
  }
}

/** The most links of a sheet; Excel ignores or repairs the rest. */
const maxLinks = 65_530;
/** The characters of a text that the column of titles shows. */
const maxLeadWords = 48;

/** The cell in a row of the table; null leaves it out. */
function bodyCells(
  { rows, columns, layout }: ReportTable & Partial<Pick<ReportSection, 'layout'>>,
  options: RowOptions,
): (entry: SheetColumn, cells: readonly Cell[]) => SheetCell | null {
  const isTitle = (name: string) => isPostTitle(layout, name);
  const linked = options.columns
    .filter(({ column: { format, name } }) => format === 'url' || isTitle(name))
    .slice(0, Math.floor(maxLinks / Math.max(1, rows.length)));
  const urls = columns.findIndex(({ format }) => format === 'url');
  const texts = columns.findIndex(({ format }) => format === 'longtext');

  function linkOf(
    cell: Cell,
    { column, styles: { link } }: SheetColumn,
    cells: readonly Cell[],
  ): SheetCell | null {
    const address = column.format === 'url' ? cell : cells[urls];
    if (typeof cell !== 'string' || typeof address !== 'string') return null;
    const [text, hyperlink] = [cellText(cell), linkTarget(address)];
    return hyperlink === null || text === '' ? null : { value: { text, hyperlink }, style: link };
  }
  return (entry, cells) => {
    const { column, cell: given } = cellIn(entry.column, cells, entry.index);
    // The beginning of its text stands for a post without a title.
    const cell = given === null && isTitle(entry.column.name) ? leadWords(cells[texts]) : given;
    if (cell === null) return null;
    const link = linked.includes(entry) ? linkOf(cell, entry, cells) : null;
    if (link) return link;
    const value = valueOf(cell, { ...entry, column }, options);
    const own = entry.stylesBy?.(column.format) ?? entry.styles;
    return { value, style: bodyStyle(own, value) };
  };
}

function leadWords(text: Cell | undefined): string | null {
  if (typeof text !== 'string') return null;
  const [first = ''] = text.trim().split('\n');
  return first === '' ? null : shortenTo(first, maxLeadWords);
}

/** The row of totals with its label first; a cell without a total keeps the rule above it. */
function totalCells(
  { label, cells }: NonNullable<ReportSection['total']>,
  options: RowOptions,
): SheetCell[] {
  return options.columns.map((entry, position) => {
    if (position === 0) return { value: cellText(label), style: entry.styles.total };
    const { column, cell } = cellIn(entry.column, cells, entry.index);
    const isOfColumn = column.format === entry.column.format;
    const formula = isOfColumn ? options.totals?.get(column.name) : undefined;
    const { total: style } = (isOfColumn ? null : entry.stylesBy?.(column.format)) ?? entry.styles;
    return { value: formula ?? valueOf(cell, { ...entry, column }, options), style };
  });
}

/** A value; in a plain table, an integer that Excel would round is text. */
function valueOf(cell: Cell, { column }: SheetColumn, { totals, timezone, say }: RowOptions) {
  // Excel shows a truth value in its own language, and not in that of the report
  if (typeof cell === 'boolean' && totals !== null) return say(cell ? 'yes' : 'no');
  if (typeof cell === 'bigint' && totals === null) return String(cell);
  return sheetValue(cell, column.format, timezone);
}

/** Writes lines below the table. @param within the columns that they may take */
export function writeNotes(
  sheet: SheetWriter,
  lines: readonly string[],
  within: TableLayout | null,
): void {
  if (lines.length > 0) sheet.addRow([], { height: 8 });
  const { columns } = within ?? { columns: [] };
  for (const line of lines) {
    const value = cellText(line);
    if (columns.length < 2) {
      sheet.addRow([{ value, style: styles.note }]);
      continue;
    }
    const height = 3 + 12 * Math.ceil(terminalWidth(value) / (1.15 * tableWidth(columns)));
    const merge = [1, columns.length] as const;
    sheet.addRow([{ value, style: styles.wrappedNote }], { height, merge });
  }
}

export function emptyNotes(section: ReportSection, { say }: SheetContext): string[] {
  const { columns, rows } = section;
  const titles = new Map<string, Set<string>>();
  for (const [index, { title, isInHtml }] of columns.entries()) {
    for (const row of isInHtml ? rows : []) {
      if ((row[index] ?? null) !== null) continue;
      const reason = emptyReason(section, row, index, { say });
      if (reason !== null) titles.set(reason, (titles.get(reason) ?? new Set()).add(title));
    }
  }
  return [...titles].map(([reason, names]) =>
    say('Empty in {columns:text}: {reason:text}', { columns: [...names].join(', '), reason }),
  );
}

/** Writes the marks of a chart into hidden rows, since programs draw no values that no cell has. */
export function withMarks(sheet: SheetWriter, chart: NativeChart, name: string): NativeChart {
  const { marks } = chart;
  if (marks === undefined) return chart;
  const write = (values: readonly (number | null)[]): ChartCells => {
    const cells = values.map((value) => (value === null ? null : { value, style: styles.note }));
    sheet.addRow(cells, { isHidden: true });
    const ends = [1, values.length].map((column) => fixedCell(column, sheet.rows));
    return { formula: sheetPrefix(name) + ends.join(':'), values, format: 'General' };
  };
  const cells = { heights: write(marks.heights), days: marks.days && write(marks.days) };
  return { ...chart, marks: { ...marks, cells } };
}

function placeBelow(sheet: SheetWriter, chart: NativeChart): void {
  sheet.addRow([], { height: 8 });
  sheet.addRow([], { height: chartRowHeight(chart) });
  sheet.charts.push({ chart, anchor: { column: 1, row: sheet.rows, below: 4 } });
}
