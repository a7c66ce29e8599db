import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';

/** To the minute by the clocks of the zone, as in `2026-01-15 13:00 +01:00`; of null `never`. */
export function shortTime(iso: string | null, timezone: string): string {
  return iso === null
    ? 'never'
    : format(new Date(iso), 'yyyy-MM-dd HH:mm xxx', { in: tz(timezone) });
}
