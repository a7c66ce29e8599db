import type ExcelJS from 'exceljs';
import type { SheetValue } from './cell-value.ts';
import type { ChartAnchor } from './chart-xml.ts';
import type { SheetFormula } from './formulas.ts';
import type { NativeChart } from './chart-cells.ts';
import type { CellStyle } from './styles.ts';
import { columnLetters } from './table-place.ts';

interface Link {
  readonly text: string;
  readonly hyperlink: string;
}

interface InnerLink {
  readonly text: string;
  /** For example `'By month'!A1`. */
  readonly location: string;
}

export interface RichText {
  readonly richText: readonly { readonly text: string; readonly font: Partial<ExcelJS.Font> }[];
}

export interface SheetCell {
  readonly value: SheetValue | Link | InnerLink | RichText | SheetFormula;
  readonly style: CellStyle;
}

export type SheetOptions = Partial<ExcelJS.AddWorksheetOptions>;

/** A rule that draws in cells. */
interface CellRule {
  /** @param priority among those of the sheet, from 1 @param id links it to its extension */
  readonly xml: (priority: number, id: string) => string;
  /** What only Excel reads; an empty text where there is nothing. */
  readonly extension: (id: string) => string;
}

/** What a sheet has that exceljs cannot write, or not row by row. */
export interface SheetExtras {
  readonly chart: { readonly chart: NativeChart; readonly anchor: ChartAnchor } | null;
  /** Cells for which Excel should not warn that numbers are stored as text or that neighbours differ in their formula. */
  readonly plainCells: string | null;
  readonly rules: readonly CellRule[];
  /** The cell that takes a number above 0 alone. */
  readonly positive: { readonly cell: string; readonly message: string } | null;
  /** Links to places within the workbook. */
  readonly links: readonly { readonly cell: string; readonly location: string }[];
}

/** Bars end before the figure, which is right-aligned. */
const barLength = 'minLength="0" maxLength="55"';
const x14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';

/** Solid bars from 0 to the largest value. */
function barRule(range: string): CellRule {
  return {
    xml: (priority, id) =>
      `<conditionalFormatting sqref="${range}"><cfRule type="dataBar" priority="${priority}"><dataBar ${barLength}><cfvo type="num" val="0"/><cfvo type="max"/><color rgb="FF1A76C4"/></dataBar><extLst><ext uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}" xmlns:x14="${x14}"><x14:id>${id}</x14:id></ext></extLst></cfRule></conditionalFormatting>`,
    extension: (id) =>
      `<x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:cfRule type="dataBar" id="${id}"><x14:dataBar ${barLength} gradient="0" axisPosition="none"><x14:cfvo type="num"><xm:f>0</xm:f></x14:cfvo><x14:cfvo type="max"/></x14:dataBar></x14:cfRule><xm:sqref>${range}</xm:sqref></x14:conditionalFormatting>`,
  };
}

/** Colours from the smallest value to the largest, so light that ink is legible on all of them. */
function scaleRule(cells: string): CellRule {
  return {
    xml: (priority) =>
      `<conditionalFormatting sqref="${cells}"><cfRule type="colorScale" priority="${priority}"><colorScale><cfvo type="min"/><cfvo type="max"/><color rgb="FFEEF4FA"/><color rgb="FF5E9ED0"/></colorScale></cfRule></conditionalFormatting>`,
    extension: () => '',
  };
}

/** Fills one sheet from the top down. */
export class SheetWriter {
  readonly #sheet: ExcelJS.Worksheet;
  #extras: SheetExtras = { chart: null, plainCells: null, rules: [], positive: null, links: [] };
  #rows = 0;

  constructor(sheet: ExcelJS.Worksheet) {
    this.#sheet = sheet;
  }

  get extras(): SheetExtras {
    return this.#extras;
  }

  /** How many rows are written. */
  get rows(): number {
    return this.#rows;
  }

  /** @param widths in characters */
  setWidths(widths: readonly number[]): void {
    widths.forEach((width, index) => {
      this.#sheet.getColumn(index + 1).width = width;
    });
  }

  /**
   * Writes the next row; null leaves a cell out.
   * @param options.height in points @param options.merge first and last column, from 1
   */
  addRow(
    cells: readonly (SheetCell | null)[],
    { height, merge }: { height?: number; merge?: readonly [number, number] } = {},
  ): void {
    this.#rows += 1;
    const row = this.#sheet.getRow(this.#rows);
    if (height !== undefined) row.height = height;
    cells.forEach((entry, index) => {
      if (entry !== null) this.#setCell(row.getCell(index + 1), entry);
    });
    if (merge) this.#sheet.mergeCells(this.#rows, merge[0], this.#rows, merge[1]);
    row.commit();
  }

  /** @param range for example `A4:C9` */
  setFilter(range: string): void {
    this.#sheet.autoFilter = range;
  }

  /** Prints the rows written so far up to this column, from 1. */
  setPrintArea(lastColumn: number): void {
    // exceljs sets `$` before each of the two addresses.
    this.#sheet.pageSetup.printArea = `A$1:${columnLetters(lastColumn)}$${this.#rows}`;
  }

  /** Solid bars from 0 to the largest value of the range. */
  addBars(range: string): void {
    this.#extend({ rules: [...this.#extras.rules, barRule(range)] });
  }

  /** Colours cells from their smallest value to the largest. @param cells addresses, with blanks between */
  addScale(cells: string): void {
    this.#extend({ rules: [...this.#extras.rules, scaleRule(cells)] });
  }

  setPlainCells(range: string): void {
    this.#extend({ plainCells: range });
  }

  setChart(chart: NativeChart, anchor: ChartAnchor): void {
    this.#extend({ chart: { chart, anchor } });
  }

  /** Lets only a number above 0 be typed into a cell. */
  setPositive(cell: string, message: string): void {
    this.#extend({ positive: { cell, message } });
  }

  #extend(extras: Partial<SheetExtras>): void {
    this.#extras = { ...this.#extras, ...extras };
  }

  #setCell(cell: ExcelJS.Cell, { value, style }: SheetCell): void {
    cell.style = style;
    if (value !== null && typeof value === 'object' && 'location' in value) {
      const link = { cell: cell.address, location: value.location };
      this.#extend({ links: [...this.#extras.links, link] });
      cell.value = escapeText(value.text);
      return;
    }
    cell.value = escapedValue(value) as ExcelJS.CellValue;
  }
}

function escapedValue(value: Exclude<SheetCell['value'], InnerLink>): SheetCell['value'] {
  if (typeof value === 'string') return escapeText(value);
  if (value === null || typeof value !== 'object') return value;
  if ('hyperlink' in value) return { ...value, text: escapeText(value.text) };
  if (!('richText' in value)) return value;
  return { richText: value.richText.map((run) => ({ ...run, text: escapeText(run.text) })) };
}

/** `_x0041_` is how a workbook writes the character of that number, so a text that has it is escaped. */
function escapeText(text: string): string {
  return text.replace(/_(?=x[\dA-Fa-f]{4}_)/gu, '_x005F_');
}
