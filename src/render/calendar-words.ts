import type { ReportDocument } from '../report/report-document.ts';
import { addDays, type Day } from '../core/calendar.ts';
import {
  createFormatter,
  dateLocale,
  datePrinter,
  type FormatterOptions,
} from '../languages/number-format.ts';

type DocumentPeriod = ReportDocument['period'];

/** Days and periods in words. Days have no time zone: they are written as they are. */
export type CalendarWords = ReturnType<typeof createCalendarWords>;

export function createCalendarWords(formats: FormatterOptions) {
  const formatter = createFormatter(formats);
  const { say } = formatter;
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const print = datePrinter(dateLocale(formats), { timeZone: 'UTC', ...options });
    return (date: string) => print(new Date(date));
  };
  const day = { day: 'numeric', month: 'short' } as const;
  const days = { short: writer(day), long: writer({ ...day, month: 'long' }) };
  const zoned = { ...day, timeZone: formats.timezone };
  const postDays = { plain: writer(zoned), withYear: writer({ ...zoned, year: 'numeric' }) };
  const monthWithYear = (month: Day) => formatter.format(month, 'month');
  const daysOf = ({ from, to }: DocumentPeriod, month: 'long' | 'short'): string => {
    const withYear = (date: Day | null) =>
      formatter.format(date, 'date', { prose: month === 'long' });
    if (from === null && to === null) return say('All dates');
    if (from === null) return say('Until {day:text}', { day: withYear(to) });
    if (to === null) return say('From {day:text}', { day: withYear(from) });
    if (from === to) return withYear(from);
    const start = from.slice(0, 4) === to.slice(0, 4) ? days[month] : withYear;
    return say('{from:text} to {to:text}', { from: start(from), to: withYear(to) });
  };
  return {
    /** `1 January to 31 December 2025`, `From 1 January 2025`, `All dates`. */
    period: (period: DocumentPeriod) => daysOf(period, 'long'),
    /** The short name of a period: `2024`, `Nov 2024`, `Nov 2024 to Oct 2025`, `1 Jan to 7 Jan 2026`. */
    periodName: (period: DocumentPeriod): string => {
      const { from, to } = period;
      if (from === null || to === null || !isWholeMonths(from, to)) return daysOf(period, 'short');
      if (isYear(from, to)) return from.slice(0, 4);
      const [first, last] = [monthWithYear(from), monthWithYear(to)];
      return first === last ? first : say('{from:text} to {to:text}', { from: first, to: last });
    },
    /** `17 Sep`. */
    day: days.short,
    /** `Jan`. */
    monthName: writer({ month: 'short' }),
    /** `17 Sep 2025`, or `17 Sep` when the year is obvious. */
    postDay: (instant: string, { withYear }: { withYear: boolean }) =>
      postDays[withYear ? 'withYear' : 'plain'](instant),
  };
}

export function isYearOrMonth({ from, to }: DocumentPeriod): boolean {
  if (from === null || to === null || !isWholeMonths(from, to)) return false;
  return isYear(from, to) || from.slice(0, 7) === to.slice(0, 7);
}

function isYear(from: Day, to: Day): boolean {
  const year = from.slice(0, 4);
  return from === `${year}-01-01` && to === `${year}-12-31`;
}

function isWholeMonths(from: Day, to: Day): boolean {
  return from.endsWith('-01') && addDays(to, 1).endsWith('-01');
}
