import {
  type Cell,
  type ChartSpec,
  type ReportColumn,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
  chartTable,
} from '../../report/report-document.ts';
import { cellText } from './cell-text.ts';
import { sheetValue } from './cell-value.ts';
import { barChart, figuresChart, lineChart, partsChart } from './chart-kinds.ts';
import type { ChartCells, DrawnChart, NativeChart } from './native-chart.ts';
import type { NumberFormats } from './number-formats.ts';
import { columnFormat } from './table-layout.ts';
import { type TablePlace, fixedCell, headRow, sheetPrefix } from './table-place.ts';

/** More points than that are slow to draw and say nothing more. */
const maxRows = 5_000;

export interface ChartContext {
  readonly sections: readonly { readonly section: ReportSection; readonly place: TablePlace }[];
  readonly numberFormats: NumberFormats;
  readonly timezone: string;
}

/** The chart of a section as the workbook draws it; null: there is none, or nothing to draw. */
export function nativeChart(section: ReportSection, context: ChartContext): NativeChart | null {
  const { chart } = section;
  if (chart === null || section.layout === 'data') return null;
  const source = sourceOf(section, context);
  if (source === null || source.table.rows.length > maxRows) return null;
  const drawn = drawChart(chart, source);
  const isEmpty = !drawn?.series.some(({ values }) =>
    values.values.some((value) => value !== null),
  );
  if (drawn === null || isEmpty) return null;
  return { ...drawn, label: section.finding ?? section.description };
}

function sourceOf(
  section: ReportSection,
  { sections, ...formats }: ChartContext,
): ChartSource | null {
  const document: Pick<ReportDocument, 'sections'> = {
    sections: sections.map((each) => each.section),
  };
  const table = chartTable(section, document as ReportDocument);
  const place = sections.find((each) => each.section === table)?.place;
  return place === undefined ? null : { table, place, ...formats };
}

function drawChart(chart: ChartSpec, source: ChartSource): DrawnChart | null {
  switch (chart.kind) {
    case 'bars':
      return barChart(source, {
        label: chart.x,
        value: chart.y,
        previous: chart.previous,
        notFinal: chart.not_final,
      });
    case 'band':
      return figuresChart(source, chart, [{ name: chart.value, look: 'bar' }]);
    case 'stages':
      return figuresChart(source, chart, [{ name: chart.value, look: 'bar' }]);
    case 'lift':
      return figuresChart(source, chart, [
        { name: chart.without, look: 'outline' },
        { name: chart.with, look: 'bar' },
      ]);
    case 'quartiles':
      return figuresChart(source, { label: source.table.columns[0]?.name ?? '' }, [
        { name: chart.low, look: 'light' },
        { name: chart.middle, look: 'bar' },
        { name: chart.high, look: 'dark' },
      ]);
    case 'lines':
      return lineChart(source, { ...chart });
    case 'multiples':
      return lineChart(source, { x: chart.x, y: chart.y, series: chart.facet, previous: null });
    case 'strip':
      return partsChart(source, { group: null, part: chart.label, share: chart.share });
    case 'stacked':
      return partsChart(source, { group: chart.group, part: chart.part, share: chart.share });
    // A scale colours the heatmap's cells; a distribution is a dot a row, which no chart of a sheet counts.
    case 'heatmap':
    case 'distribution':
      return null;
  }
}

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
