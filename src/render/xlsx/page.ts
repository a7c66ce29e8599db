import { terminalWidth } from '../../core/terminal-width.ts';
import { cellText, shortenTo } from './cell-text.ts';
import { type ChartAnchor, chartHeight, chartWidth } from './chart-xml.ts';
import type { NativeChart } from './chart-cells.ts';
import type { SheetOptions } from './sheet-writer.ts';
import { type SheetColumn, type TableLayout, headHeight, tableWidth } from './table-layout.ts';
import { columnLetters, headRow, isId } from './table-place.ts';

/** What is printed at the foot of each page. */
export interface Foot {
  readonly left: string;
  readonly center: string;
  /** With Excel's codes. */
  readonly right: string;
}

/** In inches. */
const margins = {
  left: 13 / 25.4,
  right: 13 / 25.4,
  top: 14 / 25.4,
  bottom: 18 / 25.4,
  header: 8 / 25.4,
  footer: 8 / 25.4,
};

/** How a sheet prints: on A4 and one page wide, with what it is and the page in the foot. */
export function pageOptions(
  orientation: 'landscape' | 'portrait',
  { left, center, right }: Foot,
): SheetOptions & { pageSetup: object } {
  return {
    pageSetup: {
      ...({ paperSize: 9 } as object),
      orientation,
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      horizontalDpi: 600,
      verticalDpi: 600,
      margins,
    },
    headerFooter: {
      oddFooter: `&L${footText(left)}&C${footText(center)}&R${small}${right}`,
    },
    properties: { defaultRowHeight: 15, dyDescent: 0.25 },
  };
}

/** Of a list: its heads stay in sight, and are printed on each page. */
export function listPageOptions(foot: Foot): SheetOptions {
  const { pageSetup, ...options } = pageOptions('portrait', foot);
  return {
    ...options,
    pageSetup: { ...pageSetup, printTitlesRow: `${headRow}:${headRow}` },
    views: [{ state: 'frozen', ySplit: headRow, zoomScale: 100 }],
  };
}

/**
 * Of a table: heads and the columns that say what a row is stay in sight, and are printed on each page.
 * @param head the row of the heads
 */
export function tablePageOptions(
  layout: TableLayout,
  head: number,
  { foot, isOnePage = false }: { foot: Foot; isOnePage?: boolean },
): SheetOptions {
  const { pageSetup, ...options } = pageOptions('landscape', foot);
  const pages = pagesAcross(layout);
  const keyColumns = { printTitlesColumn: `A:${columnLetters(Math.max(1, layout.frozen))}` };
  return {
    ...options,
    pageSetup: {
      ...pageSetup,
      fitToWidth: pages,
      fitToHeight: isOnePage ? 1 : 0,
      printTitlesRow: `${head}:${head}`,
      ...(pages > 1 ? keyColumns : {}),
    },
    views: [{ state: 'frozen', xSplit: layout.frozen, ySplit: head, zoomScale: 100 }],
  };
}

/** Excel allows 255 characters in all, codes and doubled ampersands included. */
const maxFootText = 70;
/** The blank ends the size, so that figures that follow are not taken for it. */
const small = '&"Arial,Regular"&8 ';

function footText(text: string): string {
  return small + shortenTo(cellText(text).replace(/\s+/gu, ' '), maxFootText).replaceAll('&', '&&');
}

/** What a page of paper holds across at its full size. */
const charactersPerPage = 142;
/** Half the size: smaller letters are illegible on paper. */
const leastScale = 0.5;
/** Of a letter of the finding, and of the line below it, beside that of a cell. */
const textScales = [1.5, 0.9] as const;
/** Of a column that nothing is set for. */
const usualWidth = 9;

/** The columns up to the last that people read on paper: what comes after is for formulas and programs. */
function shownColumns({ columns }: TableLayout): readonly SheetColumn[] {
  const isRead = ({ column }: SheetColumn) =>
    column.isInHtml && column.format !== 'longtext' && column.format !== 'url' && !isId(column);
  return columns.slice(0, columns.findLastIndex(isRead) + 1);
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
  let last = Math.max(1, shownColumns(layout).length);
  let width = tableWidth(layout.columns.slice(0, last));
  while (width < needed) {
    width += layout.columns[last]?.width ?? usualWidth;
    last += 1;
  }
  return last;
}

/** One as a rule; where its letters would be illegible more, each with the columns that say what a row is. */
function pagesAcross(layout: TableLayout): number {
  const printed = shownColumns(layout);
  const room = charactersPerPage / leastScale;
  if (tableWidth(printed) <= room) return 1;
  const first = tableWidth(printed.slice(0, layout.frozen));
  return Math.ceil((tableWidth(printed) - first) / (room - first));
}

/** How wide a chart is, in characters of columns: 5.3 in a centimetre. */
const chartCharacters = chartWidth * 5.3;
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

/** The height of a row that holds the whole chart, so that no page parts it; in points. Excel knows none above 409. */
export function chartRowHeight(chart: NativeChart): number {
  return Math.min(409, Math.ceil((chartHeight(chart) * 72) / 2.54) + 8);
}
