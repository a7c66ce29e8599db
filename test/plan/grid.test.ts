import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, daysBetween } from '../../src/core/calendar.ts';
import { UsageError } from '../../src/core/errors.ts';
import {
  coveredDays,
  gridAnchor,
  lastDay,
  requestedDates,
  tileWindows,
} from '../../src/plan/grid.ts';
import { planJobConfig } from '../support/plan-question.ts';

const anyDay = fc.integer({ min: 0, max: 30_000 }).map((count) => addDays('1970-01-01', count));
const anySize = fc.integer({ min: 1, max: 400 });
const anyInstant = fc
  .integer({ min: Date.parse('1999-12-30'), max: Date.parse('2050-01-02') })
  .map((ms) => new Date(ms));
const anyZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'America/St_Johns',
);

describe('the grid of windows', () => {
  it('holds each day of a range exactly once, newest first, whatever its size and anchor', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.integer({ min: 0, max: 900 }),
        anySize,
        fc.integer({ min: 0, max: 900 }),
        (start, length, size, age) => {
          const end = addDays(start, length);
          const anchor = addDays(start, -age);
          const windows = tileWindows({ start, end }, size, anchor);
          expect(windows[0]?.end).toBe(end);
          expect(windows.at(-1)?.start).toBe(start);
          for (const [index, window] of windows.entries()) {
            const older = windows[index + 1];
            if (older) expect(addDays(older.end, 1)).toBe(window.start);
            expect(daysBetween(window.start, window.end)).toBeGreaterThanOrEqual(0);
            expect(daysBetween(window.start, window.end)).toBeLessThan(size);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps its inner boundaries as days pass', () => {
    fc.assert(
      fc.property(
        anyInstant,
        anyZone,
        anySize,
        fc.integer({ min: 1, max: 800 }),
        (now, timezone, sizeDays, days) => {
          const job = planJobConfig({ start: null, days, sizeDays });
          const boundaries = (instant: Date) => {
            const range = coveredDays({ job, zones: [timezone], now: instant, asked: null });
            return tileWindows(range, sizeDays, gridAnchor(job.windows))
              .map(({ start }) => start)
              .filter((start) => start > addDays(range.start, 1));
          };
          const today = boundaries(now);
          const tomorrow = boundaries(new Date(now.getTime() + 86_400_000));
          expect(tomorrow.filter((start) => today.includes(start))).toEqual(
            today.filter((start) => start > addDays(dayOf(now, timezone), 3 - days)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('begins with the first day that a report of any zone asks for', () => {
    const job = planJobConfig({ start: null, days: 20 });
    const start = (now: string, ...zones: string[]) =>
      coveredDays({ job, zones, now: new Date(now), asked: null }).start;
    expect(start('2026-11-27T22:30:00Z', 'UTC', 'Europe/Berlin')).toBe('2026-11-08');
    expect(start('2026-11-27T23:30:00Z', 'UTC', 'Europe/Berlin')).toBe('2026-11-08');
    expect(start('2026-11-28T03:00:00Z', 'America/Los_Angeles')).toBe('2026-11-08');
    expect(start('2026-11-28T09:00:00Z', 'America/Los_Angeles')).toBe('2026-11-09');
  });

  it('ends on the latest of today in the zones of reports and today in UTC', () => {
    const noon = new Date('2026-03-01T12:00:00Z');
    expect(lastDay(noon, ['Pacific/Kiritimati'])).toBe('2026-03-02');
    expect(lastDay(noon, ['Europe/Berlin'])).toBe('2026-03-01');
    expect(lastDay(noon, ['Pacific/Pago_Pago', 'Pacific/Kiritimati'])).toBe('2026-03-02');
    expect(lastDay(new Date('2026-03-01T02:00:00Z'), ['America/New_York'])).toBe('2026-03-01');
  });

  it('is anchored at start, and its first window has the days before it', () => {
    expect(tileWindows({ start: '2025-12-31', end: '2026-01-25' }, 10, '2026-01-01')).toEqual([
      { start: '2026-01-21', end: '2026-01-25' },
      { start: '2026-01-11', end: '2026-01-20' },
      { start: '2025-12-31', end: '2026-01-10' },
    ]);
    const firstDay = { start: '2025-12-31', end: '2026-01-01' };
    expect(tileWindows(firstDay, 10, '2026-01-01')).toEqual([firstDay]);
  });
});

describe('the days that were asked for', () => {
  const coverage = {
    job: planJobConfig(),
    zones: ['UTC'],
    now: new Date('2026-02-04T12:00:00Z'),
  };
  const cover = (from: string | null, to: string | null) =>
    coveredDays({ ...coverage, asked: { from, to } });

  it('are requested from the date before them to the date after, but not after the last day', () => {
    const job = planJobConfig({ start: null, days: 10 });
    const request = (asked: { from: string; to: string } | null) =>
      requestedDates({ ...coverage, job, asked });
    expect(request(null)).toEqual({ start: '2026-01-25', end: '2026-02-04' });
    expect(request({ from: '2026-01-30', to: '2026-02-03' })).toEqual({
      start: '2026-01-29',
      end: '2026-02-04',
    });
    expect(request({ from: '2026-02-04', to: '2026-02-04' }).end).toBe('2026-02-04');
  });

  it('are open at an end that is not given, and cut to the days that have come', () => {
    expect(cover('2026-01-05', null)).toEqual({ start: '2026-01-05', end: '2026-02-04' });
    expect(cover(null, '2026-01-05')).toEqual({ start: '2026-01-01', end: '2026-01-05' });
    expect(cover('2026-02-01', '2027-01-01')).toEqual({ start: '2026-02-01', end: '2026-02-04' });
  });

  it.each([
    [
      '2025-12-31',
      '2026-01-05',
      '--from 2025-12-31 is before 2026-01-01, the first day that the job daily reads; start from there, or move back jobs.daily.windows.start',
    ],
    [
      null,
      '2025-06-01',
      '--to 2025-06-01 is before 2026-01-01, the first day that the job daily reads; start from there, or move back jobs.daily.windows.start',
    ],
    ['2026-01-09', '2026-01-08', '--from 2026-01-09 must not be after --to 2026-01-08'],
    ['2026-02-05', null, '--from 2026-02-05 is in the future: today is 2026-02-04'],
    ['2026-02-30', null, '--from must be a day as YYYY-MM-DD, got "2026-02-30"'],
  ])('are refused when they are %s to %s', (from, to, message) => {
    expect(() => cover(from, to)).toThrow(new UsageError(message));
  });

  it('suggest raising `days` for a job with `days`', () => {
    const job = planJobConfig({ start: null, days: 10 });
    expect(() =>
      coveredDays({ ...coverage, job, asked: { from: '2026-01-01', to: null } }),
    ).toThrow('start from there, or raise jobs.daily.windows.days');
  });

  it('are refused while the clock is before start', () => {
    expect(() =>
      coveredDays({ ...coverage, now: new Date('2025-12-01T00:00:00Z'), asked: null }),
    ).toThrow(
      "jobs.daily.windows.start 2026-01-01 is in the future: today is 2025-12-01; move it back, or set the machine's clock right",
    );
  });
});
