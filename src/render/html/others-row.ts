import type { Cell, ReportColumn, ReportSection } from '../../report/report-document.ts';
import { figureOf } from '../document-head.ts';

type CellRow = readonly Cell[];
type Section = Pick<ReportSection, 'columns' | 'rows' | 'total'>;

/**
 * The figures of rows together, one for each column; null where these rows cannot be added up. Null in place of all of
 * them where the rows overlap, as labels do: a post would count more than once. A column adds up where its rows add up
 * to the total; a ratio is that of its terms, where it is so in every row.
 */
export function sumOfRows(section: Section, rows: readonly CellRow[]): (number | null)[] | null {
  const { columns } = section;
  const areCounted = columns.some(
    ({ name }, at) => ['posts', 'videos'].includes(name) && addsUp(section, at),
  );
  if (!areCounted) return null;
  return columns.map((column, at) =>
    addsUp(section, at) ? sumOf(rows, at) : ratioOf(column, section, rows),
  );
}

function addsUp({ rows, total, columns }: Section, at: number): boolean {
  const whole = figureOf(total?.cells[at] ?? null);
  const sum = sumOf(rows, at);
  // a ratio that is 0 in every row adds up, too
  const isRatio = columns[at]?.calculation?.kind === 'ratio';
  return whole !== null && sum !== null && !isRatio && isNearly(sum, whole);
}

function isNearly(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** Unknown values are left out; null without any value. */
function sumOf(rows: readonly CellRow[], at: number): number | null {
  const known = rows.flatMap((row) => figureOf(row[at] ?? null) ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** The ratio of the sums over the rows that have both terms. */
function ratioOf(
  { name, calculation }: ReportColumn,
  section: Section,
  rows: readonly CellRow[],
): number | null {
  if (calculation?.kind !== 'ratio') return null;
  const indexOf = (wanted: string) => section.columns.findIndex((column) => column.name === wanted);
  const [own, of, to] = [name, calculation.of, calculation.to].map(indexOf) as [
    number,
    number,
    number,
  ];
  if (!addsUp(section, of) || !addsUp(section, to)) return null;
  const isGiven = rows.every((row) => {
    const value = figureOf(row[own] ?? null);
    const ratio = quotient(figureOf(row[of] ?? null), figureOf(row[to] ?? null), calculation.times);
    return value === null || ratio === null ? value === ratio : isNearly(value, ratio);
  });
  if (!isGiven) return null;
  const both = rows.filter((row) => (row[own] ?? null) !== null);
  return quotient(sumOf(both, of), sumOf(both, to), calculation.times);
}

function quotient(of: number | null, to: number | null, times: number): number | null {
  return of === null || to === null || to === 0 ? null : (of / to) * times;
}
