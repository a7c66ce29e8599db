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
