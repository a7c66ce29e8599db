import { pairs } from 'd3-array';
import { addDays, type Day, daysBetween } from '../core/calendar.ts';
import type { Formatter } from '../languages/number-format.ts';
import type { ReportDocument, TimeNote } from '../report/report-document.ts';

export interface NumberedNote extends TimeNote {
  /** Counts from 1 within a chart. */
  readonly number: number;
}

/**
 * The notes that a chart over time marks, in the order of their days.
 * @param end the day after the last of its axis
 */
export function notesBetween({ notes }: Pick<ReportDocument, 'notes'>, from: Day, end: Day) {
  return notes
    .filter(({ date }) => date >= from && date < end)
    .map((note, index): NumberedNote => ({ ...note, number: index + 1 }));
}

/** The line below the chart: `1 · 2 March 2026: New CPM agreed`. */
export function noteLine({ number, date, text }: NumberedNote, formatter: Formatter): string {
  return `${number} · ${formatter.format(date, 'date', { prose: true })}: ${text}`;
}

/**
 * The day after the month, the quarter or the days that begin on this day.
 * @param days those of the axis, in order, whose smallest distance is its unit if it has days
 */
export function endOfUnit(day: Day, unit: 'month' | 'quarter' | 'date', days: readonly Day[]): Day {
  if (unit === 'date')
    return addDays(day, Math.min(...pairs(days, daysBetween), days.length < 2 ? 1 : Infinity));
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + (unit === 'month' ? 1 : 3)))
    .toISOString()
    .slice(0, 10);
}
