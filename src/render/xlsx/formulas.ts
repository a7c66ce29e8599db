import type {
  Calculation,
  Cell,
  ColumnFormat,
  ReportColumn,
  ReportInput,
  ReportSection,
} from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetFigure, unitScale } from './cell-value.ts';
import {
  type FigureCells,
  type PlacedFigure,
  type TablePlace,
  cellAddress,
  fixedAddress,
} from './table-place.ts';

export interface SheetFormula {
  /** The formula without the equals sign. */
  readonly formula: string;
  /** The cached value, which programs that compute nothing show; an empty text shows nothing. */
  readonly result: number | string;
}

/** The names of the input cell in formulas. */
export interface InputNames {
  /** The name of the cell itself. */
  readonly current: string;
  /** The name of the cell next to it with the value in the report. */
  readonly reported: string;
  /** A formula that is true until the input is changed; an empty cell, a text or 0 counts as unchanged. */
  readonly isUntouched: string;
  readonly format: ColumnFormat;
}

export function inputNames({ name, format }: Pick<ReportInput, 'name' | 'format'>): InputNames {
  const current = definedName(name);
  const reported = definedName(`${name}_reported`);
  const isUntouched = `OR(N(${current})<=0,${current}=${reported})`;
  return { current, reported, isUntouched, format };
}

/** Adds an underscore to names that Excel would take for the address of a cell, or for a value. */
function definedName(name: string): string {
  const isAddress = /^(?:[a-z]{1,3}\d+|r\d*(?:c\d*)?|c\d*)$/iu.test(name);
  return isAddress || /^(?:true|false)$/iu.test(name) ? `${name}_` : name;
}

/** A formula that shows nothing when one of its cells does, since arithmetic with an empty text is an error. */
export function orNothing(expression: string): string {
  return `IFERROR(${expression},"")`;
}

/** A row of the sheet: a section's, or its total. */
export interface Line {
  readonly cells: readonly Cell[];
  readonly row: number;
}

/** A column's cells as formulas refer to them, or another section's figure. */
interface Operand {
  readonly format: ColumnFormat;
  /** The value in the cell. */
  readonly figure: (line: Line) => number | null;
  readonly address: (line: Line) => string;
  /** Set when the value changes with the input. */
  readonly followsInput: boolean;
}

interface Template {
  readonly followsInput: boolean;
  /** The formula of a cell; null when it holds a plain value. */
  readonly formula: (line: Line) => SheetFormula | null;
}

const asIs: Template = { followsInput: false, formula: () => null };

interface FormulaScope {
  readonly section: ReportSection;
  readonly place: TablePlace;
  /** The input; null when the workbook has none. */
  readonly input: InputNames | null;
  readonly figures: FigureCells;
}

/** The formulas of a section's sheet, from one template for each column with a calculation. */
export class SectionFormulas {
  readonly #scope: FormulaScope;
  /** The templates by column name; null while one is being made. */
  readonly #templates = new Map<string, Template | null>();

  constructor(scope: FormulaScope) {
    this.#scope = scope;
  }

  /** Set when a figure of the sheet changes with the input. */
  get followsInput(): boolean {
    const { columns } = this.#scope.section;
    return columns.some(({ name }) => this.#template(name)?.followsInput === true);
  }

  /** The formula of a cell; null when it holds a plain value. @param column the name of the column */
  body(column: string, line: Line): SheetFormula | null {
    return this.#template(column)?.formula(line) ?? null;
  }

  /** The formula of a total; null when it holds a plain value. @param line the row of the total */
  total(column: string, line: Line): SheetFormula | null {
    const { section, place } = this.#scope;
    const calculation = section.columns.find(({ name }) => name === column)?.calculation ?? null;
    if (this.#isSum(column, calculation)) {
      const operand = this.#operand(column);
      const [first, last] = [place.firstRow, place.lastRow].map((row) =>
        operand?.address({ ...line, row }),
      );
      return { formula: `SUM(${first}:${last})`, result: operand?.figure(line) ?? '' };
    }
    return calculation?.kind === 'share' ? null : this.body(column, line);
  }

  /** Tells whether the total is the sum of the rows, even after the input is changed. */
  #isSum(column: string, calculation: Calculation | null): boolean {
    switch (calculation?.kind) {
      case 'ratio':
      case 'change':
      case 'as_given':
        return false;
      case 'priced':
        return this.#addsUp(column) && this.#addsUp(calculation.by);
      case 'recounted':
        return this.#addsUp(column) && this.#addsUp(calculation.as);
      case 'share':
      case undefined:
        return this.#addsUp(column);
    }
  }

  /** Tells whether a total is the sum of its rows; with labels that overlap, or medians, it is not. */
  #addsUp(name: string): boolean {
    const { rows, columns, total } = this.#scope.section;
    const index = columns.findIndex((column) => column.name === name);
    const format = columns[index]?.format;
    if (total === null || format === undefined || !additiveFormats.has(format)) return false;
    const figureOf = (cells: readonly Cell[]) => sheetFigure(cells[index] ?? null, format);
    const figures = rows.map(figureOf).filter((figure) => figure !== null);
    const sum = figures.reduce((all, figure) => all + figure, 0);
    const given = figureOf(total.cells);
    return figures.length > 0 && given !== null && agrees(sum, given);
  }

  /** The template; null while it is being made, when no formula may refer to its cells. */
  #template(name: string): Template | null {
    const known = this.#templates.get(name);
    if (known !== undefined) return known;
    this.#templates.set(name, null);
    const { columns } = this.#scope.section;
    const template = this.#made(columns.find((column) => column.name === name));
    this.#templates.set(name, template);
    return template;
  }

  #made(column: ReportColumn | undefined): Template {
    const { section, input, figures } = this.#scope;
    const { calculation } = column ?? {};
    const result = column && this.#cells(column.name);
    if (!calculation || !result) return asIs;
    const operand = (name: string) => this.#operand(name);
    switch (calculation.kind) {
      case 'priced':
        return input ? this.#priced(result, calculation, input) : asIs;
      case 'recounted': {
        const as = this.#cells(calculation.as);
        if (!input) return asIs;
        return as ? recounted(result, as, input) : asGiven(result, input);
      }
      case 'as_given':
        return input ? asGiven(result, input) : asIs;
      case 'ratio': {
        const { of, to, times } = calculation;
        const price = isPrice(section, calculation) ? (input?.current ?? null) : null;
        return quotient({ result, over: operand(of), under: operand(to), times, price, input });
      }
      case 'change': {
        const [over, under] = [operand(calculation.of), operand(calculation.from)];
        return quotient({ result, over, under, less: 1, input });
      }
      case 'share': {
        const { of, whole } = calculation;
        const total = whole === undefined ? this.#totalCell(of) : null;
        const under = total ?? otherFigure(figures.named(whole ?? of));
        return quotient({ result, over: operand(of), under, input });
      }
    }
  }

  /** The given value until the input is changed, then the value at the new price, or at the row's own price. */
  #priced(result: Cells, { by: name, per, at }: PricedCalculation, input: InputNames): Template {
    const by = this.#cells(name);
    const own = at === undefined ? null : this.#cells(at);
    if (!by) return asGiven(result, input);
    const factor = factorText(unitScale(result.format) / unitScale(by.format) / per);
    return {
      followsInput: true,
      formula(line) {
        const value = result.figure(line);
        // A value may be missing because the row's own price is missing.
        if (own !== null && value === null) return null;
        if (by.figure(line) === null) return untilChanged(value, '""', input);
        const hasOwn = own !== null && own.figure(line) !== null;
        const price = hasOwn ? own.address(line) : input.current;
        const given = value ?? '';
        return ifUntouched(given, `${by.address(line)}${factor}*${price}`, input);
      },
    };
  }

  #operand(name: string): Operand | null {
    const cells = this.#cells(name);
    const template = this.#template(name);
    return cells && template && { ...cells, followsInput: template.followsInput };
  }

  /** The column of the sheet; null when the section has none of this name, or the sheet does not show it. */
  #cells(name: string): Cells | null {
    const { section, place } = this.#scope;
    const index = section.columns.findIndex((column) => column.name === name);
    const format = section.columns[index]?.format;
    const position = place.columns.get(name);
    if (format === undefined || position === undefined) return null;
    return {
      format,
      figure: ({ cells }) => sheetFigure(cells[index] ?? null, format),
      text: ({ cells }) => textIn(cells[index]),
      address: ({ row }) => cellAddress(place, position, row),
    };
  }

  #totalCell(name: string): Operand | null {
    const { section, place } = this.#scope;
    const operand = this.#operand(name);
    const position = place.columns.get(name);
    const { totalRow } = place;
    if (!operand || position === undefined || totalRow === null || !section.total) return null;
    const figure = operand.figure({ cells: section.total.cells, row: totalRow });
    const address = fixedAddress(place, position, totalRow);
    return { ...operand, figure: () => figure, address: () => address };
  }
}

interface Cells extends Omit<Operand, 'followsInput'> {
  /** The text in the cell; null when it holds none. */
  readonly text: (line: Line) => string | null;
}

function textIn(cell: Cell | undefined): string | null {
  return typeof cell === 'string' ? cellText(cell) : null;
}

type PricedCalculation = Calculation & { kind: 'priced' };

/** The formats that can be added up; rates, factors and points cannot, even if the sum of a single row agrees. */
const additiveFormats: ReadonlySet<ColumnFormat> = new Set([
  'count',
  'money',
  'money_exact',
  'duration',
  'share',
]);

function otherFigure(placed: PlacedFigure | null): Operand | null {
  if (placed === null) return null;
  const { format, figure, address } = placed;
  return { format, figure: () => figure, address: () => address, followsInput: false };
}

/** The given value until the input is changed, then nothing. */
function asGiven({ figure, text }: Cells, input: InputNames): Template {
  return {
    followsInput: true,
    formula: (line) => untilChanged(figure(line) ?? text(line), '""', input),
  };
}

/** The given value until the input is changed, then the count in another column. */
function recounted(result: Cells, as: Cells, input: InputNames): Template {
  return {
    followsInput: true,
    formula(line) {
      const [value, changed] = [result.figure(line), as.figure(line)];
      if (value === changed) return null;
      return ifUntouched(value ?? '', changed === null ? '""' : as.address(line), input);
    },
  };
}

/** Tells whether a quotient is the price itself: a priced column ÷ the column that it is priced by. */
function isPrice({ columns }: ReportSection, { of, to, times }: Calculation & { kind: 'ratio' }) {
  const over = columns.find(({ name }) => name === of)?.calculation;
  return over?.kind === 'priced' && over.by === to && over.per === times;
}

/**
 * The quotient `over ÷ under × times − less`, if the cells of the row give the figure of the report; the sums behind
 * some rates leave out posts that the columns count. Otherwise the given value, and once the input is changed the price
 * or nothing.
 */
function quotient(terms: {
  readonly result: Cells;
  readonly over: Operand | null;
  readonly under: Operand | null;
  readonly times?: number;
  readonly less?: number;
  readonly price?: string | null;
  readonly input: InputNames | null;
}): Template {
  const { result, over, under, times = 1, less = 0, price = null, input } = terms;
  if (!over || !under) return over?.followsInput && input ? asGiven(result, input) : asIs;
  const scale = unitScale(result.format);
  // The subtrahend is in units of the report.
  const before = (times * unitScale(under.format)) / unitScale(over.format);
  const factor = less === 0 ? before * scale : before;
  const followsInput = input !== null && (over.followsInput || under.followsInput);

  function expression(line: Line): string {
    const ratio = `${over?.address(line)}/${under?.address(line)}${factorText(factor)}`;
    if (less === 0) return ratio;
    return scale === 1 ? `${ratio}-${less}` : `(${ratio}-${less})${factorText(scale)}`;
  }
  return {
    followsInput,
    formula(line) {
      const value = result.figure(line);
      const [a, b] = [over.figure(line), under.figure(line)];
      const ratio = a === null || b === null ? NaN : (a / b) * factor;
      if (value !== null && agrees(less === 0 ? ratio : (ratio - less) * scale, value)) {
        const formula = expression(line);
        return { formula: followsInput ? orNothing(formula) : formula, result: value };
      }
      if (!followsInput) return null;
      // A row without a value may get one from the input.
      if (value === null && price === null && a === null && b !== null)
        return ifUntouched('', orNothing(expression(line)), input);
      const isPriced = price !== null && (b ?? 0) !== 0;
      return isPriced ? ifUntouched(value ?? '', price, input) : untilChanged(value, '""', input);
    },
  };
}

/** The value of the report until the input is changed; null when there is no value at all. */
function untilChanged(value: number | string | null, changed: string, input: InputNames) {
  return value === null ? null : ifUntouched(value, changed, input);
}

/** The report's value until the input is changed. @param changed the expression that holds then */
function ifUntouched(value: number | string, changed: string, { isUntouched }: InputNames) {
  const given = typeof value === 'string' ? textOf(value) : numberText(value);
  return { formula: `IF(${isUntouched},${given},${changed})`, result: value };
}

/** The text that multiplies an expression by `factor`: `*1000`, `/86400`, or nothing. */
function factorText(factor: number): string {
  if (factor === 1) return '';
  const divisor = Math.round(1 / factor);
  return agrees(divisor * factor, 1) ? `/${divisor}` : `*${numberText(factor)}`;
}

/** A text as formulas write it, in pieces of at most 255 characters, as Excel requires. */
export function textOf(text: string): string {
  const pieces = text.match(/[^]{1,250}/gu) ?? [''];
  return pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join('&');
}

/** A number as formulas write it: with a dot and an upper-case exponent. */
function numberText(value: number): string {
  return String(value).toUpperCase();
}

/** Tells whether two figures are equal except for the last digits, which depend on the order of a sum. */
function agrees(computed: number, given: number): boolean {
  if (!Number.isFinite(computed)) return false;
  return Math.abs(computed - given) <= 1e-9 * Math.max(Math.abs(computed), Math.abs(given));
}
