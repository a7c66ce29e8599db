import type { SheetFormula } from './formula.ts';
import type { Line } from './section-columns.ts';

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
