import { createFormatter } from '../../languages/number-format.ts';
import {
  chartTable,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
} from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { formatNamed } from '../chart-rows.ts';
import { readGrid } from '../drawn-grid.ts';
import { sheetFigure } from './cell-value.ts';
import { pageOptions } from './page.ts';
import { type SheetContext, sheetTexts, writeHead } from './section-sheet.ts';
import type { SheetPlan } from './sheet-plan.ts';
import type { SheetCell, SheetWriter } from './sheet-writer.ts';
import { columnStyles, styles } from './styles.ts';
import { columnLetters, fixedCell, headRow, sheetPrefix } from './table-address.ts';

const nameWidth = 14;
const cellWidth = 8;

/** Writes the section of a heatmap as a grid of the rows that it draws, with a colour for values of enough posts. */
export function writeHeatGrid(
  name: string,
  section: ReportSection,
  { sections }: SheetPlan,
  document: ReportDocument,
  context: SheetContext,
): void {
  const table = chartTable(section, { sections: sections.map((each) => each.section) });
  const address = sections.find((each) => each.section === table)?.address;
  if (section.chart?.kind !== 'heatmap' || address === undefined) return;
  const { minimum, value } = section.chart;
  const grid = readSheetGrid(section, table, document);
  if (grid === null) return;
  const options = pageOptions(context.foot, {
    orientation: 'landscape',
    head: headRow,
    frozen: 1,
    pages: [1, 1],
  });
  const sheet = context.workbook.addSheet(name, options);
  sheet.setWidths([nameWidth, ...grid.columns.map(() => cellWidth)]);
  writeHead(sheet, ...sheetTexts(section));
  const column = address.columns.get(value) ?? 1;
  const prefix = sheetPrefix(address.sheet);
  writeGrid(sheet, grid, context, (index, result) => ({
    formula: prefix + fixedCell(column, address.firstRow + index),
    result,
  }));
  sheet.addRow([], { height: 8 });
  const few = context.say(
    'Grey without a colour: fewer than {n|# post|# posts}. The hidden sheet “{sheet:text}” has all figures.',
    { n: minimum, sheet: address.sheet },
  );
  for (const note of [few, ...section.notes]) {
    sheet.addRow([{ value: cellText(note), style: styles.note }]);
  }
}

export type SheetGrid = NonNullable<ReturnType<typeof readSheetGrid>>;

/** The grid of a section with a heatmap; null where it has no value. */
export function readSheetGrid(
  { chart }: ReportSection,
  table: ReportTable,
  document: ReportDocument,
) {
  if (chart?.kind !== 'heatmap') return null;
  const grid = readGrid(chart, table, createFormatter(document));
  const format = formatNamed(table, chart.value) ?? 'text';
  const at = table.columns.findIndex(({ name }) => name === chart.value);
  const figure = (index: number) => sheetFigure(table.rows[index]?.[at] ?? null, format);
  return grid && { ...grid, format, figure, minimum: chart.minimum };
}

/** Writes a grid below the rows of a sheet. @param valueOf the value of a cell, from its row in the table and its figure */
export function writeGrid(
  sheet: SheetWriter,
  { rows, columns, format, figure, minimum }: SheetGrid,
  context: Pick<SheetContext, 'numberFormats'>,
  valueOf: (index: number, result: number) => SheetCell['value'],
): void {
  const head = columnStyles('count', null).head;
  const corner = { value: '', style: columnStyles('text', null).head };
  sheet.addRow([
    corner,
    ...columns.map((column) => ({ value: cellText(column.name), style: head })),
  ]);
  const look = columnStyles(format, context.numberFormats[format]).body;
  const faint = { ...look, font: styles.note.font };
  const coloured: string[] = [];
  for (const row of rows) {
    const cells = columns.map((column, position): SheetCell | null => {
      const cell = column.cells.find((each) => row.cells.includes(each));
      if (cell === undefined) return null;
      const { index, posts } = cell;
      const result = figure(index);
      if (result === null) return null;
      const isEnough = posts >= minimum;
      if (isEnough) coloured.push(`${columnLetters(position + 2)}${sheet.rows + 1}`);
      return { value: valueOf(index, result), style: isEnough ? look : faint };
    });
    sheet.addRow([{ value: cellText(row.name), style: styles.label }, ...cells], { height: 20 });
  }
  if (coloured.length > 0) sheet.addScale(coloured.join(' '));
}
