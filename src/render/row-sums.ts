import type { Cell, ColumnFormat, ReportSection } from '../report/report-document.ts';
import { figureOf } from './document-head.ts';

type CellRow = readonly Cell[];
type Section = Pick<ReportSection, 'columns' | 'rows' | 'total'>;

/** How the figure of several rows follows from theirs: as their sum, or as the ratio of two sums, less 1 for a change. */
export type RowSum =
  | { readonly kind: 'sum' }
  | {
      readonly kind: 'ratio';
      /** The indexes of the columns whose sums are divided. */
      readonly over: number;
      readonly under: number;
      readonly times: number;
      readonly less: 0 | 1;
      /** False where rows without one of the terms have the other, so that the sums of all rows give another ratio. */
      readonly isOfAllRows: boolean;
    };

/** The formats that can be added up; rates, factors and points cannot, even if the sum of a single row agrees. */
const additiveFormats: ReadonlySet<ColumnFormat> = new Set([
  'count',
  'money',
  'money_exact',
  'duration',
  'share',
]);

export function isAdditive(format: ColumnFormat): boolean {
  return additiveFormats.has(format);
}

/**
 * The way in which each column's rows add up to its total, by the index of the column; null where they do not: labels
 * overlap, and the sums behind some rates leave out posts that the columns count.
 */
export function rowSumsOf(section: Section): (RowSum | null)[] {
  return section.columns.map((_, index) =>
    addsUp(section, index) ? { kind: 'sum' } : ratioOf(section, index),
  );
}

function addsUp({ rows, total, columns }: Section, index: number): boolean {
  const { format = 'text', calculation = null } = columns[index] ?? {};
  const isRatio = calculation?.kind === 'ratio' || calculation?.kind === 'change';
  const [sum, whole] = [sumOf(rows, index), figureOf(total?.cells[index] ?? null)];
  return isAdditive(format) && !isRatio && areEqual(sum, whole);
}

function ratioOf(section: Section, index: number): RowSum | null {
  const { columns, rows, total } = section;
  const calculation = columns[index]?.calculation ?? null;
  if (calculation?.kind !== 'ratio' && calculation?.kind !== 'change') return null;
  const isChange = calculation.kind === 'change';
  const divisor = isChange ? calculation.from : calculation.to;
  const [over, under] = [calculation.of, divisor].map((name) =>
    columns.findIndex((column) => column.name === name),
  ) as [number, number];
  if (!addsUp(section, over) || !addsUp(section, under)) return null;
  const ratio = {
    kind: 'ratio',
    over,
    under,
    times: isChange ? 1 : calculation.times,
    less: isChange ? 1 : 0,
  } as const;
  const whole = figureOf(total?.cells[index] ?? null);
  const isOfAllRows = areEqual(quotient(rows, ratio), whole);
  return isOfAllRows || areEqual(figureOfRows(rows, index, { ...ratio, isOfAllRows }), whole)
    ? { ...ratio, isOfAllRows }
    : null;
}

/** The figure of rows together; null where none of them has one. A ratio is that of the rows that have both terms. */
export function figureOfRows(
  rows: readonly CellRow[],
  index: number,
  sum: RowSum | null,
): number | null {
  if (sum?.kind !== 'ratio') return sum && sumOf(rows, index);
  const isKnown = (row: CellRow, at: number) => (row[at] ?? null) !== null;
  const both = rows.filter((row) => isKnown(row, sum.over) && isKnown(row, sum.under));
  return quotient(both, sum);
}

type Ratio = Extract<RowSum, { kind: 'ratio' }>;

function quotient(
  rows: readonly CellRow[],
  { over, under, times, less }: Omit<Ratio, 'isOfAllRows'>,
): number | null {
  const [of, to] = [sumOf(rows, over), sumOf(rows, under)];
  return of === null || to === null || to === 0 ? null : (of / to) * times - less;
}

/** Unknown values are left out; null without any value. */
function sumOf(rows: readonly CellRow[], index: number): number | null {
  const known = rows.flatMap((row) => figureOf(row[index] ?? null) ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Tells whether two figures are known, and equal except for the last digits, which depend on the order of a sum. */
function areEqual(a: number | null, b: number | null): boolean {
  if (a === null || b === null || !Number.isFinite(a)) return false;
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}
