import type { Cell, ReportSection } from '../../report/report-document.ts';
import { columnLetters, columnRange } from './cell-address.ts';
import { cellText } from './cell-text.ts';
import { layoutTable, type TableLayout } from './column-layout.ts';
import { type ConditionalFormat, darkFrom } from './conditional-formats.ts';
import type { NumberFormats } from './number-formats.ts';
import { pageOptions } from './page.ts';
import type { StreamingSheet } from './streaming-sheet.ts';
import type { StreamingWorkbook } from './streaming-workbook.ts';
import { styles } from './styles.ts';
import { type WrittenTable, writeTableRows } from './table-rows.ts';

/** What sheets of one report share. */
export interface SheetContext {
  readonly workbook: StreamingWorkbook;
  readonly timezone: string;
  readonly numberFormats: NumberFormats;
  readonly foot: { readonly left: string; readonly center: string };
}

const headRow = 4;

/** A section: its finding, what is shown, and its table from row 4 on with total and notes. */
export async function writeSectionSheet(
  section: ReportSection,
  name: string,
  context: SheetContext,
): Promise<void> {
  const layout = layoutTable(section, { ...section, ...context });
  const sheet = context.workbook.addSheet(name, sheetOptions(layout, headRow, context));
  sheet.setWidths(layout.columns.map((column) => column.width));
  sheet.addRow([titleCell(section)], { height: 24 });
  sheet.addRow([{ value: cellText(subtitle(section)), style: styles.small }], { height: 15 });
  sheet.addRow([], { height: 8 });
  const { total } = section;
  const table = await writeTableRows(sheet, section, { ...layout, ...context, total });
  setRanges(sheet, table, layout);
  sheet.setFormats(conditionalFormats(section, table));
  writeNotes(sheet, section, table);
  sheet.close();
}

/** Heads stay in sight, and so do the columns that say what a row is. */
export function sheetOptions(layout: TableLayout, head: number, { foot }: SheetContext) {
  return {
    ...pageOptions({ orientation: 'landscape', foot, headRow: head }),
    views: [{ state: 'frozen' as const, xSplit: layout.frozen, ySplit: head, zoomScale: 100 }],
  };
}

/** The filter takes heads and rows, not the total: that stays below whatever is hidden. */
export function setRanges(sheet: StreamingSheet, table: WrittenTable, layout: TableLayout): void {
  if (layout.columns.length === 0) return;
  sheet.setFilter(`A${table.head}:${columnLetters(layout.columns.length)}${table.last}`);
}

function titleCell({ finding, description }: ReportSection) {
  return { value: cellText(finding ?? description), style: styles.finding };
}

/** Row 1 says the description already where there is no finding. */
function subtitle({ finding, title, description, basis }: ReportSection): string {
  const first = finding === null ? title : description;
  return [first, basis].filter((text) => text !== null).join(' · ');
}

function conditionalFormats(section: ReportSection, table: WrittenTable): ConditionalFormat[] {
  if (table.last === table.head) return [];
  const first = table.head + 1;
  const bars = section.columns.flatMap(({ format }, index): ConditionalFormat[] =>
    format === 'share' ? [{ kind: 'bars', range: columnRange(index + 1, first, table.last) }] : [],
  );
  return [...bars, ...heatFormats(section, first, table.last)];
}

/** Colours go to values that rest on enough rows. */
function heatFormats(section: ReportSection, first: number, last: number): ConditionalFormat[] {
  const { chart, columns, rows } = section;
  if (chart?.kind !== 'heatmap') return [];
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
  const value = indexOf(chart.value);
  const n = indexOf(chart.n);
  if (value === -1 || n === -1) return [];
  const isEnough = (row: readonly Cell[]) => Number(row[n] ?? 0) >= chart.minimum;
  const values = rows
    .filter(isEnough)
    .flatMap((row) => (row[value] === null ? [] : Number(row[value])));
  if (values.length === 0) return [];
  const least = Math.min(...values);
  const dark = least + darkFrom * (Math.max(...values) - least);
  return [
    {
      kind: 'scale',
      ranges: runsOf(rows.map(isEnough)).map(([from, to]) =>
        columnRange(value + 1, first + from, first + to),
      ),
      range: columnRange(value + 1, first, last),
      exclude: `$${columnLetters(n + 1)}${first}<${chart.minimum}`,
      isDark: `$${columnLetters(value + 1)}${first}>${dark}`,
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
function writeNotes(sheet: StreamingSheet, section: ReportSection, table: WrittenTable): void {
  const reasons = new Map<string, string[]>();
  for (const index of [...table.withNulls].sort((a, b) => a - b)) {
    const column = section.columns[index];
    const reason = column?.nullNote ?? null;
    if (column && reason !== null)
      reasons.set(reason, [...(reasons.get(reason) ?? []), column.title]);
  }
  const lines = [
    ...[...reasons].map(([reason, titles]) => `Empty in ${titles.join(', ')}: ${reason}`),
    ...section.notes,
  ];
  if (lines.length > 0) sheet.addRow([], { height: 8 });
  for (const line of lines) sheet.addRow([{ value: cellText(line), style: styles.note }]);
}
