import { dayMs, dayOf } from '../../../core/calendar.ts';
import type { Cell, ColumnFormat } from '../../../report/report-document.ts';
import type { PageContext } from '../page-context.ts';
import type { ChartColumn } from './chart-column.ts';

/** What stands along a chart: months, days, numbers, or words in the order of their rows. */
export type XKind = 'month' | 'day' | 'number' | 'word';

/** Reads cells of one column as places on a scale of whole months, days, numbers or words. */
export interface XReader {
  readonly kind: XKind;
  /** Null for a cell that has no place, as a post without a date has none. */
  placeOf(cell: Cell): number | null;
  /** The place as the table prints it. */
  nameOf(place: number): string;
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/u;
const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])-01$/u;
const wordFormats: readonly ColumnFormat[] = [
  'text',
  'longtext',
  'url',
  'list',
  'boolean',
  'trend',
];

export function createXReader(column: ChartColumn, context: PageContext): XReader {
  const { formatter, document } = context;
  const print = (cell: Cell) => formatter.format(cell, column.format);
  if (column.format === 'month') {
    return { kind: 'month', placeOf: monthPlace, nameOf: (place) => print(monthAt(place)) };
  }
  if (column.format === 'date' || column.format === 'datetime') {
    const toDay = (cell: Cell) => (column.format === 'date' ? cell : zonedDay(cell, document.timezone)); // prettier-ignore
    const nameOf = (place: number) => formatter.format(dayAt(place), 'date');
    return { kind: 'day', placeOf: (cell) => dayPlace(toDay(cell)), nameOf };
  }
  if (wordFormats.includes(column.format)) return wordReader(print);
  return { kind: 'number', placeOf: numberPlace, nameOf: print };
}

/** Words have no scale: their places are those of their first rows. */
function wordReader(print: (cell: Cell) => string): XReader {
  const places = new Map<string, number>();
  const words: string[] = [];
  return {
    kind: 'word',
    placeOf: (cell) => {
      if (cell === null) return null;
      const word = print(cell);
      const known = places.get(word);
      if (known !== undefined) return known;
      places.set(word, words.length);
      return words.push(word) - 1;
    },
    nameOf: (place) => words[place] ?? '',
  };
}

function monthPlace(cell: Cell): number | null {
  if (typeof cell !== 'string' || !monthPattern.test(cell)) return null;
  return Number(cell.slice(0, 4)) * 12 + Number(cell.slice(5, 7)) - 1;
}

/** YYYY-MM-01. */
export function monthAt(place: number): string {
  const year = String(Math.floor(place / 12)).padStart(4, '0');
  return `${year}-${String((place % 12) + 1).padStart(2, '0')}-01`;
}

/** Whole days since 1970; thousands of rows are read so, hence without a calendar's machinery. */
function dayPlace(cell: Cell): number | null {
  if (typeof cell !== 'string' || !dayPattern.test(cell)) return null;
  const place = Date.parse(`${cell}T00:00:00Z`) / dayMs;
  return Number.isNaN(place) ? null : place;
}

/** YYYY-MM-DD. */
export function dayAt(place: number): string {
  return new Date(place * dayMs).toISOString().slice(0, 10);
}

function zonedDay(cell: Cell, timezone: string): Cell {
  const instant = typeof cell === 'string' ? new Date(cell) : null;
  return instant && !Number.isNaN(instant.getTime()) ? dayOf(instant, timezone) : null;
}

function numberPlace(cell: Cell): number | null {
  if (typeof cell !== 'number' && typeof cell !== 'bigint') return null;
  const value = Number(cell);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}
