import { utc } from '@date-fns/utc';
import { addMonths } from 'date-fns/addMonths';
import { addYears } from 'date-fns/addYears';
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths';
import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import type { CompareMode, PeriodConfig, PeriodName } from '../config/config.ts';
import { addDays, dayOf, daysBetween, type Day } from '../core/calendar.ts';

/** Days of the configured time zone, both inclusive; null: open. */
export interface Period {
  readonly from: Day | null;
  readonly to: Day | null;
  /** How many months the month, quarter or year has of which this is the part so far; left out: it is none. */
  readonly soFarMonths?: 1 | 3 | 12;
}

/** A period of which both ends are known. */
export interface ClosedPeriod {
  readonly from: Day;
  readonly to: Day;
}

/**
 * The days that a named period means at `now`. `last_7_days` are the seven whole days before today, and so
 * on; `last_month` and `last_quarter` the whole ones before this; `this_…` begin with the first day of the
 * month, quarter or year and end with today.
 */
export function resolvePeriod(period: PeriodConfig, now: Date, timezone: string): Period {
  if (typeof period !== 'string') return period;
  return namedPeriod(period, dayOf(now, timezone));
}

function namedPeriod(name: PeriodName, today: Day): Period {
  switch (name) {
    case 'last_7_days':
      return daysBefore(today, 7);
    case 'last_30_days':
      return daysBefore(today, 30);
    case 'last_90_days':
      return daysBefore(today, 90);
    case 'this_month':
      return { from: monthOf(today), to: today, soFarMonths: 1 };
    case 'last_month':
      return monthsBefore(monthOf(today), 1);
    case 'this_quarter':
      return { from: quarterOf(today), to: today, soFarMonths: 3 };
    case 'last_quarter':
      return monthsBefore(quarterOf(today), 3);
    case 'this_year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today, soFarMonths: 12 };
    case 'all':
      return { from: null, to: null };
  }
}

/** What a period is compared with; null for an open one, and where nothing is. */
export function comparedPeriod(period: Period, compare: CompareMode): ClosedPeriod | null {
  if (compare === 'none') return null;
  return compare === 'year' ? sameDaysYearBefore(period) : previousPeriod(period);
}

/** By how many months the months of {@link comparedPeriod} are earlier; null when the two do not go by months. */
export function comparedMonths(period: Period, compare: CompareMode): number | null {
  if (comparedPeriod(period, compare) === null) return null;
  return compare === 'year' ? 12 : (wholeMonths(period) ?? period.soFarMonths ?? null);
}

/**
 * The same days one year before. The 29th of February has the 28th before it, unless the month is whole there:
 * before February 2025 comes all of February 2024, with its 29 days. Null for an open period.
 */
function sameDaysYearBefore({ from, to }: Period): ClosedPeriod | null {
  if (from === null || to === null || from > to) return null;
  if (wholeMonths({ from, to }) !== null) {
    return { from: yearBefore(from), to: addDays(yearBefore(addDays(to, 1)), -1) };
  }
  return { from: yearBefore(from), to: yearBefore(to) };
}

/**
 * The period of the same length just before. A period of whole months has as many whole months before it
 * (before 2025 comes 2024, though that has a day more); the part so far of a month, quarter or year has the same days of
 * the one before; any other has as many days. Null for an open one.
 */
export function previousPeriod({ from, to, soFarMonths }: Period): ClosedPeriod | null {
  if (from === null || to === null || from > to) return null;
  const months = wholeMonths({ from, to });
  if (months !== null) return monthsBefore(from, months);
  if (soFarMonths !== undefined)
    return { from: monthsEarlier(from, soFarMonths), to: monthsEarlier(to, soFarMonths) };
  return daysBefore(from, daysBetween(from, to) + 1);
}

/** How many whole months a period is made of; null when it is not. */
export function wholeMonths({ from, to }: Period): number | null {
  if (from === null || to === null || from > to) return null;
  const end = addDays(to, 1);
  if (from !== monthOf(from) || end !== monthOf(end)) return null;
  return differenceInCalendarMonths(parseISO(end, { in: utc }), parseISO(from, { in: utc }));
}

function daysBefore(day: Day, count: number): ClosedPeriod {
  return { from: addDays(day, -count), to: addDays(day, -1) };
}

function monthsBefore(month: Day, count: number): ClosedPeriod {
  return { from: monthsEarlier(month, count), to: addDays(month, -1) };
}

/** The same day of an earlier month, or the last one of a shorter month. */
function monthsEarlier(day: Day, count: number): Day {
  return dayText(addMonths(parseISO(day, { in: utc }), -count));
}

function yearBefore(day: Day): Day {
  return dayText(addYears(parseISO(day, { in: utc }), -1));
}

function monthOf(day: Day): Day {
  return `${day.slice(0, 7)}-01`;
}

function quarterOf(day: Day): Day {
  return dayText(startOfQuarter(parseISO(day, { in: utc })));
}

function dayText(date: Date): Day {
  return format(date, 'yyyy-MM-dd', { in: utc });
}
