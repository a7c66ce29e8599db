import type { Cell, ReportColumn, ReportTable } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import type { NumberFormats } from './number-formats.ts';
import { columnFormat } from './table-layout.ts';
import { fixedCell, headRow, sheetPrefix, type TablePlace } from './table-place.ts';

/** Cells that a chart draws, with what they hold, for readers that compute nothing. */
export interface ChartCells {
  /** For example `'by_month'!$D$5:$D$16`, or several such in brackets. */
  readonly formula: string;
  /** Null: an empty cell, where nothing is drawn. */
  readonly values: readonly (number | string | null)[];
  /** A number format; null for text. */
  readonly format: string | null;
}

/** Colours as RRGGBB. */
export interface SeriesLook {
  readonly color: string;
  /** `bar`: filled; `hatch`: filled in stripes; `outline`: hollow; `line`: with a mark at each value when `mark` is given; `marks`: marks alone. */
  readonly kind: 'bar' | 'hatch' | 'outline' | 'line' | 'marks';
  readonly dash?: 'solid' | 'dash' | 'sysDot' | 'dashDot' | 'lgDash';
  readonly mark?: 'circle' | 'square' | 'triangle' | 'diamond' | 'x' | 'dash';
}

export interface ChartSeries {
  readonly name: { readonly formula: string; readonly text: string };
  readonly categories: ChartCells;
  readonly values: ChartCells;
  readonly look: SeriesLook;
  /** Bars that are drawn in a colour of their own: index and RRGGBB. */
  readonly painted?: readonly { readonly index: number; readonly color: string }[];
}

/** A chart as a workbook draws it by itself from cells. */
export interface NativeChart {
  /**
   * `columns`: upright bars side by side; `bars`: lying ones; `parts`: lying ones of 100 %; `lines`: over
   * shared categories; `scatter`: each series over numbers of its own.
   */
  readonly kind: 'columns' | 'bars' | 'parts' | 'lines' | 'scatter';
  /** Series whose look is `marks` are drawn over the bars; one whose look is `hatch`, over the one before it. */
  readonly series: readonly ChartSeries[];
  /** Of the values; categories have the format of their cells. */
  readonly format: string;
  /** Whether each bar has its value beside it, which spares the axis of values. */
  readonly hasValues?: boolean;
  /** In centimetres. */
  readonly height?: number;
  /** Says in words what is drawn. */
  readonly label: string;
}

/** What a kind of chart makes of a section's rows. */
export type DrawnChart = Omit<NativeChart, 'label'>;

/** Beyond that, a reference in pieces is no longer something that people can follow. */
const maxPieces = 200;
const maxLength = 6_000;
const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);

/** The table that a chart draws, and where it stands. */
export interface ChartSource {
  readonly table: ReportTable;
  readonly place: TablePlace;
  readonly numberFormats: NumberFormats;
  readonly timezone: string;
}

/** A column of the table as a chart refers to it. */
export class ChartColumn {
  readonly column: ReportColumn;
  readonly #source: ChartSource;
  readonly #index: number;
  readonly #position: number;
  readonly #format: string | null;

  private constructor(
    source: ChartSource,
    found: { column: ReportColumn; index: number; position: number },
  ) {
    this.#source = source;
    this.column = found.column;
    this.#index = found.index;
    this.#position = found.position;
    this.#format = columnFormat(source.table, found.index, source.numberFormats);
  }

  /** Null when the sheet has no such column. */
  static of(source: ChartSource, name: string): ChartColumn | null {
    const index = source.table.columns.findIndex((column) => column.name === name);
    const column = source.table.columns[index];
    const position = source.place.columns.get(name);
    if (column === undefined || position === undefined) return null;
    return new ChartColumn(source, { column, index, position });
  }

  get format(): string | null {
    return this.#format;
  }

  cell(row: number): Cell {
    return this.#source.table.rows[row]?.[this.#index] ?? null;
  }

  /** What stands in the sheet, dates as its day numbers. */
  value(row: number): number | string | null {
    const value = sheetValue(this.cell(row), this.column.format, this.#source.timezone);
    if (value instanceof Date) return (value.getTime() - firstDay) / dayMs;
    return typeof value === 'boolean' ? String(value) : value;
  }

  number(row: number): number | null {
    const value = this.value(row);
    return typeof value === 'number' ? value : null;
  }

  /** @param rows indexes from 0, ascending; null when they lie too far apart to be referred to */
  cells(rows: readonly number[]): ChartCells | null {
    const formula = this.#reference(rows);
    if (formula === null) return null;
    return { formula, values: rows.map((row) => this.value(row)), format: this.format };
  }

  /** The head, which names the column's series. */
  head(): { formula: string; text: string } {
    return { formula: this.#at(headRow), text: cellText(this.column.title) };
  }

  /** A row's own cell, which names the series that begins there. */
  nameAt(row: number): { formula: string; text: string } {
    return {
      formula: this.#at(this.#source.place.firstRow + row),
      text: String(this.value(row) ?? ''),
    };
  }

  #reference(rows: readonly number[]): string | null {
    const runs = runsOf(rows);
    if (runs.length === 0 || runs.length > maxPieces) return null;
    const { firstRow, sheet } = this.#source.place;
    const pieces = runs.map(([from, to]) => {
      const first = fixedCell(this.#position, firstRow + from);
      const range = from === to ? first : `${first}:${fixedCell(this.#position, firstRow + to)}`;
      return sheetPrefix(sheet) + range;
    });
    const reference = pieces.length === 1 ? (pieces[0] ?? '') : `(${pieces.join(',')})`;
    return reference.length <= maxLength ? reference : null;
  }

  #at(row: number): string {
    return sheetPrefix(this.#source.place.sheet) + fixedCell(this.#position, row);
  }
}

/** First and last of each run of numbers that follow each other. */
function runsOf(rows: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run?.[1] === row - 1) run[1] = row;
    else runs.push([row, row]);
  }
  return runs;
}
