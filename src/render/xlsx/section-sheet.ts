import { terminalWidth } from '../../core/terminal-text.ts';
import type { ReportSection } from '../../report/report-document.ts';
import { columnLetters, columnRange } from './cell-address.ts';
import { cellText } from './cell-text.ts';
import { besideTable, chartRowHeight, isChartBelow } from './chart-place.ts';
import { layoutTable, type TableLayout, tableWidth } from './column-layout.ts';
import type { ConditionalFormat } from './conditional-formats.ts';
import type { InputNames } from './input-names.ts';
import type { NativeChart } from './native-chart.ts';
import type { NumberFormats } from './number-formats.ts';
import { pageOptions } from './page.ts';
import { pagesAcross, printedColumns } from './print-width.ts';
import type { SectionFormulas } from './section-formulas.ts';
import type { StreamingSheet } from './streaming-sheet.ts';
import type { StreamingWorkbook } from './streaming-workbook.ts';
import { styles } from './styles.ts';
import { headRow, type TablePlace } from './table-place.ts';
import { type WrittenTable, writeTableRows } from './table-rows.ts';

/** What sheets of one report share. */
export interface SheetContext {
  readonly workbook: StreamingWorkbook;
  readonly timezone: string;
  readonly numberFormats: NumberFormats;
  readonly foot: { readonly left: string; readonly center: string };
}

/** What a section's sheet needs of the others. */
export interface SectionPlan {
  readonly place: TablePlace;
  readonly formulas: SectionFormulas;
  readonly chart: NativeChart | null;
  readonly input: InputNames | null;
}

/** A section: its finding, what is shown, and its table from row 4 on with total, notes and chart. */
export async function writeSectionSheet(
  section: ReportSection,
  plan: SectionPlan,
  context: SheetContext,
): Promise<void> {
  const layout = layoutTable(section, { ...section, ...context });
  const sheet = context.workbook.addSheet(plan.place.sheet, sheetOptions(layout, headRow, context));
  sheet.setWidths(layout.columns.map((column) => column.width));
  writeHead(sheet, section, plan);
  const { total } = section;
  const linked = section.layout === 'posts' ? 'title' : null;
  const options = { ...layout, ...context, total, formulas: plan.formulas, linked };
  const table = await writeTableRows(sheet, section, options);
  setRanges(sheet, table, layout);
  sheet.setFormats(conditionalFormats(section, plan.place));
  const { chart } = plan;
  const isBelow = chart !== null && isChartBelow(layout, section.rows.length);
  writeNotes(sheet, section, { table, layout, isBesideChart: chart !== null && !isBelow });
  if (chart && isBelow) placeBelow(sheet, chart);
  if (chart && !isBelow) sheet.setChart(chart, besideTable(layout));
  else {
    const texts = [titleText(section), subtitle(section)] as const;
    sheet.setPrintArea(printedColumns(layout, { texts, hasChart: isBelow }));
  }
  sheet.close();
}

function placeBelow(sheet: StreamingSheet, chart: NativeChart): void {
  sheet.addRow([], { height: 8 });
  sheet.addRow([], { height: chartRowHeight(chart) });
  sheet.setChart(chart, { column: 1, row: sheet.rows, below: 4 });
}

function writeHead(sheet: StreamingSheet, section: ReportSection, plan: SectionPlan): void {
  sheet.addRow([{ value: cellText(titleText(section)), style: styles.finding }], { height: 24 });
  sheet.addRow([{ value: cellText(subtitle(section)), style: styles.small }], { height: 15 });
  const { input, formulas } = plan;
  if (input === null || !formulas.followsInput) {
    sheet.addRow([], { height: 8 });
    return;
  }
  const changed = `"Figures at "&${input.current}&"; sentences are as reported."`;
  const formula = `IF(${input.isUntouched},"",${changed})`;
  sheet.addRow([{ value: { formula, result: '' }, style: styles.warning }], { height: 15 });
}

/** Heads stay in sight, and so do the columns that say what a row is. */
export function sheetOptions(layout: TableLayout, head: number, { foot }: SheetContext) {
  return {
    ...pageOptions({ orientation: 'landscape', foot, headRow: head, across: pagesAcross(layout) }),
    views: [{ state: 'frozen' as const, xSplit: layout.frozen, ySplit: head, zoomScale: 100 }],
  };
}

/** The filter takes heads and rows, not the total: that stays below whatever is hidden. */
export function setRanges(sheet: StreamingSheet, table: WrittenTable, layout: TableLayout): void {
  if (layout.columns.length === 0) return;
  const last = columnLetters(layout.columns.length);
  sheet.setFilter(`A${table.head}:${last}${table.last}`);
  if (table.last > table.head) sheet.setPlainCells(`A${table.head + 1}:${last}${table.last + 1}`);
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

function conditionalFormats(section: ReportSection, place: TablePlace): ConditionalFormat[] {
  if (section.rows.length === 0) return [];
  const bars = section.columns.flatMap(({ name, format }): ConditionalFormat[] => {
    const column = place.columns.get(name);
    if (format !== 'share' || column === undefined) return [];
    return [{ kind: 'bars', range: columnRange(column, place.firstRow, place.lastRow) }];
  });
  return [...bars, ...heatFormats(section, place)];
}

/** Colours go to values that rest on enough rows. */
function heatFormats(
  { chart, columns, rows }: ReportSection,
  place: TablePlace,
): ConditionalFormat[] {
  if (chart?.kind !== 'heatmap') return [];
  const value = place.columns.get(chart.value);
  const n = place.columns.get(chart.n);
  if (value === undefined || n === undefined) return [];
  const cellsOf = (name: string) => {
    const index = columns.findIndex((column) => column.name === name);
    return rows.map((row) => row[index] ?? null);
  };
  const isEnough = cellsOf(chart.n).map((posts) => Number(posts ?? 0) >= chart.minimum);
  const values = cellsOf(chart.value)
    .filter((cell, index) => cell !== null && isEnough[index] === true)
    .map(Number);
  if (values.length === 0) return [];
  const { firstRow: first, lastRow: last } = place;
  return [
    {
      kind: 'scale',
      ranges: runsOf(isEnough).map(([from, to]) => columnRange(value, first + from, first + to)),
      limits: [Math.min(...values), Math.max(...values)],
      range: columnRange(value, first, last),
      exclude: `$${columnLetters(n)}${first}<${chart.minimum}`,
    },
  ];
}

/** First and last index of each run of true. */
function runsOf(flags: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  flags.forEach((flag, index) => {
    const run = runs.at(-1);
    if (!flag) return;
    if (run?.[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  });
  return runs;
}

/** What empty cells mean, and what the section says about itself. */
function writeNotes(
  sheet: StreamingSheet,
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
    if (column && reason !== null)
      reasons.set(reason, [...(reasons.get(reason) ?? []), column.title]);
  }
  const lines = [
    ...(section.rows.length === 0 && section.empty !== null ? [section.empty] : []),
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
  sheet: StreamingSheet,
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
