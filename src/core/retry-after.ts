/** Headers of an answer, by their names in small letters. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads Retry-After, which holds seconds or a date (RFC 9110, section 10.2.3). A date is compared with that of the
 * answer, since this machine's clock may be wrong. Returns null if there is none or it cannot be read.
 * @param now for an answer without a date
 */
export function retryAfterMs(headers: Headers, now: Date): number | null {
  const text = String(headers['retry-after'] ?? '').trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const time = httpDateMs(text);
  const nowMs = httpDateMs(String(headers['date'] ?? '')) ?? now.getTime();
  return time === null ? null : Math.max(0, time - nowMs);
}

/** Reads a date in one of the three forms of RFC 9110, section 5.6.7, the oldest of which names no zone and is in UTC. */
function httpDateMs(text: string): number | null {
  // Date.parse also accepts bare words and numbers, so a date must have a weekday and a time of day.
  if (!/^[a-z]{3,9},? .*\d:\d/i.test(text)) return null;
  const time = Date.parse(/\d\s*$/.test(text) ? `${text} GMT` : text);
  return Number.isNaN(time) ? null : time;
}
