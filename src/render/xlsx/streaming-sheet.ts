import type ExcelJS from 'exceljs';
import { columnLetters } from './cell-address.ts';
import type { SheetValue } from './cell-value.ts';
import { conditionalFormatXml, type ConditionalFormat } from './conditional-formats.ts';
import type { ChartAnchor } from './drawing-xml.ts';
import type { SheetFormula } from './formula.ts';
import type { NativeChart } from './native-chart.ts';
import type { PartStream } from './part-stream.ts';
import type { RichText } from './string-table.ts';
import type { CellStyle } from './styles.ts';

/** `hyperlink` is an address, or `#'sheet'!A1` within the workbook. */
interface Link {
  readonly text: string;
  readonly hyperlink: string;
}

export interface SheetCell {
  readonly value: SheetValue | Link | RichText | SheetFormula;
  readonly style: CellStyle;
}

interface RelationLink {
  readonly address: string;
  readonly target: string;
}

/** What exceljs 4.4.0 keeps to itself and this class builds upon; the version is pinned. */
interface SheetInternals {
  readonly id: number;
  readonly stream: PartStream;
  readonly _sheetRelsWriter: {
    readonly _hyperlinks: RelationLink[];
    addHyperlink(link: RelationLink): void;
    /** @returns its id */
    addRelationship(relation: { Type: string; Target: string }): string;
  };
  _formulae: object;
  _write(xml: string): void;
  _writeHyperlinks(): void;
  _writeConditionalFormatting(): void;
  _writeSheetProtection(): void;
  _writeCloseWorksheet(): void;
}

/** What a sheet asks of its workbook. */
export interface SheetHost {
  /** Waits until there is room for more. */
  drained(part: PartStream): Promise<void>;
  /** Takes a chart in, and gives the number of its drawing. */
  addChart(chart: NativeChart, anchor: ChartAnchor): number;
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** One sheet of a streaming workbook: rows go out in order and cannot be touched again. */
export class StreamingSheet {
  readonly #sheet: ExcelJS.Worksheet;
  readonly #internals: SheetInternals;
  readonly #host: SheetHost;
  #formats: readonly ConditionalFormat[] = [];
  #plainCells: string | null = null;
  #chart: { readonly chart: NativeChart; readonly anchor: ChartAnchor } | null = null;
  #rows = 0;

  constructor(sheet: ExcelJS.Worksheet, host: SheetHost) {
    this.#sheet = sheet;
    this.#internals = sheet as unknown as SheetInternals;
    this.#host = host;
    this.#forgetFormulas();
    this.#orderParts();
    this.#linkWithin();
  }

  /** How many rows are written. */
  get rows(): number {
    return this.#rows;
  }

  /** @param widths in characters; to be set before the first row */
  setWidths(widths: readonly number[]): void {
    this.#sheet.columns = widths.map((width) => ({ width }));
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

  setFormats(formats: readonly ConditionalFormat[]): void {
    this.#formats = formats;
  }

  /** Cells of which Excel shall not remark that numbers stand as text or that neighbours differ in their formula. */
  setPlainCells(range: string): void {
    this.#plainCells = range;
  }

  setChart(chart: NativeChart, anchor: ChartAnchor): void {
    this.#chart = { chart, anchor };
  }

  /** Lets only a number above 0 be typed into a cell. */
  setPositive(address: string, message: string): void {
    const sheet = this.#sheet as unknown as {
      dataValidations: { add(address: string, validation: ExcelJS.DataValidation): void };
    };
    sheet.dataValidations.add(address, {
      type: 'decimal',
      operator: 'greaterThan',
      formulae: [0],
      allowBlank: true,
      showErrorMessage: true,
      errorTitle: 'A number above 0',
      error: message,
    });
  }

  /** Waits until there is room for more rows. */
  async drained(): Promise<void> {
    await this.#host.drained(this.#internals.stream);
  }

  close(): void {
    this.#sheet.commit();
  }

  /** exceljs keeps every formula, in case that another shares it. */
  #forgetFormulas(): void {
    this.#internals._formulae = new Proxy({}, { set: () => true });
  }

  /** The schema wants conditional formats, then links, then the page; drawing and extensions at the very end. */
  #orderParts(): void {
    const internals = this.#internals;
    const writeLinks = internals._writeHyperlinks.bind(internals);
    internals._writeHyperlinks = () => undefined;
    internals._writeConditionalFormatting = () => {
      internals._write(conditionalFormatXml(internals.id, this.#formats).formats);
    };
    internals._writeSheetProtection = writeLinks;
    internals._writeCloseWorksheet = () => {
      const { extension } = conditionalFormatXml(internals.id, this.#formats);
      internals._write(`${this.#ignoredErrors()}${this.#drawing()}${extension}</worksheet>`);
    };
  }

  #ignoredErrors(): string {
    if (this.#plainCells === null) return '';
    return `<ignoredErrors><ignoredError sqref="${this.#plainCells}" numberStoredAsText="1" formula="1" formulaRange="1"/></ignoredErrors>`;
  }

  #drawing(): string {
    if (this.#chart === null) return '';
    const { chart, anchor } = this.#chart;
    const number = this.#host.addChart(chart, anchor);
    const Target = `../drawings/drawing${number}.xml`;
    const id = this.#internals._sheetRelsWriter.addRelationship({
      Type: `${relations}/drawing`,
      Target,
    });
    return `<drawing r:id="${id}"/>`;
  }

  /** A place in the workbook needs no relationship to another file. */
  #linkWithin(): void {
    const relations = this.#internals._sheetRelsWriter;
    const addOutside = relations.addHyperlink.bind(relations);
    relations.addHyperlink = ({ address, target }) => {
      if (!target.startsWith('#')) addOutside({ address, target });
      else relations._hyperlinks.push({ address, target: target.slice(1) });
    };
  }
}

function setCell(cell: ExcelJS.Cell, { value, style }: SheetCell): void {
  cell.value = value as ExcelJS.CellValue;
  cell.style = style;
}
