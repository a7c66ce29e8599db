import type { ReportDocument } from '../../report/report-document.ts';
import type { Day } from '../../core/calendar.ts';
import { createFormatter, dateLocale, type FormatterOptions } from '../../core/number-format.ts';

type Period = ReportDocument['period'];
type MonthStyle = 'long' | 'short';

/** Days and periods as a sentence has them. Days have no zone: they are written as they are. */
export interface CalendarWords {
  /** `1 January to 31 December 2025`, `from 1 January 2025`, `all dates`. */
  period(period: Period, month: MonthStyle): string;
  /** The name of a whole year or month, `2024` or `Nov 2024`; null for other periods. */
  periodName(period: Period): string | null;
  /** `Jan`, or `J` where room is scarce. */
  monthName(month: Day, style: 'short' | 'narrow'): string;
  /** `17 Sep`. */
  day(day: Day): string;
  /** `17 Sep 2025`, without the year where it goes without saying. */
  postDay(instant: string, options: { withYear: boolean }): string;
  /** `Mon`, for 1. */
  weekday(weekday: number): string;
}

export function createCalendarWords(formats: FormatterOptions): CalendarWords {
  const { timezone } = formats;
  const { say } = createFormatter(formats);
  const locale = dateLocale(formats);
  const writer = (options: Intl.DateTimeFormatOptions) => dateWriter(locale, options);
  const day = { day: 'numeric', timeZone: 'UTC' } as const;
  const days = {
    long: writer({ ...day, month: 'long' }),
    short: writer({ ...day, month: 'short' }),
    longWithYear: writer({ ...day, month: 'long', year: 'numeric' }),
    shortWithYear: writer({ ...day, month: 'short', year: 'numeric' }),
  };
  const zoned = { day: 'numeric', month: 'short', timeZone: timezone } as const;
  const postDays = { plain: writer(zoned), withYear: writer({ ...zoned, year: 'numeric' }) };
  const months = {
    short: writer({ month: 'short', timeZone: 'UTC' }),
    narrow: writer({ month: 'narrow', timeZone: 'UTC' }),
    withYear: writer({ month: 'short', year: 'numeric', timeZone: 'UTC' }),
  };
  const weekdays = writer({ weekday: 'short', timeZone: 'UTC' });
  const periodOf = (period: Period, month: MonthStyle): string => {
    const withYear = days[`${month}WithYear`];
    const { from, to } = period;
    if (from === null && to === null) return say('all dates');
    if (from === null) return say('until {day:text}', { day: withYear(to ?? '') });
    if (to === null) return say('from {day:text}', { day: withYear(from) });
    if (from === to) return withYear(from);
    const start = from.slice(0, 4) === to.slice(0, 4) ? days[month] : withYear;
    return say('{from:text} to {to:text}', { from: start(from), to: withYear(to) });
  };
  return {
    period: periodOf,
    periodName: (period) => {
      if (isWholeYear(period)) return period.from?.slice(0, 4) ?? null;
      return isWholeMonth(period) ? months.withYear(period.from ?? '') : null;
    },
    day: days.short,
    monthName: (month, style) => months[style](month),
    postDay: (instant, { withYear }) => postDays[withYear ? 'withYear' : 'plain'](instant),
    weekday: (weekday) => weekdays(new Date(Date.UTC(2024, 0, weekday)).toISOString()),
  };
}

/** Some versions of the locale data abbreviate September to `Sept`; the page has one form. */
function dateWriter(locale: string, options: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat(locale, options);
  return (date: string): string => format.format(new Date(date)).replace(/\bSept\b/u, 'Sep');
}

function isWholeYear({ from, to }: Period): boolean {
  const year = from?.slice(0, 4) ?? '';
  return from === `${year}-01-01` && to === `${year}-12-31`;
}

function isWholeMonth({ from, to }: Period): boolean {
  if (from === null || to === null || !from.endsWith('-01')) return false;
  const [year, month] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year ?? 0, month ?? 1, 0)).toISOString().slice(0, 10);
  return to === last;
}
