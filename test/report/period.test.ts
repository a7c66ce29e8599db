import { describe, expect, test } from 'vitest';
import type { PeriodName } from '../../src/config/period-names.ts';
import {
  comparedMonths,
  comparedPeriod,
  previousPeriod,
  resolvePeriod,
  shortestName,
} from '../../src/report/period.ts';

const lateEvening = new Date('2026-01-14T23:30:00Z');

describe('a named period', () => {
  test.each<[PeriodName, string | null, string | null]>([
    ['last_7_days', '2026-01-08', '2026-01-14'],
    ['last_30_days', '2025-12-16', '2026-01-14'],
    ['last_90_days', '2025-10-17', '2026-01-14'],
    ['last_month', '2025-12-01', '2025-12-31'],
    ['last_quarter', '2025-10-01', '2025-12-31'],
    ['last_12_months', '2025-01-01', '2025-12-31'],
    ['last_year', '2025-01-01', '2025-12-31'],
    ['2024', '2024-01-01', '2024-12-31'],
    ['2025-Q3', '2025-07-01', '2025-09-30'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['all', null, null],
  ])('%s is %s to %s, when today is 15 January in Berlin', (name, from, to) => {
    expect(resolvePeriod(name, lateEvening, 'Europe/Berlin')).toMatchObject({ from, to });
  });

  test.each<[PeriodName, number, string]>([
    ['this_month', 1, '2025-12-15'],
    ['this_quarter', 3, '2025-10-15'],
    ['this_year', 12, '2025-01-15'],
    ['2026-01', 1, '2025-12-15'],
    ['2026-Q1', 3, '2025-10-15'],
    ['2026', 12, '2025-01-15'],
  ])(
    '%s is the part so far, and compared with the same days before',
    (name, soFarMonths, until) => {
      const period = resolvePeriod(name, lateEvening, 'Europe/Berlin');
      expect(period).toMatchObject({
        from: '2026-01-01',
        to: '2026-01-15',
        isOver: false,
        soFarMonths,
      });
      expect(previousPeriod(period)).toEqual({ from: `${until.slice(0, 8)}01`, to: until });
      expect(comparedMonths(period, 'previous')).toBe(soFarMonths);
    },
  );

  test('the same days of a shorter month end with its last one', () => {
    const march = resolvePeriod('this_month', new Date('2026-03-30T12:00:00Z'), 'UTC');
    expect(previousPeriod(march)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    const whole = resolvePeriod('this_month', new Date('2026-02-28T12:00:00Z'), 'UTC');
    expect(previousPeriod(whole)).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  });

  test('today is the day of the time zone', () => {
    const west = resolvePeriod('last_7_days', lateEvening, 'America/New_York');
    expect(west).toEqual({ from: '2026-01-07', to: '2026-01-13', isOver: true });
  });

  test('days that are given stay as they are', () => {
    const given = { from: '2025-05-05', to: null };
    expect(resolvePeriod(given, lateEvening, 'UTC')).toMatchObject(given);
  });
});

describe('the shortest name of a period', () => {
  test.each([
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['2026-Q3', '2026-07-01', '2026-09-30'],
    ['2026', '2026-01-01', '2026-12-31'],
    ['2026-10-01_2026-10-15', '2026-10-01', '2026-10-15'],
    ['2025-12-01_2026-02-28', '2025-12-01', '2026-02-28'],
  ])('%s is from %s to %s, and names it', (name, from, to) => {
    expect(shortestName({ from, to })).toBe(name);
  });

  test('of all is all', () => {
    expect(shortestName({ from: null, to: null })).toBe('all');
  });
});

describe('the period before', () => {
  test.each([
    ['2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
    ['2025-03-01', '2025-03-31', '2025-02-01', '2025-02-28'],
    ['2024-04-01', '2024-06-30', '2024-01-01', '2024-03-31'],
    ['2026-01-08', '2026-01-14', '2026-01-01', '2026-01-07'],
    ['2026-03-01', '2026-03-15', '2026-02-14', '2026-02-28'],
    ['2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
  ])('before %s to %s comes %s to %s', (from, to, previousFrom, previousTo) => {
    expect(previousPeriod({ from, to })).toEqual({ from: previousFrom, to: previousTo });
  });

  test.each([
    [null, null],
    ['2025-01-01', null],
    [null, '2025-01-01'],
    ['2025-02-01', '2025-01-01'],
  ])('there is none before %s to %s', (from, to) => {
    expect(previousPeriod({ from, to })).toBeNull();
  });
});

describe('the period to compare with', () => {
  test.each([
    ['2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
    ['2025-02-01', '2025-02-28', '2024-02-01', '2024-02-29'],
    ['2024-02-01', '2024-02-29', '2023-02-01', '2023-02-28'],
    ['2025-02-10', '2025-02-28', '2024-02-10', '2024-02-28'],
    ['2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'],
    ['2024-02-10', '2024-02-29', '2023-02-10', '2023-02-28'],
    ['2026-01-08', '2026-01-14', '2025-01-08', '2025-01-14'],
  ])('a year before %s to %s is %s to %s', (from, to, previousFrom, previousTo) => {
    expect(comparedPeriod({ from, to }, 'year')).toEqual({ from: previousFrom, to: previousTo });
    expect(comparedMonths({ from, to }, 'year')).toBe(12);
  });

  test('is the one before, or none, as asked', () => {
    const quarter = { from: '2025-04-01', to: '2025-06-30' };
    expect(comparedPeriod(quarter, 'previous')).toEqual(previousPeriod(quarter));
    expect(comparedMonths(quarter, 'previous')).toBe(3);
    expect(comparedPeriod(quarter, 'none')).toBeNull();
    expect(comparedMonths(quarter, 'none')).toBeNull();
  });

  test.each(['previous', 'year', 'none'] as const)('of an open one is none: %s', (compare) => {
    const open = { from: '2025-04-01', to: null };
    expect(comparedPeriod(open, compare)).toBeNull();
    expect(comparedMonths(open, compare)).toBeNull();
  });
});
