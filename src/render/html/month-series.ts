import type { Cell, ChartSpec, ReportTable } from '../../report/report-document.ts';
import { figureOf } from './change.ts';

export type BarsSpec = Extract<ChartSpec, { kind: 'bars' }>;

export interface MonthBar {
  /** YYYY-MM-01. */
  readonly month: string;
  readonly value: number | null;
  readonly previous: number | null;
}

/** Longer gaps come from a wrong date, and would push every bar to nothing. */
const maxMonths = 600;

const monthPattern = /^\d{4}-\d{2}-01$/u;

/** A bar a month in order of time; months between the first and the last that have no row are gaps. */
export function monthSeries(table: ReportTable, spec: BarsSpec): MonthBar[] {
  const place = (name: string | null) =>
    table.columns.findIndex((column) => column.name === name);
  const cellsAt = { x: place(spec.x), y: place(spec.y), previous: place(spec.previous) };
  const known = new Map<string, MonthBar>();
  for (const row of table.rows) {
    const month = monthOf(row[cellsAt.x] ?? null);
    if (month === null) continue;
    known.set(month, {
      month,
      value: figureOf(row[cellsAt.y] ?? null),
      previous: figureOf(row[cellsAt.previous] ?? null),
    });
  }
  const months = [...known.keys()].sort();
  const first = months[0];
  const last = months.at(-1);
  if (first === undefined || last === undefined) return [];
  return monthsBetween(first, last).map(
    (month) => known.get(month) ?? { month, value: null, previous: null },
  );
}

/** A post without a date counts under an empty month, which has no place on the axis. */
function monthOf(cell: Cell): string | null {
  return typeof cell === 'string' && monthPattern.test(cell) ? cell : null;
}

function monthsBetween(first: string, last: string): string[] {
  const start = monthNumber(first);
  const count = Math.min(maxMonths, monthNumber(last) - start + 1);
  return Array.from({ length: count }, (_, index) => {
    const number = start + index;
    const year = String(Math.floor(number / 12)).padStart(4, '0');
    return `${year}-${String((number % 12) + 1).padStart(2, '0')}-01`;
  });
}

function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}
