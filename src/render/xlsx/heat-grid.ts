import { createFormatter } from '../../languages/number-format.ts';
import type { Cell, ReportDocument, ReportSection } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import { pageOptions } from './page.ts';
import { type SheetContext, sheetTexts, writeHead } from './section-sheet.ts';
import type { PlannedSection } from './sheet-plan.ts';
import type { SheetCell } from './sheet-writer.ts';
import { columnStyles, styles } from './styles.ts';
import { columnLetters, fixedCell, headRow, sheetPrefix } from './table-address.ts';

const nameWidth = 14;
const cellWidth = 8;

/** Writes the section of a heatmap as a grid, with a colour for values of enough posts. */
export function writeHeatGrid(
  name: string,
  { section, address }: PlannedSection,
  document: ReportDocument,
  context: SheetContext,
): void {
  const { chart } = section;
  if (chart?.kind !== 'heatmap') return;
  const [rows, columns, values, counts] = [chart.row, chart.column, chart.value, chart.n].map(
    (column) => cellsOf(section, column),
  ) as [Cell[], Cell[], Cell[], Cell[]];
  const [across, down] = [distinct(columns), distinct(rows)];
  const format = formatOf(section, chart.value);
  const numberFormat = context.numberFormats[format];
  const isEnough = (index: number) => Number(counts[index] ?? 0) >= chart.minimum;
  const label = labelsOf(section, document);

  const options = pageOptions(context.foot, {
    orientation: 'landscape',
    head: headRow,
    frozen: 1,
    pages: [1, 1],
  });
  const sheet = context.workbook.addSheet(name, options);
  sheet.setWidths([nameWidth, ...across.map(() => cellWidth)]);
  writeHead(sheet, ...sheetTexts(section));
  const head = columnStyles('count', null).head;
  const corner = { value: '', style: columnStyles('text', null).head };
  sheet.addRow([
    corner,
    ...across.map((cell) => ({ value: label(chart.column, cell), style: head })),
  ]);
  const look = columnStyles(format, numberFormat).body;
  const faint = { ...look, font: styles.note.font };
  const coloured: string[] = [];
  const valueColumn = address.columns.get(chart.value) ?? 1;
  for (const rowCell of down) {
    const cells = across.map((columnCell, position): SheetCell | null => {
      const index = rows.findIndex((cell, at) => cell === rowCell && columns[at] === columnCell);
      const value = sheetValue(values[index] ?? null, format, context.timezone);
      if (typeof value !== 'number') return null;
      if (isEnough(index)) coloured.push(`${columnLetters(position + 2)}${sheet.rows + 1}`);
      const formula = sheetPrefix(address.sheet) + fixedCell(valueColumn, address.firstRow + index);
      return { value: { formula, result: value }, style: isEnough(index) ? look : faint };
    });
    sheet.addRow([{ value: label(chart.row, rowCell), style: styles.label }, ...cells], {
      height: 20,
    });
  }
  if (coloured.length > 0) sheet.addScale(coloured.join(' '));
  sheet.addRow([], { height: 8 });
  const few = context.say(
    'Grey without a colour: fewer than {n|# post|# posts}. The hidden sheet “{sheet:text}” has all figures.',
    { n: chart.minimum, sheet: address.sheet },
  );
  for (const note of [few, ...section.notes]) {
    sheet.addRow([{ value: cellText(note), style: styles.note }]);
  }
}

function labelsOf(section: ReportSection, document: ReportDocument) {
  const formatter = createFormatter(document);
  return (column: string, cell: Cell): string =>
    cellText(formatter.format(cell, formatOf(section, column)));
}

function formatOf({ columns }: ReportSection, name: string) {
  return columns.find((column) => column.name === name)?.format ?? 'text';
}

function cellsOf({ columns, rows }: ReportSection, name: string): Cell[] {
  const index = columns.findIndex((column) => column.name === name);
  return rows.map((row) => row[index] ?? null);
}

function distinct(cells: readonly Cell[]): Cell[] {
  const known = [...new Set(cells)].filter((cell) => cell !== null);
  return known.sort((a, b) => Number(a) - Number(b));
}
