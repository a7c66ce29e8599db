import type ExcelJS from 'exceljs';
import { terminalWidth } from '../../core/terminal-width.ts';
import { cellText, shortenTo } from './cell-text.ts';
import { type ChartAnchor, chartHeight, chartWidth } from './chart-xml.ts';
import type { NativeChart } from './chart-cells.ts';
import { type SheetColumn, type TableLayout, headHeight, tableWidth } from './table-layout.ts';
import { columnLetters, headRow, isId } from './table-place.ts';
import type { SheetOptions } from './sheet-writer.ts';

const inch = 25.4;
/** A4, in the numbers of Office. */
const paper: object = { paperSize: 9 };
/** Excel allows 255 characters in all, codes and doubled ampersands included. */
const maxFootText = 70;
/** What a page of paper holds across at its full size. */
const charactersPerPage = 142;

/** How a sheet prints: as wide as its pages, heads repeated, what it is and the page in the foot. */
export function pageOptions(options: {
  readonly orientation: 'landscape' | 'portrait';
  readonly foot: { readonly left: string; readonly center: string };
  /** Row that is repeated on each page, from 1. */
  readonly headRow?: number;
  /** Pages side by side, 1 unless given; each begins with the columns up to `keyColumns`. */
  readonly isOnePage?: boolean;
  readonly across?: { readonly pages: number; readonly keyColumns: string };
}): SheetOptions {
  const { left, center } = options.foot;
  const { pages, keyColumns } = options.across ?? { pages: 1, keyColumns: null };
  const setup: Partial<ExcelJS.PageSetup> = {
    ...paper,
    orientation: options.orientation,
    fitToPage: true,
    fitToWidth: pages,
    fitToHeight: options.isOnePage === true ? 1 : 0,
    horizontalDpi: 600,
    verticalDpi: 600,
    margins: margins(13),
  };
  if (options.headRow !== undefined) setup.printTitlesRow = `${options.headRow}:${options.headRow}`;
  if (pages > 1 && keyColumns !== null) setup.printTitlesColumn = `A:${keyColumns}`;
  return {
    pageSetup: setup,
    headerFooter: {
      oddFooter: `&L${footText(left)}&C${footText(center)}&R${small}Page &P of &N`,
    },
    properties: { defaultRowHeight: 15, dyDescent: 0.25 },
  };
}

/** The blank ends the size, so that figures that follow are not taken for it. */
const small = '&"Arial,Regular"&8 ';

function footText(text: string): string {
  return small + shortenTo(cellText(text).replace(/\s+/gu, ' '), maxFootText).replaceAll('&', '&&');
}

function margins(sideMm: number) {
  const side = sideMm / inch;
  return {
    left: side,
    right: side,
    top: 14 / inch,
    bottom: 18 / inch,
    header: 8 / inch,
    footer: 8 / inch,
  };
}

/** Half the size: smaller letters are illegible on paper. */
const leastScale = 0.5;
/** Of a letter of the finding, and of the line below it, beside that of a cell. */
const textScales = [1.5, 0.9] as const;
/** Of a column that nothing is set for. */
const usualWidth = 9;

/** The columns up to the last that people read on paper: what comes after is for formulas and programs. */
function shownColumns({ columns }: TableLayout): number {
  const isRead = ({ column }: SheetColumn) =>
    column.isInHtml && column.format !== 'longtext' && column.format !== 'url' && !isId(column);
  return columns.findLastIndex(isRead) + 1;
}

/**
 * The last column that is printed, from 1: of what the page shows too, and as far as the texts above the table and
 * the chart below it reach.
 * @param texts the finding, and the line below it
 */
export function printedColumns(
  layout: TableLayout,
  { texts, hasChart }: { texts: readonly [string, string]; hasChart: boolean },
): number {
  const lengths = textScales.map((scale, line) => scale * terminalWidth(texts[line] ?? ''));
  const reach = Math.max(...lengths, hasChart ? chartCharacters : 0);
  const needed = Math.min(charactersPerPage, reach);
  let last = Math.max(1, shownColumns(layout));
  let width = tableWidth(layout.columns.slice(0, last));
  while (width < needed) {
    width += layout.columns[last]?.width ?? usualWidth;
    last += 1;
  }
  return last;
}

/**
 * A page across as a rule; where its letters would be illegible more of them, each with the columns that say what a
 * row is.
 */
export function pagesAcross(layout: TableLayout): { pages: number; keyColumns: string } {
  const { columns, frozen } = layout;
  const printed = columns.slice(0, shownColumns(layout));
  const room = charactersPerPage / leastScale;
  const keyColumns = columnLetters(Math.max(1, frozen));
  if (tableWidth(printed) <= room) return { pages: 1, keyColumns };
  const first = tableWidth(printed.slice(0, frozen));
  return { pages: Math.ceil((tableWidth(printed) - first) / (room - first)), keyColumns };
}

/** How wide a chart is, in characters of columns: 5.3 in a centimetre. */
const chartCharacters = chartWidth * 5.3;
const pointsPerCm = 72 / 2.54;
/** Two columns of the usual width. */
const gap = 18;
/** So many rows and a chart below them still fit on one page. */
const maxRowsAbove = 40;
/** Smaller than that, letters are hard to read. */
const smallestScale = 0.66;

/** The place of a section's chart: right of a narrow table, below a wide one, since a page is as wide as both. */
export function isChartBelow({ columns }: TableLayout, rows: number): boolean {
  const width = tableWidth(columns) + gap + chartCharacters;
  return width * smallestScale > charactersPerPage && rows <= maxRowsAbove;
}

/** Two columns right of the table, below the heads: these are printed again on each page. */
export function besideTable({ columns }: TableLayout): ChartAnchor {
  return { column: columns.length + 3, row: headRow, below: headHeight(columns) };
}

/** The height of a row that holds the whole chart, so that no page parts it; in points. */
export function chartRowHeight(chart: NativeChart): number {
  // Excel knows no higher row.
  return Math.min(409, Math.ceil(chartHeight(chart) * pointsPerCm) + 8);
}
