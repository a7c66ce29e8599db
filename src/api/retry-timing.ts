/** Attempts of a call in all, its first one included; answers that only say to wait are none. */
export const mostAttempts = 5;

const firstBackoffMs = 500;
const longestBackoffMs = 4_000;
/** A service that asks for longer is left alone: its call fails, and a later run asks again. */
export const longestRetryAfterMs = 120_000;

/**
 * How long to wait before another attempt: full jitter, so that calls which failed together do not come
 * back together, and never less than the service asked for.
 * @param retries how many attempts were repeats so far
 * @param random gives a number of at least 0 and below 1
 */
export function backoffMs(
  retries: number,
  retryAfterMs: number | null,
  random: () => number,
): number {
  const ceilingMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** retries);
  return Math.max(random() * ceilingMs, retryAfterMs ?? 0);
}

/**
 * What a Retry-After header asks for, in seconds or as a date (RFC 9110, section 10.2.3); null for none,
 * or one that says nothing.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse takes bare words and numbers for dates, too; a real one has a weekday and a clock.
  const time = /^[a-z]{3,9},? .*\d:\d/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, time - now.getTime());
}

/**
 * When the quota is free again after a 429: what the message says or what the header says, whichever is
 * later, and never at once. Null where neither says anything.
 */
export function secondsUntilReset(
  message: string,
  retryAfter: string | undefined,
  now: Date,
): number | null {
  const stated = /\bresets? in (\d+(?:\.\d+)?) ?s/i.exec(message)?.[1];
  const headerMs = retryAfterMs(retryAfter, now);
  if (stated === undefined && headerMs === null) return null;
  return Math.max(1, Number(stated ?? 0), (headerMs ?? 0) / 1000);
}
