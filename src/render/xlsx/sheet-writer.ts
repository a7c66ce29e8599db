import type ExcelJS from 'exceljs';
import type { SheetValue } from './cell-value.ts';
import type { ChartAnchor } from './drawing-xml.ts';
import type { SheetFormula } from './formula.ts';
import type { NativeChart } from './chart-cells.ts';
import type { CellStyle } from './styles.ts';
import { columnLetters } from './table-place.ts';

/** `hyperlink` is an address, or `'sheet'!A1` within the workbook. */
interface Link {
  readonly text: string;
  readonly hyperlink: string;
}

export interface RichText {
  readonly richText: readonly { readonly text: string; readonly font: Partial<ExcelJS.Font> }[];
}

export interface SheetCell {
  readonly value: SheetValue | Link | RichText | SheetFormula;
  readonly style: CellStyle;
}

export type SheetOptions = Partial<ExcelJS.AddWorksheetOptions>;

/** What a sheet has that exceljs cannot write. */
export interface SheetExtras {
  readonly chart: { readonly chart: NativeChart; readonly anchor: ChartAnchor } | null;
  /** Cells of which Excel shall not remark that numbers stand as text or that neighbours differ in their formula. */
  readonly plainCells: string | null;
}

const barColor = { argb: 'FF1A76C4' };
/** So light that ink is legible on all of it. */
const scaleColors = [{ argb: 'FFEEF4FA' }, { argb: 'FF5E9ED0' }];
/** Bars end before the figure, which stands right. */
export const maxBarLength = 55;

/** Fills one sheet from the top down. */
export class SheetWriter {
  readonly #sheet: ExcelJS.Worksheet;
  #chart: SheetExtras['chart'] = null;
  #plainCells: string | null = null;
  #rows = 0;
  #bars = 0;

  constructor(sheet: ExcelJS.Worksheet) {
    this.#sheet = sheet;
  }

  get extras(): SheetExtras {
    return { chart: this.#chart, plainCells: this.#plainCells };
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
      if (entry !== null) setCell(row.getCell(index + 1), entry);
    });
    if (merge) this.#sheet.mergeCells(this.#rows, merge[0], this.#rows, merge[1]);
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
    const rule = {
      type: 'dataBar',
      priority: (this.#bars += 1),
      cfvo: [{ type: 'num', value: 0 }, { type: 'max' }],
      color: barColor,
      gradient: false,
      minLength: 0,
      maxLength: maxBarLength,
      axisPosition: 'none',
    };
    this.#sheet.addConditionalFormatting({ ref: range, rules: [rule as ExcelJS.DataBarRuleType] });
  }

  /** Colours cells from their smallest value to the largest. @param cells addresses, with blanks between */
  addScale(cells: string): void {
    const cfvo: ExcelJS.Cvfo[] = [{ type: 'min' }, { type: 'max' }];
    this.#sheet.addConditionalFormatting({
      ref: cells,
      rules: [{ type: 'colorScale', priority: 1, cfvo, color: scaleColors }],
    });
  }

  setPlainCells(range: string): void {
    this.#plainCells = range;
  }

  setChart(chart: NativeChart, anchor: ChartAnchor): void {
    this.#chart = { chart, anchor };
  }

  /** Lets only a number above 0 be typed into a cell. */
  setPositive(address: string, message: string): void {
    this.#sheet.getCell(address).dataValidation = {
      type: 'decimal',
      operator: 'greaterThan',
      formulae: [0],
      allowBlank: true,
      showErrorMessage: true,
      errorTitle: 'A number above 0',
      error: message,
    };
  }
}

function setCell(cell: ExcelJS.Cell, { value, style }: SheetCell): void {
  cell.value = escapedValue(value) as ExcelJS.CellValue;
  cell.style = style;
}

function escapedValue(value: SheetCell['value']): SheetCell['value'] {
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
