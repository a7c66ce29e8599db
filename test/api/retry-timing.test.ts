import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, retryAfterMs, secondsUntilReset } from '../../src/api/retry-timing.ts';

const now = new Date('2026-01-15T12:00:00Z');

describe('the pause before another attempt', () => {
  it('is random, up to a maximum that doubles from half a second to four seconds', () => {
    const almostOne = () => 0.999_999;
    const ceilings = [0, 1, 2, 3, 4].map((retries) =>
      Math.round(backoffMs(retries, null, almostOne)),
    );
    expect(ceilings).toEqual([500, 1_000, 2_000, 4_000, 4_000]);
    expect(backoffMs(3, null, () => 0)).toBe(0);
  });

  it('is never shorter than what the service asks for', () => {
    const random = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(fc.nat(4), fc.nat(100_000), random, (retries, askedMs, share) => {
        const ms = backoffMs(retries, askedMs, () => share);
        expect(ms).toBeGreaterThanOrEqual(askedMs);
        expect(ms).toBeLessThanOrEqual(Math.max(askedMs, 4_000));
      }),
    );
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 1.5 ', 1_500],
    ['0', 0],
    ['Thu, 15 Jan 2026 12:01:30 GMT', 90_000],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['2026', 2_026_000],
    ['', null],
    [undefined, null],
  ])('%o is %o ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});

describe('the reset of the quota', () => {
  const message = (seconds: string) =>
    `Rate limit of 100 requests per 60s exceeded. Quota resets in ${seconds} seconds`;

  it.each([
    [message('42'), undefined, 42],
    [message('1'), '3', 3],
    [message('9'), '3', 9],
    [message('0.4'), undefined, 1],
    ['Too many requests', '7', 7],
    ['Too many requests', undefined, null],
  ])('%s, Retry-After: %s is in %o s', (said, header, expected) => {
    expect(secondsUntilReset(said, header, now)).toBe(expected);
  });
});
