import type {
  Cell,
  FigurePlace,
  ReportColumn,
  ReportSection,
} from '../../report/report-document.ts';
import { fixedCell, sheetPrefix } from './cell-address.ts';
import { sheetFigure } from './sheet-figure.ts';

/** The row of the heads on a section's sheet. */
export const headRow = 4;

/** Where a section's table stands in the workbook; rows and columns from 1. */
export interface TablePlace {
  readonly sheet: string;
  readonly firstRow: number;
  /** The head's own where there is no row. */
  readonly lastRow: number;
  /** Null: there is no total. */
  readonly totalRow: number | null;
  /** The sheet's columns by their names in the section. */
  readonly columns: ReadonlyMap<string, number>;
}

/** The columns that a sheet has: a list of figures has no cell. */
export function sheetColumns(columns: readonly ReportColumn[]): [number, ReportColumn][] {
  return [...columns.entries()].filter(([, { format }]) => format !== 'trend');
}

export function placeOf(section: ReportSection, sheet: string): TablePlace {
  const lastRow = headRow + section.rows.length;
  const columns = sheetColumns(section.columns).map(([, { name }], index): [string, number] => [
    name,
    index + 1,
  ]);
  return {
    sheet,
    firstRow: headRow + 1,
    lastRow,
    totalRow: section.total === null ? null : lastRow + 1,
    columns: new Map(columns),
  };
}

/** A figure that stands in a cell. */
export interface PlacedFigure {
  /** For example `'summary'!$C$5`. */
  readonly address: string;
  /** As the cell holds it. */
  readonly figure: number;
  readonly column: ReportColumn;
}

/** The cells of the sections with a single row, which others refer to. */
export class FigureCells {
  readonly #sections: readonly { readonly section: ReportSection; readonly place: TablePlace }[];

  constructor(
    sections: readonly { readonly section: ReportSection; readonly place: TablePlace }[],
  ) {
    this.#sections = sections.filter(({ section }) => section.rows.length === 1);
  }

  /** Null when there is no such section or column, or no figure in it. */
  at({ section: name, column }: FigurePlace): PlacedFigure | null {
    const found = this.#sections.find(({ section }) => section.name === name);
    return found ? placedFigure(found, column) : null;
  }

  /** The figure of this name among the sections that list figures. */
  named(column: string): PlacedFigure | null {
    const found = this.#sections
      .filter(({ section }) => section.layout === 'figures')
      .map((each) => placedFigure(each, column));
    return found.find((figure) => figure !== null) ?? null;
  }
}

function placedFigure(
  { section, place }: { section: ReportSection; place: TablePlace },
  name: string,
): PlacedFigure | null {
  const index = section.columns.findIndex((column) => column.name === name);
  const column = section.columns[index];
  const at = place.columns.get(name);
  if (column === undefined || at === undefined) return null;
  const cell: Cell = section.rows[0]?.[index] ?? null;
  const figure = sheetFigure(cell, column.format);
  if (figure === null) return null;
  return { address: sheetPrefix(place.sheet) + fixedCell(at, place.firstRow), figure, column };
}
