import { describe, expect, it } from 'vitest';
import { endOfDay } from '../../src/core/calendar.ts';

describe('the end of a day', () => {
  it.each([
    ['2026-01-21', 'UTC', '2026-01-21T23:59:59.999Z'],
    ['2026-01-21', 'Europe/Berlin', '2026-01-21T22:59:59.999Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
    ['2026-12-31', 'Asia/Kolkata', '2026-12-31T18:29:59.999Z'],
    // The clocks go forward at midnight, and the day has 23 hours.
    ['2026-04-24', 'Africa/Cairo', '2026-04-24T20:59:59.999Z'],
  ])('of %s in %s is %s', (day, timezone, instant) => {
    expect(endOfDay(day, timezone).toISOString()).toBe(instant);
  });
});
