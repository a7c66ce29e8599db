import { type ColumnPlan, plainPlan } from './column-plan.ts';
import { numberText, type SheetFormula } from './formula.ts';
import type { InputNames } from './input-names.ts';
import {
  type CalculationOf,
  type FormulaScope,
  type Line,
  type Term,
  termOf,
} from './section-columns.ts';
import { unitFactor } from './sheet-figure.ts';

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

/** The report's value until the input is changed, then nothing: it cannot be told from the cells. */
export function asGivenPlan({ input }: FormulaScope, result: Term): ColumnPlan {
  if (input === null) return plainPlan;
  return {
    followsInput: true,
    mayBeBlank: () => true,
    formula: (line) => asGiven(result, line, input),
  };
}

export function asGiven(result: Term, line: Line, input: InputNames): SheetFormula | null {
  const value = result.figure(line);
  return value === null ? null : untilChanged(value, '""', input);
}

/** @param changed the expression that holds once the input is changed */
export function untilChanged(
  value: number | null,
  changed: string,
  { isUntouched }: InputNames,
): SheetFormula {
  const given = value === null ? '""' : numberText(value);
  return { formula: `IF(${isUntouched},${given},${changed})`, result: value ?? '' };
}
