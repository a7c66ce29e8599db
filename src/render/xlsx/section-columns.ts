import type {
  Calculation,
  Cell,
  ReportColumn,
  ReportSection,
} from '../../report/report-document.ts';
import { columnLetters, fixedCell } from './cell-address.ts';
import type { InputNames } from './input-names.ts';
import { sheetFigure } from './sheet-figure.ts';
import type { FigureCells, TablePlace } from './table-place.ts';

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

/** A column that stands in cells. */
export class Term {
  readonly column: ReportColumn;
  readonly index: number;
  readonly position: number;

  constructor(column: ReportColumn, index: number, position: number) {
    this.column = column;
    this.index = index;
    this.position = position;
  }

  figure({ cells }: Line): number | null {
    return sheetFigure(cells[this.index] ?? null, this.column.format);
  }

  address({ row }: Line): string {
    return `${columnLetters(this.position)}${row}`;
  }

  fixed(row: number): string {
    return fixedCell(this.position, row);
  }
}

/** Null when the section has no such column, or the sheet does not show it. */
export function termOf({ section, place }: FormulaScope, name: string): Term | null {
  const index = section.columns.findIndex((column) => column.name === name);
  const column = section.columns[index];
  const position = place.columns.get(name);
  return column === undefined || position === undefined ? null : new Term(column, index, position);
}

export type CalculationOf<Kind extends Calculation['kind']> = Calculation & { kind: Kind };
