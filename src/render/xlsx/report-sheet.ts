import { createFormatter } from '../../languages/number-format.ts';
import { terminalWidth } from '../../core/terminal-width.ts';
import {
  chartTable,
  emptyWords,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import { createDocumentHead } from '../document-head.ts';
import { cellText } from './cell-text.ts';
import { readSheetGrid, writeGrid } from './heat-grid.ts';
import { nativeChart } from './native-charts.ts';
import { chartRowHeight, pageOptions } from './page.ts';
import {
  emptyNotes,
  listWidths,
  type SheetContext,
  sheetTexts,
  withMarks,
  writeHead,
  writeNotes,
  writeRows,
} from './section-sheet.ts';
import type { ReportSheet } from './sheet-plan.ts';
import type { SheetWriter } from './sheet-writer.ts';
import { styles } from './styles.ts';
import {
  locateTable,
  readColumns,
  sheetColumns,
  sheetPrefix,
  type TableAddress,
} from './table-address.ts';
import { layoutTable, type TableLayout } from './table-layout.ts';

/** Longer lists of posts, and longer data of charts, are only in the workbook that a report has for itself. */
const [maxPosts, maxData] = [12, 1000];
/** The widest column, which all tables of the sheet share. */
const maxWidth = 44;
/** The width in which the lede wraps, in characters. */
const ledeWidth = 110;

/** A section with the columns and rows that it has on the sheet. */
interface Block {
  readonly section: ReportSection;
  readonly columns: ReturnType<typeof sheetColumns>;
  readonly layout: TableLayout;
  /** The cells of its table; null until it is written. */
  address: TableAddress | null;
  /** The row that is left for its chart; null where it has none. */
  chartRow: number | null;
}

/** Writes a report on one sheet: its head with links, and its sections below each other, each with its chart. */
export function writeReportSheet(
  { sheet: name, document }: ReportSheet,
  context: SheetContext,
): void {
  const formatter = createFormatter(document);
  const { say } = formatter;
  const head = createDocumentHead(document, formatter);
  const shown = document.sections.filter(
    ({ layout, isLeftOut }) => layout !== 'data' && isLeftOut !== true,
  );
  const isLong = ({ layout, rows }: ReportSection) => layout === 'posts' && rows.length > maxPosts;
  const filled = shown.filter((section) => section.rows.length > 0 && !isLong(section));
  const drawn = dataDrawnBy(filled, document);
  const laidOut = [...filled, ...drawn].map((section): Block => {
    const columns = section.layout === 'data' ? sheetColumns(section) : readColumns(section);
    const layout = layoutTable(section, { ...section, ...context, columns });
    return { section, columns, layout, address: null, chartRow: null };
  });
  const widths = sharedWidths(laidOut);
  // heads wrap in the columns of the sheet, which are as wide as the widest table has them
  const blocks = laidOut.map((block): Block => {
    const columns = block.layout.columns.map((each, at) => ({
      ...each,
      width: widths[at] ?? each.width,
    }));
    return { ...block, layout: { ...block.layout, columns } };
  });
  const charts = { ...context, document, formatter };
  const chartOf = ({ section }: Block) => {
    const sections = blocks.map(({ section: other, columns, address }) => ({
      section: other,
      address: address ?? locateTable(other, name, { columns }),
    }));
    return nativeChart(section, { ...charts, sections });
  };

  const options = pageOptions(context.foot, { orientation: 'landscape' });
  const sheet = context.workbook.addSheet(name, options);
  sheet.setWidths(widths);
  writeHead(sheet, head.title, head.scope.join(' · '));
  const lede = head.lede.map(({ text }) => text).join('');
  const lines = Math.ceil(terminalWidth(lede) / ledeWidth);
  if (lede !== '')
    sheet.addRow([{ value: cellText(lede), style: styles.wrappedText }], {
      height: 6 + 13 * lines,
      merge: [1, mergedColumns(blocks)],
    });
  sheet.addRow([], { height: 8 });
  const starts = new Map<string, number>();
  const linked = [...shown.filter((section) => section.rows.length > 0), ...drawn];
  for (const section of linked) {
    const location = () => `${sheetPrefix(name)}A${starts.get(section.name) ?? 1}`;
    sheet.addRow([{ value: { text: cellText(section.title), location }, style: styles.link }]);
  }
  for (const { title, empty, rows } of shown)
    if (rows.length === 0) {
      const words = `${title}: ${empty ?? emptyWords(document, formatter)}`;
      sheet.addRow([{ value: cellText(words), style: styles.note }]);
    }

  for (const section of linked) {
    sheet.addRow([], { height: 20 });
    starts.set(section.name, sheet.rows + 1);
    writeHead(sheet, ...sheetTexts(section));
    const block = blocks.find((each) => each.section === section);
    if (block) writeBlock(sheet, name, block, chartOf(block), { document, context });
    else writeElsewhere(sheet, section, say);
  }
  for (const block of blocks) {
    const chart = block.chartRow === null ? null : chartOf(block);
    if (chart === null) continue;
    const anchor = { column: 1, row: block.chartRow ?? 1, below: 4 };
    sheet.charts.push({ chart: withMarks(sheet, chart, name), anchor });
  }
}

function writeBlock(
  sheet: SheetWriter,
  name: string,
  block: Block,
  chart: ReturnType<typeof nativeChart>,
  { document, context }: { readonly document: ReportDocument; readonly context: SheetContext },
): void {
  const { section, columns, layout } = block;
  const grid = readSheetGrid(section, chartTable(section, document), document);
  if (grid) {
    writeGrid(sheet, grid, context, (_, result) => result);
    writeNotes(sheet, section.notes, null);
    return;
  }
  if (chart !== null) {
    sheet.addRow([], { height: chartRowHeight(chart) });
    block.chartRow = sheet.rows;
  }
  const table = tableName(document, section, name);
  block.address = locateTable(section, name, { head: sheet.rows + 1, table, columns });
  writeRows(sheet, section, block.address, layout, context);
  const marks = chart?.marks?.lines ?? [];
  writeNotes(sheet, [...emptyNotes(section, context), ...marks, ...section.notes], null);
}

/** Says where a list is that is too long for this sheet. */
function writeElsewhere(
  sheet: SheetWriter,
  { rows, rowCount = rows.length }: ReportSection,
  say: SheetContext['say'],
): void {
  const line = say('{n|# row|# rows}: in the workbook of this report alone.', { n: rowCount });
  sheet.addRow([{ value: cellText(line), style: styles.note }]);
}

/** The rows of layout `data` that native charts of these sections draw. */
function dataDrawnBy(
  sections: readonly ReportSection[],
  document: ReportDocument,
): readonly ReportSection[] {
  const kinds = ['bars', 'lines', 'multiples', 'quartiles'];
  const names = sections.flatMap(({ chart }) =>
    chart && kinds.includes(chart.kind) ? (chart.rows ?? []) : [],
  );
  return document.sections.filter(
    ({ name, layout, rows }) =>
      layout === 'data' && names.includes(name) && rows.length > 0 && rows.length <= maxData,
  );
}

/** The widths of the columns that the tables share; a sentence runs over the empty cells on its right. */
function sharedWidths(blocks: readonly Block[]): number[] {
  const widths: number[] = [];
  for (const { section, layout } of blocks) {
    const isList = locateTable(section, '').isList;
    const own = isList ? listWidths : layout.columns.map(({ width }) => width);
    for (const [at, width] of own.entries())
      widths[at] = Math.max(widths[at] ?? 0, Math.min(width, maxWidth));
  }
  return widths;
}

/** Returns the number of columns that the lede runs over. */
function mergedColumns(blocks: readonly Block[]): number {
  let width = 0;
  const at = sharedWidths(blocks).findIndex((each) => (width += each) >= ledeWidth);
  return at < 0 ? 6 : at + 1;
}

/** The name of a table in the workbook, in which reports have sections of the same names. */
function tableName({ name }: ReportDocument, section: ReportSection, sheet: string): string {
  const number = / (\d+)$/u.exec(sheet)?.[1] ?? '';
  return `${name}${number}_${section.name}`.replaceAll(/[^\p{L}\p{N}_.]/gu, '_');
}
