import type { Paper } from '../../config/config.ts';
import { terminalWidth } from '../../core/terminal-width.ts';
import { cellText, shortenTo } from './cell-text.ts';
import { type ChartAnchor, chartHeight, chartWidth } from './chart-xml.ts';
import type { NativeChart } from './chart-cells.ts';
import type { SheetOptions } from './sheet-writer.ts';
import { type SheetColumn, type TableLayout, headHeight, tableWidth } from './table-layout.ts';
import { columnLetters, headRow, isForPrograms } from './table-address.ts';

/** What the pages of all sheets have: their foot, and their paper. */
export interface Foot {
  readonly paper: Paper;
  readonly left: string;
  readonly center: string;
  /** The text on the right, with Excel's codes. */
  readonly right: string;
}

/** The margins of a page in inches. */
const margins = {
  left: 13 / 25.4,
  right: 13 / 25.4,
  top: 14 / 25.4,
  bottom: 18 / 25.4,
  header: 8 / 25.4,
  footer: 8 / 25.4,
};

/** The numbers of papers in Excel. */
const paperSizes: Readonly<Record<Paper, number>> = { a4: 9, letter: 1 };

interface PageLayout {
  readonly orientation?: 'landscape' | 'portrait';
  /** The row of the heads, which stay visible and are printed on each page. */
  readonly head?: number;
  /** The number of columns that stay visible. */
  readonly frozen?: number;
  /** The most pages across and down; 0 for any number. */
  readonly pages?: readonly [across: number, down: number];
  readonly view?: object;
}

/** The options of a sheet, with the title and the page number in the foot. */
export function pageOptions(
  { left, center, right, paper }: Foot,
  { orientation = 'portrait', head, frozen = 0, pages: [across, down] = [1, 0], view }: PageLayout,
): SheetOptions {
  const keyColumns = `A:${columnLetters(Math.max(1, frozen))}`;
  return {
    pageSetup: {
      ...({ paperSize: paperSizes[paper] } as object),
      orientation,
      fitToPage: true,
      fitToWidth: across,
      fitToHeight: down,
      horizontalDpi: 600,
      verticalDpi: 600,
      margins,
      ...(head !== undefined && { printTitlesRow: `${head}:${head}` }),
      ...(across > 1 && { printTitlesColumn: keyColumns }),
    },
    headerFooter: {
      oddFooter: `&L${footText(left)}&C${footText(center)}&R${small}${right}`,
    },
    properties: { defaultRowHeight: 15, dyDescent: 0.25 },
    views: [
      {
        ...(head !== undefined && { state: 'frozen', xSplit: frozen, ySplit: head }),
        zoomScale: 100,
        ...view,
      },
    ],
  };
}

/** The options of a table, whose key columns stay visible, too. @param head the row of the heads */
export function tablePageOptions(
  layout: TableLayout,
  head: number,
  { foot, isOnePage = false }: { foot: Foot; isOnePage?: boolean },
): SheetOptions {
  return pageOptions(foot, {
    orientation: 'landscape',
    head,
    frozen: layout.frozen,
    pages: [pagesAcross(layout), isOnePage ? 1 : 0],
  });
}

/** Excel allows 255 characters in all, codes and doubled ampersands included. */
const maxFootText = 70;
/** The blank ends the font size, so that digits after it are not read as a part of it. */
const small = '&"Arial,Regular"&8 ';

function footText(text: string): string {
  return small + shortenTo(cellText(text).replace(/\s+/gu, ' '), maxFootText).replaceAll('&', '&&');
}

/** The width of a printed page in characters at full size. */
const charactersPerPage = 142;
/** The smallest scale of a printed table; smaller letters are illegible on paper. */
const minScale = 0.5;
/** The size of letters in the finding and in the line below it, relative to those in cells. */
const textScales = [1.5, 0.9] as const;
const usualWidth = 9;

/** The columns up to the last that people read; those after it are for formulas and programs. */
function shownColumns({ columns }: TableLayout): readonly SheetColumn[] {
  const isRead = ({ column }: SheetColumn) =>
    column.isInHtml &&
    column.format !== 'longtext' &&
    column.format !== 'url' &&
    !isForPrograms(column);
  return columns.slice(0, columns.findLastIndex(isRead) + 1);
}

/** The part of a sheet that is printed. */
export interface PrintedPart {
  /** The last printed column, from 1. */
  readonly last: number;
  /** The width in characters. */
  readonly width: number;
}

/**
 * Returns what is printed: at least the columns that the page shows, and as many as the line below the finding and the
 * chart below the table need. The finding wraps where further columns are not for people.
 * @param texts the finding, and the line below it
 */
export function printedPart(
  layout: TableLayout,
  { texts, hasChart }: { texts: readonly [string, string]; hasChart: boolean },
): PrintedPart {
  const [finding, line] = textScales.map((scale, at) => scale * terminalWidth(texts[at] ?? ''));
  let last = Math.max(1, shownColumns(layout).length);
  const wraps = last < layout.columns.length;
  const reach = Math.max(line ?? 0, wraps ? 0 : (finding ?? 0), hasChart ? chartCharacters : 0);
  const needed = Math.min(charactersPerPage, reach);
  let width = tableWidth(layout.columns.slice(0, last));
  while (width < needed) {
    width += layout.columns[last]?.width ?? usualWidth;
    last += 1;
  }
  return { last, width };
}

/** The lines of a title within the printed part of a sheet. */
export function titleLines(title: string, { width }: PrintedPart): number {
  return Math.ceil(
    (textScales[0] * terminalWidth(title)) / Math.min(charactersPerPage, Math.max(width, 1)),
  );
}

/** The number of pages across: one, or more when its letters would be illegible; each page repeats the key columns. */
function pagesAcross(layout: TableLayout): number {
  const printed = shownColumns(layout);
  const room = charactersPerPage / minScale;
  if (tableWidth(printed) <= room) return 1;
  const first = tableWidth(printed.slice(0, layout.frozen));
  return Math.ceil((tableWidth(printed) - first) / (room - first));
}

/** The width of a chart in characters, of which a centimetre has 5.3. */
const chartCharacters = chartWidth * 5.3;
/** The gap between table and chart: two columns of the default width. */
const gap = 18;
/** The most rows that fit on one page with a chart below them. */
const maxRowsAbove = 40;
/** The smallest scale at which a chart next to its table is still easy to read. */
const smallestScale = 0.66;

/** Tells whether a chart is below its table, which is too wide to have the chart on its right on one page. */
export function isChartBelow({ columns }: TableLayout, rows: number): boolean {
  const width = tableWidth(columns) + gap + chartCharacters;
  return width * smallestScale > charactersPerPage && rows <= maxRowsAbove;
}

/** The anchor of a chart: two columns right of the table, below the heads, which are printed on each page. */
export function besideTable({ columns }: TableLayout): ChartAnchor {
  return { column: columns.length + 3, row: headRow, below: headHeight(columns) };
}

/** The height of a row for a chart, so that no page break splits it; in points, of which Excel allows 409. */
export function chartRowHeight(chart: NativeChart): number {
  return Math.min(409, Math.ceil((chartHeight(chart) * 72) / 2.54) + 8);
}
