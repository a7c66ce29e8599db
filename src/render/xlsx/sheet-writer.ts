import type ExcelJS from 'exceljs';
import { xmlText } from './cell-text.ts';
import type { SheetValue } from './cell-value.ts';
import type { ChartAnchor } from './chart-xml.ts';
import type { SheetFormula } from './formulas.ts';
import type { NativeChart } from './chart-cells.ts';
import type { CellStyle } from './styles.ts';
import { columnLetters } from './table-address.ts';

interface Link {
  readonly text: string;
  readonly hyperlink: string;
}

interface InnerLink {
  readonly text: string;
  /** For example `'By month'!A1`; a function where it is known only once the sheet is written. */
  readonly location: string | (() => string);
}

export interface RichText {
  readonly richText: readonly { readonly text: string; readonly font: Partial<ExcelJS.Font> }[];
}

export interface SheetCell {
  readonly value: SheetValue | Link | InnerLink | RichText | SheetFormula;
  readonly style: CellStyle;
  /** The name by which formulas find it. */
  readonly name?: string;
}

/** Rows below a line of heads, as Excel names them. */
export interface SheetTable {
  /** The name in the workbook, by which formulas and Power Query find it. */
  readonly name: string;
  /** The heads, which are unique and the texts of the first line. */
  readonly heads: readonly string[];
  /** Heads and rows, for example `A4:C9`. */
  readonly range: string;
  readonly hasFilter: boolean;
}

export interface PlacedChart {
  readonly chart: NativeChart;
  readonly anchor: ChartAnchor;
}

/** The colours of bars in cells, and of the ends of a scale, as AARRGGBB. */
export interface SheetTones {
  readonly bar: string;
  readonly low: string;
  readonly high: string;
}

export type SheetOptions = Partial<ExcelJS.AddWorksheetOptions>;

/** Bars end before the figure, which is right-aligned. */
const barLength = 'minLength="0" maxLength="55"';
const x14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const xm = 'http://schemas.microsoft.com/office/excel/2006/main';

/** Fills one sheet from the top down, and says what exceljs cannot write, or not row by row. */
export class SheetWriter {
  readonly charts: PlacedChart[] = [];
  readonly tables: SheetTable[] = [];
  readonly #sheet: ExcelJS.Worksheet;
  readonly #number: number;
  readonly #tones: SheetTones;
  #rows = 0;
  /** The conditional formats, and their extensions for Excel. */
  readonly #rules: string[] = [];
  readonly #extensions: string[] = [];
  readonly #links: { readonly cell: string; readonly location: InnerLink['location'] }[] = [];
  #validation = '';
  readonly #plainCells: string[] = [];

  constructor(sheet: ExcelJS.Worksheet, number: number, tones: SheetTones) {
    this.#tones = tones;
    this.#sheet = sheet;
    this.#number = number;
  }

  get rows(): number {
    return this.#rows;
  }

  /** @param widths the widths of the columns, in characters */
  setWidths(widths: readonly number[]): void {
    widths.forEach((width, index) => {
      this.#sheet.getColumn(index + 1).width = width;
    });
  }

  /**
   * Writes the next row; null leaves a cell out.
   * @param options.height in points
   * @param options.merge the first and the last column, from 1
   */
  addRow(
    cells: readonly (SheetCell | null)[],
    {
      height,
      merge,
      isHidden = false,
    }: { height?: number; merge?: readonly [number, number]; isHidden?: boolean } = {},
  ): void {
    this.#rows += 1;
    const row = this.#sheet.getRow(this.#rows);
    if (height !== undefined) row.height = height;
    if (isHidden) row.hidden = true;
    cells.forEach((entry, index) => {
      if (entry !== null) this.#setCell(row.getCell(index + 1), entry);
    });
    if (merge) this.#sheet.mergeCells(this.#rows, merge[0], this.#rows, merge[1]);
    row.commit();
  }

  /** Prints the rows written so far up to this column, from 1. */
  setPrintArea(lastColumn: number): void {
    // exceljs sets `$` before each of the two addresses.
    this.#sheet.pageSetup.printArea = `A$1:${columnLetters(lastColumn)}$${this.#rows}`;
  }

  /** Solid bars from 0 to the largest value of the range. */
  addBars(range: string): void {
    const id = `{${hex(this.#number, 8)}-0000-4000-8000-${hex(this.#rules.length, 12)}}`;
    const linked = `<extLst><ext uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}" xmlns:x14="${x14}"><x14:id>${id}</x14:id></ext></extLst>`;
    const bar = `<dataBar ${barLength}><cfvo type="num" val="0"/><cfvo type="max"/><color rgb="${this.#tones.bar}"/></dataBar>`;
    this.#addRule('dataBar', range, bar + linked);
    const solid = `<x14:dataBar ${barLength} gradient="0" axisPosition="none"><x14:cfvo type="num"><xm:f>0</xm:f></x14:cfvo><x14:cfvo type="max"/></x14:dataBar>`;
    this.#extensions.push(
      `<x14:conditionalFormatting xmlns:xm="${xm}"><x14:cfRule type="dataBar" id="${id}">${solid}</x14:cfRule><xm:sqref>${range}</xm:sqref></x14:conditionalFormatting>`,
    );
  }

  /**
   * Colours cells from their smallest value to the largest, light enough that text stays legible.
   * @param cells addresses, separated by blanks
   */
  addScale(cells: string): void {
    const { low, high } = this.#tones;
    const colors = `<color rgb="${low}"/><color rgb="${high}"/>`;
    const scale = `<colorScale><cfvo type="min"/><cfvo type="max"/>${colors}</colorScale>`;
    this.#addRule('colorScale', cells, scale);
  }

  #addRule(type: string, cells: string, content: string): void {
    const rule = `<cfRule type="${type}" priority="${this.#rules.length + 1}">${content}</cfRule>`;
    this.#rules.push(`<conditionalFormatting sqref="${cells}">${rule}</conditionalFormatting>`);
  }

  /** Turns off Excel's warnings about numbers stored as text and inconsistent formulas. */
  setPlainCells(range: string): void {
    this.#plainCells.push(range);
  }

  /** Lets only numbers above 0 be typed into cells; the message says so. */
  setPositive(cells: string, message: string): void {
    this.#validation = `<dataValidations count="1"><dataValidation type="decimal" operator="greaterThan" allowBlank="1" showErrorMessage="1" errorTitle="A number above 0" error="${xmlText(message)}" sqref="${cells}"><formula1>0</formula1></dataValidation></dataValidations>`;
  }

  /** The elements after the rows, including those that exceljs does not write, in the order of the schema. */
  completed(tail: string): string {
    const links = this.#links.map(({ cell, location }) => {
      const target = typeof location === 'string' ? location : location();
      return `<hyperlink ref="${cell}" location="${xmlText(target)}"/>`;
    });
    const hyperlinks = wrapped('<hyperlinks>', links, '</hyperlinks>');
    const beforeLinks = this.#rules.join('') + this.#validation + hyperlinks;
    const extension = wrapped(
      `<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="${x14}"><x14:conditionalFormattings>`,
      this.#extensions,
      '</x14:conditionalFormattings></ext></extLst>',
    );
    const plain = this.#plainCells.join(' ');
    const ignored =
      plain &&
      `<ignoredErrors><ignoredError sqref="${plain}" numberStoredAsText="1" formula="1" formulaRange="1"/></ignoredErrors>`;
    const drawing = this.charts.length === 0 ? '' : '<drawing r:id="drawing"/>';
    const tables = wrapped(
      `<tableParts count="${this.tables.length}">`,
      this.tables.map((_, index) => `<tablePart r:id="table${index + 1}"/>`),
      '</tableParts>',
    );
    return tail
      .replace(/(?=<hyperlinks>|<pageMargins )/u, () => beforeLinks)
      .replace('</worksheet>', () => `${ignored}${drawing}${tables}${extension}</worksheet>`);
  }

  #setCell(cell: ExcelJS.Cell, { value, style, name }: SheetCell): void {
    cell.style = style;
    if (name !== undefined) cell.name = name;
    if (value !== null && typeof value === 'object' && 'location' in value) {
      this.#links.push({ cell: cell.address, location: value.location });
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
  const richText = value.richText.map((run) => ({ ...run, text: escapeText(run.text) }));
  // the writer knows a text by its string, which is the same for all objects
  return { richText, toString: () => JSON.stringify(richText) };
}

/** `_x0041_` is how a workbook writes the character of that number, so a text that has it is escaped. */
export function escapeText(text: string): string {
  return text.replace(/_(?=x[\dA-Fa-f]{4}_)/gu, '_x005F_');
}

function wrapped(before: string, elements: readonly string[], after: string): string {
  return elements.length === 0 ? '' : before + elements.join('') + after;
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0').toUpperCase();
}
