import type {
  Calculation,
  Cell,
  ColumnFormat,
  ReportColumn,
  ReportInput,
  ReportSection,
} from '../../report/report-document.ts';
import { sheetFigure } from './cell-value.ts';
import { type FigureCells, type TablePlace, cellAddress, fixedAddress } from './table-place.ts';

/** A cell that is computed again, with the figure that the report gives. */
export interface SheetFormula {
  /** Without the equals sign, at most `maxFormulaLength` characters. */
  readonly formula: string;
  /** What readers that compute nothing show; an empty text where nothing is to be seen. */
  readonly result: number | string;
}

/** Excel refuses a workbook with a longer one. */
export const maxFormulaLength = 8_192;

/** As formulas write numbers: a dot, and an upper-case exponent. */
export function numberText(value: number): string {
  return String(value).toUpperCase();
}

/** Whether a formula's figure is the report's: sums of doubles differ in their last digits by their order. */
export function agrees(computed: number, given: number): boolean {
  if (!Number.isFinite(computed)) return false;
  return Math.abs(computed - given) <= 1e-9 * Math.max(Math.abs(computed), Math.abs(given));
}

/** `expression`, or nothing while one of `cells` shows nothing: arithmetic with an empty text is an error. */
export function unlessBlank(expression: string, cells: readonly string[]): string {
  const [first, ...others] = cells.map((cell) => `${cell}=""`);
  if (first === undefined) return expression;
  const test = others.length === 0 ? first : `OR(${[first, ...others].join(',')})`;
  return `IF(${test},"",${expression})`;
}

/** The cell that the reader may change, as formulas refer to it. */
export interface InputNames {
  /** Of the cell itself. */
  readonly current: string;
  /** Of the one beside it, with the report's own value. */
  readonly reported: string;
  /** True as long as the figures are the report's own; an emptied cell, a text or 0 is as good as an untouched one. */
  readonly isUntouched: string;
  readonly format: ColumnFormat;
}

export function inputNames({ name, format }: Pick<ReportInput, 'name' | 'format'>): InputNames {
  const current = definedName(name);
  const reported = definedName(`${name}_reported`);
  return {
    current,
    reported,
    isUntouched: `OR(N(${current})<=0,${current}=${reported})`,
    format,
  };
}

/** What Excel would take for the address of a cell, or for a value, gets an underscore. */
function definedName(name: string): string {
  const isAddress = /^(?:[a-z]{1,3}\d+|r\d*(?:c\d*)?|c\d*)$/iu.test(name);
  return isAddress || /^(?:true|false)$/iu.test(name) ? `${name}_` : name;
}

/** What the formulas of a section are made from. */
export interface FormulaScope {
  readonly section: ReportSection;
  readonly place: TablePlace;
  /** Null: the workbook has no cell to change. */
  readonly input: InputNames | null;
  readonly figures: FigureCells;
}

/** A row of the sheet: a section's, or its total. */
export interface Line {
  readonly cells: readonly Cell[];
  readonly row: number;
}

/** A column that is in cells. */
export class Term {
  readonly column: ReportColumn;
  readonly index: number;
  readonly position: number;
  readonly #place: TablePlace;

  constructor(column: ReportColumn, index: number, position: number, place: TablePlace) {
    this.#place = place;
    this.column = column;
    this.index = index;
    this.position = position;
  }

  figure({ cells }: Line): number | null {
    return sheetFigure(cells[this.index] ?? null, this.column.format);
  }

  address({ row }: Line): string {
    return cellAddress(this.#place, this.position, row);
  }

  fixed(row: number): string {
    return fixedAddress(this.#place, this.position, row);
  }
}

/** Null when the section has no such column, or the sheet does not show it. */
export function termOf({ section, place }: FormulaScope, name: string): Term | null {
  const index = section.columns.findIndex((column) => column.name === name);
  const column = section.columns[index];
  const position = place.columns.get(name);
  return column === undefined || position === undefined
    ? null
    : new Term(column, index, position, place);
}

export type CalculationOf<Kind extends Calculation['kind']> = Calculation & { kind: Kind };
