import type { ReportColumn } from '../../report/report-document.ts';
import { type ColumnPlan, plainPlan } from './column-plan.ts';
import { agrees, type SheetFormula, unlessBlank } from './formula.ts';
import { asGiven, untilChanged } from './priced-plans.ts';
import {
  type CalculationOf,
  type FormulaScope,
  type Line,
  type Term,
  termOf,
} from './section-columns.ts';
import { unitFactor } from './sheet-figure.ts';

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
