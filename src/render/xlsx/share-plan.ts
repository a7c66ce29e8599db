import { type ColumnPlan, plainPlan } from './column-plan.ts';
import { agrees, unlessBlank } from './formula.ts';
import { asGiven } from './priced-plans.ts';
import type { PlanOf } from './quotient-plans.ts';
import { columnFigures } from './column-sum.ts';
import {
  type CalculationOf,
  type FormulaScope,
  type Line,
  type Term,
  termOf,
} from './section-columns.ts';
import { unitFactor } from './sheet-figure.ts';
import type { PlacedFigure } from './table-place.ts';

/** So many rows are summed anew by each of their formulas; more would make each change of a cell slow. */
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

/** Another section's figure: what it is priced by stands beside it there. */
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
