import { terminalWidth } from '../../core/terminal-width.ts';
import type { ReportSection } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import type { InputNames } from './formula.ts';
import type { NativeChart } from './chart-cells.ts';
import type { NumberFormats } from './number-formats.ts';
import {
  besideTable,
  chartRowHeight,
  isChartBelow,
  pageOptions,
  pagesAcross,
  printedColumns,
} from './page.ts';
import type { SectionFormulas } from './section-formulas.ts';
import type { PlannedSection } from './sheet-plan.ts';
import type { SheetOptions, SheetWriter } from './sheet-writer.ts';
import { styles } from './styles.ts';
import { layoutTable, type TableLayout, tableWidth } from './table-layout.ts';
import { columnRange, headRow, sheetColumns, type TablePlace } from './table-place.ts';
import { setRanges, writeFigureRows, writeTableRows, type WrittenTable } from './table-rows.ts';
import type { WorkbookFile } from './workbook-file.ts';

/** What sheets of one report share. */
export interface SheetContext {
  readonly workbook: WorkbookFile;
  readonly timezone: string;
  readonly numberFormats: NumberFormats;
  readonly foot: { readonly left: string; readonly center: string };
}

/** What a section's sheet needs of the others. */
export interface SectionTools {
  readonly formulas: SectionFormulas;
  readonly chart: NativeChart | null;
  readonly input: InputNames | null;
}

/** A section: its finding, what is shown, and its table from row 4 on with total, notes and chart. */
export function writeSectionSheet(
  { section, place, isHidden }: PlannedSection,
  tools: SectionTools,
  context: SheetContext,
): void {
  const { chart, formulas } = tools;
  const isPosts = section.layout === 'posts';
  const columns = sheetColumns(section);
  const layout = layoutTable(section, { ...section, ...context, columns, isPosts });
  const isBelow = chart !== null && isChartBelow(layout, section.rows.length);
  const sheet = context.workbook.addSheet(place.sheet, {
    ...(place.isList ? listOptions(context) : sheetOptions(layout, headRow, context, isBelow)),
    state: isHidden ? 'hidden' : 'visible',
  });
  sheet.setWidths(place.isList ? listWidths : layout.columns.map((column) => column.width));
  writeHead(sheet, section, tools);
  const { total } = section;
  const options = { ...layout, ...context, total, formulas, linked: isPosts ? 'title' : null };
  const table = place.isList
    ? writeFigureRows(sheet, section, options)
    : writeTableRows(sheet, section, options);
  if (!place.isList) setRanges(sheet, table, layout);
  addBars(sheet, section, place);
  writeNotes(sheet, section, { table, layout, isBesideChart: chart !== null && !isBelow });
  if (chart && isBelow) placeBelow(sheet, chart);
  if (chart && !isBelow) sheet.setChart(chart, besideTable(layout));
  else if (!place.isList) {
    const texts = [titleText(section), subtitle(section)] as const;
    sheet.setPrintArea(printedColumns(layout, { texts, hasChart: isBelow }));
  }
}

function addBars(sheet: SheetWriter, { columns }: ReportSection, place: TablePlace): void {
  for (const { name, format } of columns) {
    const column = place.columns.get(name);
    if (format !== 'share' || place.isList || column === undefined) continue;
    sheet.addBars(columnRange(column, place.firstRow, place.lastRow));
  }
}

function placeBelow(sheet: SheetWriter, chart: NativeChart): void {
  sheet.addRow([], { height: 8 });
  sheet.addRow([], { height: chartRowHeight(chart) });
  sheet.setChart(chart, { column: 1, row: sheet.rows, below: 4 });
}

export function writeHead(
  sheet: SheetWriter,
  section: ReportSection,
  tools: Pick<SectionTools, 'input' | 'formulas'> | null,
): void {
  sheet.addRow([{ value: cellText(titleText(section)), style: styles.finding }], { height: 24 });
  sheet.addRow([{ value: cellText(subtitle(section)), style: styles.small }], { height: 15 });
  const input = tools?.formulas.followsInput === true ? tools.input : null;
  if (input === null) {
    sheet.addRow([], { height: 8 });
    return;
  }
  const changed = `"Figures at "&${input.current}&"; sentences are as reported."`;
  const formula = `IF(${input.isUntouched},"",${changed})`;
  sheet.addRow([{ value: { formula, result: '' }, style: styles.warning }], { height: 15 });
}

/** Of the names of figures, and of the figures. */
const listWidths = [40, 20];

function listOptions({ foot }: SheetContext): SheetOptions {
  return {
    ...pageOptions({ orientation: 'portrait', foot, headRow }),
    views: [{ state: 'frozen', ySplit: headRow, zoomScale: 100 }],
  };
}

/** Heads stay in sight, and so do the columns that say what a row is. */
export function sheetOptions(
  layout: TableLayout,
  head: number,
  { foot }: SheetContext,
  isOnePage = false,
): SheetOptions {
  const across = pagesAcross(layout);
  return {
    ...pageOptions({ orientation: 'landscape', foot, headRow: head, across, isOnePage }),
    views: [{ state: 'frozen', xSplit: layout.frozen, ySplit: head, zoomScale: 100 }],
  };
}

function titleText({ finding, description }: ReportSection): string {
  return finding ?? asTitle(description);
}

/** A title ends without a full stop. */
function asTitle(description: string): string {
  return description.replace(/\.$/u, '');
}

/** Row 1 says the description already where there is no finding. */
function subtitle({ finding, title, description, basis }: ReportSection): string {
  const first = finding === null ? title : description;
  return [first, basis].filter((text) => text !== null).join(' · ');
}

/** What empty cells mean, and what the section says about itself. */
function writeNotes(
  sheet: SheetWriter,
  section: ReportSection,
  {
    table,
    layout,
    isBesideChart,
  }: { table: WrittenTable; layout: TableLayout; isBesideChart: boolean },
): void {
  const reasons = new Map<string, string[]>();
  for (const index of [...table.withNulls].sort((a, b) => a - b)) {
    const column = section.columns[index];
    const reason = column?.nullNote ?? null;
    if (column?.isInHtml === true && reason !== null)
      reasons.set(reason, [...(reasons.get(reason) ?? []), column.title]);
  }
  const lines = [
    ...[...reasons].map(([reason, titles]) => `Empty in ${titles.join(', ')}: ${reason}`),
    ...(table.lastLinked === null
      ? []
      : [`A sheet holds no more links: addresses below row ${table.lastLinked} are text.`]),
    ...section.notes,
  ];
  if (lines.length > 0) sheet.addRow([], { height: 8 });
  // Beside a chart a long line would run below it.
  const width = isBesideChart ? tableWidth(layout.columns) : null;
  for (const line of lines)
    writeNote(sheet, cellText(line), { width, columns: layout.columns.length });
}

/** @param width in characters, of the columns that the note may take; null: it needs no limit */
function writeNote(
  sheet: SheetWriter,
  value: string,
  { width, columns }: { width: number | null; columns: number },
): void {
  if (width === null || columns < 2) {
    sheet.addRow([{ value, style: styles.note }]);
    return;
  }
  const lines = Math.ceil(terminalWidth(value) / (1.15 * width));
  sheet.addRow([{ value, style: styles.wrappedNote }], {
    height: 3 + 12 * lines,
    merge: [1, columns],
  });
}
