import type { ReportTable } from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import type { NumberFormats } from './number-formats.ts';
import { columnFormat } from './table-layout.ts';
import { fixedCell, sheetPrefix, type TableAddress } from './table-address.ts';

/** The cells that a chart draws, and their values for programs that compute nothing. */
export interface ChartCells {
  /** The reference, for example `'by_month'!$D$5:$D$16`, or several in brackets. */
  readonly formula: string;
  /** The values; null for an empty cell, which is not drawn. */
  readonly values: readonly (number | string | null)[];
  readonly format: string | null;
}

/** Colours as RRGGBB. */
export interface SeriesLook {
  readonly color: string;
  /** `bar`: filled; `hatch`, `portion`: striped, one upwards, the other downwards; `line`: with the marks of `mark`, if any; `marks`: only marks. */
  readonly kind: 'bar' | 'hatch' | 'portion' | 'line' | 'marks';
  readonly dash?: 'solid' | 'dash' | 'sysDot' | 'dashDot' | 'lgDash';
  readonly mark?: 'circle' | 'square' | 'triangle' | 'diamond' | 'x' | 'dash';
}

export interface ChartSeries {
  readonly name: { readonly formula: string; readonly text: string };
  readonly categories: ChartCells;
  readonly values: ChartCells;
  readonly look: SeriesLook;
  /** The bars with a look of their own, by index: those beside the ones that the report is about, and parts of a month. */
  readonly points?: ReadonlyMap<number, SeriesLook>;
}

/** A chart that the workbook draws from its cells. */
export interface NativeChart {
  /**
   * `columns`: vertical bars side by side; `bars`: horizontal bars; `lines`: lines over shared categories; `scatter`:
   * each series over its own numbers.
   */
  readonly kind: 'columns' | 'bars' | 'lines' | 'scatter';
  /** Series with the look `marks` are drawn over the bars, and further bars over the first ones. */
  readonly series: readonly ChartSeries[];
  /** The number format of the values; categories have the format of their cells. */
  readonly format: string;
  /** Set when each bar is labelled with its value, so that no axis of values is needed. */
  readonly hasValues?: boolean;
  /** The height in centimetres. */
  readonly height?: number;
  /** Marks of events above an axis of time; left out if there are none. */
  readonly marks?: ChartMarks;
  readonly label: string;
}

export interface ChartMarks {
  readonly name: string;
  /** The number of a mark, or the numbers, by its index in the series. */
  readonly labels: ReadonlyMap<number, string>;
  /** The heights of the marks; null where there is none. */
  readonly heights: readonly (number | null)[];
  /** The day numbers of the marks in a scatter; null: they share the categories. */
  readonly days: readonly number[] | null;
  /** What they mean, a line each. */
  readonly lines: readonly string[];
  /** The hidden cells that hold them; left out until they are written. */
  readonly cells?: { readonly heights: ChartCells; readonly days: ChartCells | null };
}

export type UnlabelledChart = Omit<NativeChart, 'label' | 'marks'>;

/** The most pieces of a reference that people can still follow. */
const maxPieces = 200;
const maxLength = 6_000;
const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);

export interface ChartSource {
  readonly table: ReportTable;
  readonly address: TableAddress;
  readonly numberFormats: NumberFormats;
  readonly timezone: string;
}

/** A column of the table as a chart refers to it; rows count from 0. */
export type ChartColumn = NonNullable<ReturnType<typeof chartColumn>>;

export function chartColumn(source: ChartSource, name: string | null) {
  const { table, address, numberFormats, timezone } = source;
  const index = table.columns.findIndex((each) => each.name === name);
  const column = table.columns[index];
  const position = address.columns.get(name ?? '');
  if (column === undefined || position === undefined) return null;
  const format = columnFormat(table, index, { numberFormats });
  const at = (row: number) => fixedCell(position, address.firstRow + row);
  const prefix = sheetPrefix(address.sheet);
  /** The value of a cell; a date is a day number. */
  const value = (row: number): number | string | null => {
    const written = sheetValue(table.rows[row]?.[index] ?? null, column.format, timezone);
    if (written instanceof Date) return (written.getTime() - firstDay) / dayMs;
    return typeof written === 'boolean' ? String(written) : written;
  };
  return {
    column,
    format,
    value,
    number: (row: number): number | null => {
      const written = value(row);
      return typeof written === 'number' ? written : null;
    },
    /** @param rows ascending; null when they lie too far apart to be referred to */
    cells: (rows: readonly number[]): ChartCells | null => {
      const pieces = runsOf(rows).map(
        ([from, to]) => prefix + (from === to ? at(from) : `${at(from)}:${at(to)}`),
      );
      const formula = pieces.length === 1 ? (pieces[0] ?? '') : `(${pieces.join(',')})`;
      const isUsable =
        pieces.length > 0 && pieces.length <= maxPieces && formula.length <= maxLength;
      return isUsable ? { formula, values: rows.map(value), format } : null;
    },
    /** The head, which names the column's series. */
    head: {
      formula: prefix + fixedCell(position, address.firstRow - 1),
      text: cellText(column.title),
    },
    /** A row's own cell, which names the series that begins there. */
    nameAt: (row: number) => ({ formula: prefix + at(row), text: String(value(row) ?? '') }),
  };
}

/** The first and the last number of each run of consecutive numbers. */
function runsOf(rows: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run?.[1] === row - 1) run[1] = row;
    else runs.push([row, row]);
  }
  return runs;
}
