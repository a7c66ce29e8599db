import {
  type ColumnPlan,
  addsUp,
  asGivenPlan,
  changePlan,
  plainPlan,
  pricedPlan,
  ratioPlan,
  recountedPlan,
  sharePlan,
} from './column-plans.ts';
import {
  type FormulaScope,
  type Line,
  type SheetFormula,
  type Term,
  maxFormulaLength,
  termOf,
} from './formula.ts';

/** The formulas of a section's sheet: each gives the report's figure, or is not written. */
export class SectionFormulas {
  readonly #scope: FormulaScope;
  /** By column name; null while the column is being planned. */
  readonly #plans = new Map<string, ColumnPlan | null>();

  constructor(scope: FormulaScope) {
    this.#scope = scope;
  }

  /** Whether some figure changes with the input. */
  get followsInput(): boolean {
    return this.#scope.section.columns.some(({ name }) => this.#plan(name).followsInput);
  }

  /** Null: the cell is as given. @param column its name */
  body(column: string, line: Line): SheetFormula | null {
    return fitting(this.#plan(column).formula(line));
  }

  /** Null: the cell is as given. @param line the total's */
  total(column: string, line: Line): SheetFormula | null {
    const term = termOf(this.#scope, column);
    if (term === null) return null;
    const { section, place } = this.#scope;
    const kind = term.column.calculation?.kind;
    const isSum = kind !== 'ratio' && kind !== 'change' && kind !== 'as_given';
    if (isSum && addsUp(section, term) && this.#addsUpChanged(term)) {
      const range = `${term.address({ ...line, row: place.firstRow })}:${term.address({ ...line, row: place.lastRow })}`;
      return { formula: `SUM(${range})`, result: term.figure(line) ?? '' };
    }
    // A total's own share is 1, whatever it is of.
    if (kind === 'share' && term.figure(line) === 1) return null;
    return fitting(this.#plan(column).formula(line));
  }

  /** What follows the input adds up after a change only where what it is made of then does. */
  #addsUpChanged({ column: { calculation } }: Term): boolean {
    if (calculation?.kind === 'priced') return this.#isSum(calculation.by);
    return calculation?.kind !== 'recounted' || this.#isSum(calculation.as);
  }

  #isSum(name: string): boolean {
    const term = termOf(this.#scope, name);
    return term === null || addsUp(this.#scope.section, term);
  }

  #plan(name: string): ColumnPlan {
    const known = this.#plans.get(name);
    if (known) return known;
    this.#plans.set(name, null);
    const plan = this.#made(name);
    this.#plans.set(name, plan);
    return plan;
  }

  #made(name: string): ColumnPlan {
    const term = termOf(this.#scope, name);
    const calculation = term?.column.calculation;
    if (!term || !calculation) return plainPlan;
    const planOf = ({ column }: Term) =>
      this.#plans.get(column.name) === null ? null : this.#plan(column.name);
    switch (calculation.kind) {
      case 'priced':
        return pricedPlan(this.#scope, term, calculation);
      case 'recounted':
        return recountedPlan(this.#scope, term, calculation);
      case 'as_given':
        return asGivenPlan(this.#scope, term);
      case 'ratio':
        return ratioPlan(this.#scope, term, calculation, planOf);
      case 'change':
        return changePlan(this.#scope, term, calculation, planOf);
      case 'share':
        return sharePlan(this.#scope, term, calculation, planOf);
    }
  }
}

function fitting(formula: SheetFormula | null): SheetFormula | null {
  return formula !== null && formula.formula.length <= maxFormulaLength ? formula : null;
}
