import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { backoffMs, secondsUntilReset } from '../../src/api/retry-timing.ts';
import { retryAfterMs } from '../../src/core/retry-after.ts';

afterEach(() => void vi.unstubAllEnvs());

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
    expect(retryAfterMs({ 'retry-after': header }, now)).toBe(expected);
  });

  it.each([
    'Thu, 15 Jan 2026 12:01:30 GMT',
    'Thursday, 15-Jan-26 12:01:30 GMT',
    'Thu Jan 15 12:01:30 2026',
  ])('%s is as far away as the answer says, whatever this clock and its zone say', (time) => {
    vi.stubEnv('TZ', 'America/New_York');
    const headers = { 'retry-after': time, date: time.replace('12:01', '12:00') };
    for (const wrong of ['2019-01-15T12:00:00Z', '2031-01-15T12:00:00Z'])
      expect(retryAfterMs(headers, new Date(wrong))).toBe(60_000);
    expect(retryAfterMs({ ...headers, date: 'today' }, now)).toBe(90_000);
  });
});

describe('the reset of the quota', () => {
  const message = (seconds: string) =>
    `Rate limit of 100 requests per 60s exceeded. Quota resets in ${seconds} seconds`;

  it.each([
    [message('42'), null, 42],
    [message('1'), 3_000, 3],
    [message('9'), 3_000, 9],
    [message('0.4'), null, 1],
    ['Too many requests', 7_000, 7],
    ['Too many requests', null, null],
  ])('%s, Retry-After: %s ms is in %o s', (said, headerMs, expected) => {
    expect(secondsUntilReset(said, headerMs)).toBe(expected);
  });
});
