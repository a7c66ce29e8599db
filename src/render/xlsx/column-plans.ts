import type { ColumnFormat, ReportColumn, ReportSection } from '../../report/report-document.ts';
import { unitFactor } from './cell-value.ts';
import {
  type CalculationOf,
  type FormulaScope,
  type InputNames,
  type Line,
  type SheetFormula,
  type Term,
  agrees,
  numberText,
  termOf,
  unlessBlank,
} from './formula.ts';
import type { PlacedFigure } from './table-place.ts';

/** How one column's cells are written. */
export interface ColumnPlan {
  /** Whether its figures follow the input. */
  readonly followsInput: boolean;
  /** Whether the cell can come to show nothing: formulas that use it have to expect that. */
  mayBeBlank(line: Line): boolean;
  /** Null: the value as it is, since no formula would give it. */
  formula(line: Line): SheetFormula | null;
}

/** Of a column without a calculation, or with one that the sheet cannot do. */
export const plainPlan: ColumnPlan = {
  followsInput: false,
  mayBeBlank: () => false,
  formula: () => null,
};

/**
 * The report's value until the input is changed, then what the column `by` gives at it. A row without a
 * value gets one then, if `by` is known: pricing is the same for all, but for rows with a price of their own
 * in the column `at`.
 */
export function pricedPlan(
  scope: FormulaScope,
  result: Term,
  { by: name, per, at: own }: CalculationOf<'priced'>,
): ColumnPlan {
  const by = termOf(scope, name);
  const { input } = scope;
  if (by === null || input === null || by.index === result.index) return plainPlan;
  const at = own === undefined ? null : termOf(scope, own);
  const priceAt = (line: Line) =>
    at !== null && at.figure(line) !== null ? at.address(line) : input.current;
  const factor = unitFactor(result.column.format, {
    over: [by.column.format, input.format],
    under: [],
    times: 1 / per,
  });
  return {
    followsInput: true,
    mayBeBlank: (line) => result.figure(line) === null || by.figure(line) === null,
    formula(line) {
      // Without a value, a price of its own may be what is missing.
      if (at !== null && result.figure(line) === null) return null;
      const isKnown = by.figure(line) !== null;
      const changed = isKnown ? `${by.address(line)}${factor.text}*${priceAt(line)}` : '""';
      return isKnown || result.figure(line) !== null
        ? untilChanged(result.figure(line), changed, input)
        : null;
    },
  };
}

/** The report's value until the input is changed, then that of the column `as`. */
export function recountedPlan(
  scope: FormulaScope,
  result: Term,
  { as: name }: CalculationOf<'recounted'>,
): ColumnPlan {
  const as = termOf(scope, name);
  const { input } = scope;
  if (as === null || input === null || as.index === result.index) return plainPlan;
  return {
    followsInput: true,
    mayBeBlank: (line) => result.figure(line) === null || as.figure(line) === null,
    formula(line) {
      const value = result.figure(line);
      const changed = as.figure(line);
      if (value === changed) return null;
      return untilChanged(value, changed === null ? '""' : as.address(line), input);
    },
  };
}

/** The report's value until the input is changed, then nothing: it cannot be computed from the cells. */
export function asGivenPlan({ input }: FormulaScope, result: Term): ColumnPlan {
  if (input === null) return plainPlan;
  return {
    followsInput: true,
    mayBeBlank: () => true,
    formula: (line) => asGiven(result, line, input),
  };
}

function asGiven(result: Term, line: Line, input: InputNames): SheetFormula | null {
  const value = result.figure(line);
  return value === null ? null : untilChanged(value, '""', input);
}

/** @param changed the expression that holds once the input is changed */
function untilChanged(
  value: number | null,
  changed: string,
  { isUntouched }: InputNames,
): SheetFormula {
  const given = value === null ? '""' : numberText(value);
  return { formula: `IF(${isUntouched},${given},${changed})`, result: value ?? '' };
}

/** Null: the column is being planned itself, so that no formula may refer to it. */
export type PlanOf = (term: Term) => ColumnPlan | null;

/** `of ÷ to × times`. */
export function ratioPlan(
  scope: FormulaScope,
  result: Term,
  calculation: CalculationOf<'ratio'>,
  planOf: PlanOf,
): ColumnPlan {
  const { of, to, times } = calculation;
  return quotientPlan(scope, planOf, {
    result,
    over: termOf(scope, of),
    under: termOf(scope, to),
    times,
    change: false,
  });
}

/** `of ÷ from − 1`. */
export function changePlan(
  scope: FormulaScope,
  result: Term,
  { of, from }: CalculationOf<'change'>,
  planOf: PlanOf,
): ColumnPlan {
  const terms = { over: termOf(scope, of), under: termOf(scope, from) };
  return quotientPlan(scope, planOf, { result, ...terms, times: 1, change: true });
}

interface Quotient {
  readonly result: Term;
  readonly over: Term | null;
  readonly under: Term | null;
  readonly times: number;
  /** Whether 1 is taken off. */
  readonly change: boolean;
}

function quotientPlan(scope: FormulaScope, planOf: PlanOf, quotient: Quotient): ColumnPlan {
  const { result, over, under } = quotient;
  const overPlan = over && planOf(over);
  const underPlan = under && planOf(under);
  if (!over || !under || !overPlan || !underPlan) return plainPlan;
  const { input } = scope;
  const compute = computation({ ...quotient, over, under });
  const isPrice = isInputItself(quotient, scope);
  const operands = [
    { term: over, plan: overPlan },
    { term: under, plan: underPlan },
  ];
  const blanksIn = (line: Line) => operands.filter(({ plan }) => plan.mayBeBlank(line));
  const isRight = (line: Line) => compute.agrees(line);
  const followsInput = input !== null && operands.some(({ plan }) => plan.followsInput);

  /** Where cells do not give the figure, it is the report's, and after a change the input or nothing. */
  const fallback = (line: Line): SheetFormula | null => {
    if (input === null || !followsInput) return null;
    if (!isPrice) return asGiven(result, line, input);
    const isPriced = (under.figure(line) ?? 0) !== 0;
    const value = result.figure(line);
    if (!isPriced) return value === null ? null : untilChanged(value, '""', input);
    return untilChanged(value, input.current, input);
  };

  return {
    followsInput,
    mayBeBlank: (line) => followsInput && (!isRight(line) || blanksIn(line).length > 0),
    formula(line) {
      const value = result.figure(line);
      if (value === null || !isRight(line)) return fallback(line);
      const cells = blanksIn(line).map(({ term }) => term.address(line));
      return { formula: unlessBlank(compute.expression(line), cells), result: value };
    },
  };
}

function computation(quotient: Quotient & { readonly over: Term; readonly under: Term }) {
  const { result, over, under, times, change } = quotient;
  const formats = (term: Term) => [term.column.format];
  // Points are shown × 100: what is taken off is in the result's units, and the quotient before it is not.
  const factor = unitFactor(change ? 'rate' : result.column.format, {
    over: formats(over),
    under: formats(under),
    times,
  });
  const after = change ? unitFactor(result.column.format, { over: [], under: [], times: 1 }) : null;
  const compute = (a: number, b: number) => {
    const ratio = (a / b) * factor.value;
    return after === null ? ratio : (ratio - 1) * after.value;
  };
  return {
    agrees(line: Line): boolean {
      const [value, a, b] = [result.figure(line), over.figure(line), under.figure(line)];
      if (value === null || a === null || b === null || b === 0) return false;
      return agrees(compute(a, b), value);
    },
    expression(line: Line): string {
      const ratio = `${over.address(line)}/${under.address(line)}${factor.text}`;
      if (after === null) return ratio;
      return after.text === '' ? `${ratio}-1` : `(${ratio}-1)${after.text}`;
    },
  };
}

/** A priced column ÷ what it is priced by is the price: the input, whatever the posts are. */
function isInputItself({ result, over, under, times, change }: Quotient, { input }: FormulaScope) {
  const calculation = over?.column.calculation;
  if (change || input === null || calculation?.kind !== 'priced') return false;
  const isPlain = [
    result.column,
    { format: input.format } satisfies Pick<ReportColumn, 'format'>,
  ].every(({ format }) => format !== 'duration' && format !== 'pp');
  return isPlain && calculation.by === under?.column.name && calculation.per === times;
}

/** The most rows that each of their formulas sums again; more would make each change of a cell slow. */
const maxSummedRows = 1_000;

/** What a share may be of. */
interface Whole {
  readonly address: string;
  readonly figure: number;
  /** Whether its cell can come to show nothing. */
  readonly mayBeBlank: boolean;
}

/**
 * A cell ÷ the figure that is named as the whole; else ÷ the total's, ÷ that of the report's list of figures, ÷ the
 * sum of the rows, or, of running sums, ÷ the last: whichever it is.
 */
export function sharePlan(
  scope: FormulaScope,
  result: Term,
  { of: name, whole: wholeName }: CalculationOf<'share'>,
  planOf: PlanOf,
): ColumnPlan {
  const of = termOf(scope, name);
  const plan = of && planOf(of);
  if (!of || !plan) return plainPlan;
  const { input } = scope;
  const followsInput = input !== null && plan.followsInput;
  const factor = unitFactor(result.column.format, { over: [], under: [], times: 1 });
  const named = wholeName === undefined ? null : scope.figures.named(wholeName);
  const wholes = wholeName === undefined ? wholesOf(scope, of, plan) : listedWholes(named);

  function wholeFor(line: Line): Whole | undefined {
    const value = result.figure(line);
    const part = of?.figure(line) ?? null;
    if (value === null || part === null) return undefined;
    return wholes.find(({ figure }) => agrees((part / figure) * factor.value, value));
  }

  return {
    followsInput,
    mayBeBlank(line) {
      return followsInput && ((wholeFor(line)?.mayBeBlank ?? true) || plan.mayBeBlank(line));
    },
    formula(line) {
      const value = result.figure(line);
      if (value === null) return null;
      const whole = wholeFor(line);
      if (whole === undefined) return followsInput ? asGiven(result, line, input) : null;
      const part = of.address(line);
      const expression = `${part}/${whole.address}${factor.text}`;
      const blanks = [
        ...(plan.mayBeBlank(line) ? [part] : []),
        ...(whole.mayBeBlank ? [whole.address] : []),
      ];
      return { formula: unlessBlank(expression, blanks), result: value };
    },
  };
}

/** Another section's figure: what it is priced by is beside it there. */
function listedWholes(listed: PlacedFigure | null): Whole[] {
  return listed === null ? [] : [{ ...listed, mayBeBlank: false }];
}

function wholesOf({ section, place, figures }: FormulaScope, of: Term, plan: ColumnPlan): Whole[] {
  const found: Whole[] = [];
  if (place.totalRow !== null && section.total) {
    const line = { cells: section.total.cells, row: place.totalRow };
    const figure = of.figure(line);
    const address = of.fixed(place.totalRow);
    if (figure !== null) found.push({ address, figure, mayBeBlank: plan.mayBeBlank(line) });
  }
  const listed = section.layout === 'figures' ? null : figures.named(of.column.name);
  found.push(...listedWholes(listed));
  if (section.rows.length > 0 && section.rows.length <= maxSummedRows) {
    const range = `${of.fixed(place.firstRow)}:${of.fixed(place.lastRow)}`;
    const { sum, largest } = columnFigures(section, of);
    found.push({ address: `SUM(${range})`, figure: sum, mayBeBlank: false });
    found.push({ address: `MAX(${range})`, figure: largest, mayBeBlank: false });
  }
  return found.filter(({ figure }) => figure !== 0);
}

/** What can be added up at all; rates, factors and points cannot, even where a single row would agree. */
const additiveFormats: ReadonlySet<ColumnFormat> = new Set([
  'count',
  'money',
  'money_exact',
  'duration',
  'share',
]);

/** What SUM, MAX and COUNT make of a column: empty cells and texts count for nothing. */
function columnFigures(
  { rows }: ReportSection,
  term: Term,
): { sum: number; largest: number; count: number } {
  let sum = 0;
  let largest = -Infinity;
  let count = 0;
  for (const cells of rows) {
    const figure = term.figure({ cells, row: 0 });
    if (figure === null) continue;
    sum += figure;
    largest = Math.max(largest, figure);
    count += 1;
  }
  return { sum, largest: count === 0 ? 0 : largest, count };
}

/** Whether the rows add up to the total: labels overlap, and medians are not added. */
export function addsUp(section: ReportSection, term: Term): boolean {
  if (section.total === null || !additiveFormats.has(term.column.format)) return false;
  const total = term.figure({ cells: section.total.cells, row: 0 });
  const { sum, count } = columnFigures(section, term);
  return total !== null && count > 0 && agrees(sum, total);
}
