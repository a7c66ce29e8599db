import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';

/** `1 date range`, `2 date ranges`. */
export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234`. */
export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}

const fewTexts = 3;

/** Joins texts, of which it names at most three: `a; b; c; and 4 more like this`. */
export function firstFew(texts: readonly string[]): string {
  const others = texts.length - fewTexts;
  const more = others > 0 ? [`and ${thousands(others)} more like this`] : [];
  return [...texts.slice(0, fewTexts), ...more].join('; ');
}

/** `219 bytes`, `1.2 kB`, `37.5 MB`, in steps of a thousand. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  let unit = units.shift();
  while (Number(size.toFixed(1)) >= 1000 && units.length > 0) {
    size /= 1000;
    unit = units.shift();
  }
  return `${size.toFixed(1)} ${unit}`;
}

/** To the minute by the clocks of the zone, as in `2026-01-15 13:00 +01:00`; of null `never`. */
export function shortTime(iso: string | null, timezone: string): string {
  if (iso === null) return 'never';
  return format(new Date(iso), 'yyyy-MM-dd HH:mm xxx', { in: tz(timezone) });
}

/** `42 s`, `5 min`, `1 h 30 min`. */
export function timeSpan(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
