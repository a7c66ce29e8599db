import { addMonths } from 'date-fns/addMonths';
import { addYears } from 'date-fns/addYears';
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths';
import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import type { CompareMode, PeriodConfig, PeriodName } from '../config/config.ts';
import { addDays, dayOf, daysBetween, type Day, utc } from '../core/calendar.ts';

/** A range of days of the configured time zone. Both ends are inclusive; null means open. */
export interface Period {
  readonly from: Day | null;
  readonly to: Day | null;
  /**
   * The length in months of the month, quarter or year of which this period is the part so far. Absent for
   * any other period.
   */
  readonly soFarMonths?: 1 | 3 | 12;
  /**
   * True if its last day was over by the clock that decided the period. In a zone where that day goes on, it counts as
   * a day that was not read.
   */
  readonly isOver?: boolean;
}

/** A period with both ends. */
export interface ClosedPeriod {
  readonly from: Day;
  readonly to: Day;
}

/**
 * Returns the days of a named period at `now`, by the clock of jobs.yaml. `last_7_days` are the seven whole days before today, and so
 * on. `last_month`, `last_quarter` and `last_year` are the previous whole ones, and `last_12_months` the whole months
 * before this one. `this_…` begins with the first day of the month, quarter or year and ends today, as does one that is
 * named by the calendar and is not over.
 */
export function resolvePeriod(period: PeriodConfig, now: Date, timezone: string): Period {
  const today = dayOf(now, timezone);
  const days = typeof period === 'string' ? namedPeriod(period, today) : period;
  return { ...days, isOver: days.to !== null && days.to < today };
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
      return soFar(monthOf(today), 1, today);
    case 'last_month':
      return monthsBefore(monthOf(today), 1);
    case 'last_12_months':
      return monthsBefore(monthOf(today), 12);
    case 'this_quarter':
      return soFar(quarterOf(today), 3, today);
    case 'last_quarter':
      return monthsBefore(quarterOf(today), 3);
    case 'this_year':
      return soFar(yearOf(today), 12, today);
    case 'last_year':
      return monthsBefore(yearOf(today), 12);
    case 'all':
      return { from: null, to: null };
    default:
      return calendarPeriod(name, today);
  }
}

/** `2026`, `2026-Q3` or `2026-10`. */
function calendarPeriod(name: string, today: Day): Period {
  const [year = '', part = ''] = name.split('-');
  const quarter = /^Q([1-4])$/.exec(part)?.[1];
  if (quarter !== undefined)
    return soFar(`${year}-${twoDigits(3 * Number(quarter) - 2)}-01`, 3, today);
  return part === '' ? soFar(`${year}-01-01`, 12, today) : soFar(`${year}-${part}-01`, 1, today);
}

/** The whole months from `from` on, or their part so far while they go on. */
function soFar(from: Day, months: 1 | 3 | 12, today: Day): Period {
  const to = addDays(monthsEarlier(from, -months), -1);
  return from <= today && today <= to ? { from, to: today, soFarMonths: months } : { from, to };
}

/** Returns the period to compare with. Null for an open period, or if nothing is compared. */
export function comparedPeriod(period: Period, compare: CompareMode): ClosedPeriod | null {
  if (compare === 'none') return null;
  return compare === 'year' ? sameDaysYearBefore(period) : previousPeriod(period);
}

/**
 * Returns the number of months by which {@link comparedPeriod} is earlier. Null if the two periods are not
 * made of months.
 */
export function comparedMonths(period: Period, compare: CompareMode): number | null {
  if (comparedPeriod(period, compare) === null) return null;
  return compare === 'year' ? 12 : (wholeMonths(period) ?? period.soFarMonths ?? null);
}

/**
 * Returns the same days of the year before. The 29th of February becomes the 28th, unless the whole month is
 * compared: February 2025 is compared with all 29 days of February 2024. Null for an open period.
 */
function sameDaysYearBefore({ from, to }: Period): ClosedPeriod | null {
  if (from === null || to === null || from > to) return null;
  if (wholeMonths({ from, to }) !== null) {
    return { from: yearBefore(from), to: addDays(yearBefore(addDays(to, 1)), -1) };
  }
  return { from: yearBefore(from), to: yearBefore(to) };
}

/**
 * Returns the period of the same length just before. Whole months are compared with as many whole months, so
 * 2025 with 2024 although 2024 has a day more. The part so far of a month, quarter or year is compared with
 * the same days of the previous one. Any other period is compared with as many days. Null for an open period.
 */
export function previousPeriod({ from, to, soFarMonths }: Period): ClosedPeriod | null {
  if (from === null || to === null || from > to) return null;
  const months = wholeMonths({ from, to });
  if (months !== null) return monthsBefore(from, months);
  if (soFarMonths !== undefined)
    return { from: monthsEarlier(from, soFarMonths), to: monthsEarlier(to, soFarMonths) };
  return daysBefore(from, daysBetween(from, to) + 1);
}

/** Returns the number of whole months in a period. Null if it does not consist of whole months. */
export function wholeMonths({ from, to }: Period): number | null {
  if (from === null || to === null || from > to) return null;
  const end = addDays(to, 1);
  if (from !== monthOf(from) || end !== monthOf(end)) return null;
  return differenceInCalendarMonths(parseISO(end, { in: utc }), parseISO(from, { in: utc }));
}

/**
 * Returns the shortest name of a period, which suits file names: `2026-10`, `2026-Q3`, `2026`, `all`, else both ends:
 * `2026-10-01_2026-10-15`.
 */
export function shortestName({ from, to }: Pick<Period, 'from' | 'to'>): string {
  if (from === null && to === null) return 'all';
  const year = from?.slice(0, 4) ?? '';
  const months = wholeMonths({ from, to });
  if (from !== null && months === 1) return from.slice(0, 7);
  if (from !== null && months === 3 && from === quarterOf(from))
    return `${year}-Q${Math.ceil(Number(from.slice(5, 7)) / 3)}`;
  if (from === `${year}-01-01` && months === 12) return year;
  return `${from ?? 'start'}_${to ?? 'today'}`;
}

function daysBefore(day: Day, count: number): ClosedPeriod {
  return { from: addDays(day, -count), to: addDays(day, -1) };
}

function monthsBefore(month: Day, count: number): ClosedPeriod {
  return { from: monthsEarlier(month, count), to: addDays(month, -1) };
}

/** Returns the same day of an earlier month, or its last day if the month is shorter. */
function monthsEarlier(day: Day, count: number): Day {
  return dayText(addMonths(parseISO(day, { in: utc }), -count));
}

function yearBefore(day: Day): Day {
  return dayText(addYears(parseISO(day, { in: utc }), -1));
}

function monthOf(day: Day): Day {
  return `${day.slice(0, 7)}-01`;
}

function yearOf(day: Day): Day {
  return `${day.slice(0, 4)}-01-01`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}

function quarterOf(day: Day): Day {
  return dayText(startOfQuarter(parseISO(day, { in: utc })));
}

function dayText(date: Date): Day {
  return format(date, 'yyyy-MM-dd', { in: utc });
}
