import type ExcelJS from 'exceljs';
import type { SheetOptions } from './streaming-workbook.ts';
import { cellText, shortenTo } from './cell-text.ts';

const inch = 25.4;
/** A4, in the numbers of Office. */
const paper: object = { paperSize: 9 };
/** Excel allows 255 characters in all, codes and doubled ampersands included. */
const maxFootText = 70;
/** What a page of paper holds across at its full size. */
export const charactersPerPage = 142;

/** How a sheet prints: as wide as its pages, heads repeated, what it is and the page in the foot. */
export function pageOptions(options: {
  readonly orientation: 'landscape' | 'portrait';
  readonly foot: { readonly left: string; readonly center: string };
  /** Row that is repeated on each page, from 1. */
  readonly headRow?: number;
  /** Pages side by side, 1 unless given; each begins with the columns up to `keyColumns`. */
  readonly across?: { readonly pages: number; readonly keyColumns: string };
}): SheetOptions {
  const { left, center } = options.foot;
  const { pages, keyColumns } = options.across ?? { pages: 1, keyColumns: null };
  const setup: Partial<ExcelJS.PageSetup> = {
    ...paper,
    orientation: options.orientation,
    fitToPage: true,
    fitToWidth: pages,
    fitToHeight: 0,
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
