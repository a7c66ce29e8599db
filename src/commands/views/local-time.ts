import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { nothing, type ViewPlace } from './view-place.ts';

/** An instant as the clocks of the place show it, with their zone: `2026-01-15 13:05 CET`. */
export function localTime(
  iso: string | null | undefined,
  { timezone, locale }: Pick<ViewPlace, 'timezone' | 'locale'>,
): string {
  if (iso === null || iso === undefined) return nothing;
  const instant = new Date(iso);
  const minute = format(instant, 'yyyy-MM-dd HH:mm', { in: tz(timezone) });
  return `${minute} ${zoneName(instant, timezone, locale)}`;
}

/** Its short name where the locale has one (`CET` in Britain), else its offset (`GMT+1`). */
function zoneName(instant: Date, timeZone: string, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, {
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
