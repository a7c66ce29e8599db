import { mode, pairs } from 'd3-array';
import { type Day, dayMs, dayOf, daysBetween } from '../core/calendar.ts';
import { isFigureFormat } from '../languages/number-format.ts';
import type { Cell, ColumnFormat } from '../report/report-document.ts';
import { boundedNumber } from './chart-rows.ts';

export type TimeKind = 'month' | 'quarter' | 'day';

/**
 * What a position on an axis counts: whole months, quarters or days since 1970, numbers, or the rows in their order,
 * each of which has a word of its own.
 */
export type AxisKind = TimeKind | 'number' | 'word';

export function axisKind(format: ColumnFormat): AxisKind {
  if (format === 'month' || format === 'quarter') return format;
  if (format === 'date' || format === 'datetime') return 'day';
  return isFigureFormat(format) || format === 'weekday' || format === 'hour' ? 'number' : 'word';
}

export function isTimeKind(kind: AxisKind): kind is TimeKind {
  return kind !== 'number' && kind !== 'word';
}

/**
 * The position of a cell in a column of this format; null for one without a position, such as an empty date.
 * @param row the index of its row, the position of a word
 */
export function positionOf(
  cell: Cell,
  format: ColumnFormat,
  { timezone, row }: { readonly timezone: string; readonly row: number },
): number | null {
  const kind = axisKind(format);
  if (kind === 'word') return cell === null ? null : row;
  if (kind === 'number') return numberPosition(cell);
  return timePosition(format === 'datetime' ? zonedDay(cell, timezone) : cell, kind);
}

/** Whole months, quarters or days since 1970. */
export function timePosition(day: Cell, kind: TimeKind): number | null {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/u.test(day)) return null;
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return null;
  if (kind === 'day') return date.getTime() / dayMs;
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return kind === 'quarter' ? Math.floor(month / 3) : month;
}

/** The position of a day, also within its month or quarter. */
export function exactPosition(day: Day, kind: TimeKind): number {
  const position = timePosition(day, kind) ?? 0;
  const [from, end] = [dayAt(position, kind), dayAt(position + 1, kind)];
  return position + daysBetween(from, day) / daysBetween(from, end);
}

/** YYYY-MM-DD, the first of a month or quarter. */
export function dayAt(position: number, kind: TimeKind): Day {
  const time =
    kind === 'day'
      ? position * dayMs
      : Date.UTC(1970, kind === 'quarter' ? position * 3 : position);
  return new Date(time).toISOString().slice(0, 10);
}

function zonedDay(cell: Cell, timezone: string): Cell {
  const instant = typeof cell === 'string' ? new Date(cell) : null;
  return instant && !Number.isNaN(instant.getTime()) ? dayOf(instant, timezone) : null;
}

function numberPosition(cell: Cell): number | null {
  if (typeof cell !== 'number' && typeof cell !== 'bigint') return null;
  const value = boundedNumber(Number(cell));
  return value !== null && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}

/**
 * The usual distance of neighbours: a month, a quarter, or a day if no days are further apart; null for words, and for uneven
 * numbers such as 1, 7 and 30.
 * @param positions in order
 */
export function usualStep(positions: readonly number[], kind: AxisKind): number | null {
  if (kind === 'month' || kind === 'quarter') return 1;
  if (kind === 'word' || !positions.every(Number.isInteger)) return null;
  const distances = pairs(positions, (from, to) => to - from);
  const usual = mode(distances);
  const half = distances.filter((distance) => distance === usual).length * 2;
  if (kind === 'day') return half >= distances.length ? usual : 1;
  return half > distances.length ? usual : null;
}
