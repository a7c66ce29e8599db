import { createFormatter } from '../../languages/number-format.ts';
import {
  chartTable,
  type ReportDocument,
  type ReportSection,
} from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { formatNamed } from '../chart-rows.ts';
import { readGrid } from '../drawn-grid.ts';
import { sheetFigure } from './cell-value.ts';
import { pageOptions } from './page.ts';
import { type SheetContext, sheetTexts, writeHead } from './section-sheet.ts';
import type { SheetPlan } from './sheet-plan.ts';
import type { SheetCell } from './sheet-writer.ts';
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
  const { chart } = section;
  const table = chartTable(section, { sections: sections.map((each) => each.section) });
  const address = sections.find((each) => each.section === table)?.address;
  if (chart?.kind !== 'heatmap' || address === undefined) return;
  const grid = readGrid(chart, table, createFormatter(document));
  const [rows, columns] = [grid?.rows ?? [], grid?.columns ?? []];
  const format = formatNamed(table, chart.value) ?? 'text';

  const options = pageOptions(context.foot, {
    orientation: 'landscape',
    head: headRow,
    frozen: 1,
    pages: [1, 1],
  });
  const sheet = context.workbook.addSheet(name, options);
  sheet.setWidths([nameWidth, ...columns.map(() => cellWidth)]);
  writeHead(sheet, ...sheetTexts(section));
  const head = columnStyles('count', null).head;
  const corner = { value: '', style: columnStyles('text', null).head };
  sheet.addRow([
    corner,
    ...columns.map((column) => ({ value: cellText(column.name), style: head })),
  ]);
  const look = columnStyles(format, context.numberFormats[format]).body;
  const faint = { ...look, font: styles.note.font };
  const coloured: string[] = [];
  const valueIndex = table.columns.findIndex((column) => column.name === chart.value);
  const valueColumn = address.columns.get(chart.value) ?? 1;
  for (const row of rows) {
    const cells = columns.map((column, position): SheetCell | null => {
      const cell = column.cells.find((each) => row.cells.includes(each));
      if (cell === undefined) return null;
      const { index, posts } = cell;
      const result = sheetFigure(table.rows[index]?.[valueIndex] ?? null, format);
      if (result === null) return null;
      const isEnough = posts >= chart.minimum;
      if (isEnough) coloured.push(`${columnLetters(position + 2)}${sheet.rows + 1}`);
      const formula = sheetPrefix(address.sheet) + fixedCell(valueColumn, address.firstRow + index);
      return { value: { formula, result }, style: isEnough ? look : faint };
    });
    sheet.addRow([{ value: cellText(row.name), style: styles.label }, ...cells], { height: 20 });
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
