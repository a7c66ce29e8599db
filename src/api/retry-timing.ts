/** The number of attempts of a call, including the first, not counting those answered with 429. */
export const maxAttempts = 5;

const firstBackoffMs = 500;
const maxBackoffMs = 4_000;
/** If the service asks for a longer wait, the call fails, and a later run asks again. */
export const maxRetryAfterMs = 120_000;

/**
 * Returns the wait before another attempt. It has full jitter, so that calls that failed together are not
 * retried together, and is never shorter than the service asked for.
 * @param retries the number of retries so far
 * @param random returns a number of at least 0 and below 1
 */
export function backoffMs(
  retries: number,
  retryAfterMs: number | null,
  random: () => number,
): number {
  const ceilingMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** retries);
  return Math.max(random() * ceilingMs, retryAfterMs ?? 0);
}

/**
 * Returns the seconds until the quota is free again after a 429, by the message or the header, whichever is
 * later, and at least 1. Returns null if neither says anything.
 */
export function secondsUntilReset(message: string, retryAfterMs: number | null): number | null {
  const stated = /\bresets? in (\d+(?:\.\d+)?) ?s/i.exec(message)?.[1];
  if (stated === undefined && retryAfterMs === null) return null;
  return Math.max(1, Number(stated ?? 0), (retryAfterMs ?? 0) / 1000);
}
