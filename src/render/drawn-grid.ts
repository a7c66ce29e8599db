import { extent, group, range, sum } from 'd3-array';
import type { Formatter } from '../languages/number-format.ts';
import type { ChartSpec, ColumnFormat, ReportTable } from '../report/report-document.ts';
import { type ChartRow, chartRows, formatNamed } from './chart-rows.ts';

/** What a heat map draws, read once from its rows: a grid of two dimensions. Page and workbook only draw it. */
export interface DrawnGrid {
  readonly rows: readonly GridTrack[];
  readonly columns: readonly GridTrack[];
  readonly cells: readonly GridCell[];
  /** The format of the values. */
  readonly format: ColumnFormat;
  /** It is false where groups with fewer posts are left out. */
  readonly isWhole: boolean;
}

/** A row or a column. */
export interface GridTrack {
  readonly name: string;
  readonly cells: readonly GridCell[];
  readonly posts: number;
}

export interface GridCell {
  readonly row: string;
  readonly column: string;
  /** The index of its row in the table of the chart. */
  readonly index: number;
  readonly posts: number;
  /** It is null when it is not known, and when the cell has too few posts. */
  readonly value: number | null;
}

type Spec = Extract<ChartSpec, { kind: 'heatmap' }>;
type Side = 'row' | 'column';

/** The most rows and columns of a grid, those with most posts; the table has all. */
const maxTracks = 24;

/** It is null when no cell has a post. */
export function readGrid(spec: Spec, table: ReportTable, formatter: Formatter): DrawnGrid | null {
  const rows = chartRows(table, formatter);
  const cells = rows.flatMap((row, index): GridCell[] => {
    const posts = row.number(spec.n) ?? 0;
    if (row.cell(spec.row) === null || row.cell(spec.column) === null || posts === 0) return [];
    const value = posts >= spec.minimum ? row.number(spec.value) : null;
    return [{ row: row.text(spec.row), column: row.text(spec.column), index, posts, value }];
  });
  if (cells.length === 0) return null;
  const source = { table, rows, cells, formatter };
  const [down, across] = [tracksOf(spec, 'row', source), tracksOf(spec, 'column', source)];
  return {
    rows: down.tracks,
    columns: across.tracks,
    cells,
    format: formatNamed(table, spec.value) ?? 'decimal',
    isWhole: down.isWhole && across.isWhole,
  };
}

interface Source {
  readonly table: ReportTable;
  readonly rows: readonly ChartRow[];
  readonly cells: readonly GridCell[];
  readonly formatter: Formatter;
}

function tracksOf(
  spec: Spec,
  side: Side,
  source: Source,
): { readonly tracks: GridTrack[]; readonly isWhole: boolean } {
  const bySide = group(source.cells, (cell) => cell[side]);
  const all = [...bySide].map(([name, cells]) => trackOf(name, cells));
  const tracks =
    spanNames(spec[side], bySide, source)?.map((name) => trackOf(name, bySide.get(name) ?? [])) ??
    all.toSorted((a, b) => b.posts - a.posts).slice(0, maxTracks);
  return { tracks, isWhole: all.length <= maxTracks };
}

function trackOf(name: string, cells: readonly GridCell[]): GridTrack {
  return { name, cells, posts: sum(cells, ({ posts }) => posts) };
}

/** All weekdays, or the hours from the first to the last with a post; null for groups of other kinds. */
function spanNames(
  column: string,
  known: ReadonlyMap<string, unknown>,
  { table, rows, formatter }: Source,
): string[] | null {
  const format = formatNamed(table, column) ?? 'text';
  const print = (value: number) => formatter.format(value, format);
  if (format === 'weekday') return range(1, 8).map(print);
  if (format !== 'hour') return null;
  const hours = rows.filter((row) => known.has(row.text(column)));
  const [first = 0, last = 0] = extent(hours.flatMap((row) => row.number(column) ?? []));
  return range(first, last + 1).map(print);
}
