import { tz } from '@date-fns/tz';
import { addDays as addDaysTo } from 'date-fns/addDays';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { endOfDay as lastMoment } from 'date-fns/endOfDay';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import { UTCDateMini } from '@date-fns/utc/date/mini';

/** A calendar day as `YYYY-MM-DD`, in the time zone of its context. Days compare as text. */
export type Day = string;

/** The context of date-fns for UTC. The library's own `utc` creates formats at the start that nothing here uses. */
export function utc(value: Date | number | string): Date {
  return new UTCDateMini(new Date(value).getTime());
}

/** The length of a day in UTC. */
export const dayMs = 86_400_000;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** True if `text` is a real day of the calendar, written as `YYYY-MM-DD`. */
export function isDay(text: string): text is Day {
  return (
    dayPattern.test(text) &&
    isValid(parseISO(text)) &&
    dayOf(parseISO(text, { in: utc }), 'UTC') === text
  );
}

/** Returns the day that `instant` falls on in `timeZone` (an IANA name). */
export function dayOf(instant: Date, timeZone: string): Day {
  return format(instant, 'yyyy-MM-dd', { in: tz(timeZone) });
}

/** Returns the last millisecond of the day in `timeZone`. */
export function endOfDay(day: Day, timeZone: string): Date {
  return new Date(lastMoment(parseISO(day, { in: tz(timeZone) })));
}

export function addDays(day: Day, count: number): Day {
  return format(addDaysTo(parseISO(day, { in: utc }), count), 'yyyy-MM-dd', { in: utc });
}

/** Counts the days from `from` to `to`; the result is negative if `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return differenceInCalendarDays(parseISO(to, { in: utc }), parseISO(from, { in: utc }));
}
