import { describe, expect, it } from 'vitest';
import { sheetValue } from '../../../src/render/xlsx/cell-value.ts';

const value = (cell: Parameters<typeof sheetValue>[0], format: Parameters<typeof sheetValue>[1]) =>
  sheetValue(cell, format, 'Europe/Berlin');

describe('a cell of a sheet', () => {
  it('keeps what is not known out, and zero in', () => {
    expect(value(null, 'count')).toBeNull();
    expect(value(0, 'count')).toBe(0);
  });

  it('holds integers of any size as numbers', () => {
    expect(value(9_007_199_254_740_991n, 'count')).toBe(9_007_199_254_740_991);
    expect(value(-9_007_199_254_740_993n, 'count')).toBe(-9_007_199_254_740_992);
  });

  it('counts durations in days and points in hundredths', () => {
    expect(value(5_400, 'duration')).toBe(0.0625);
    expect(value(0.012, 'pp')).toBe(1.2);
    expect(value(0.042, 'rate')).toBe(0.042);
  });

  it('makes days and months dates, whatever the zone', () => {
    expect(value('2025-03-30', 'date')).toEqual(new Date('2025-03-30T00:00:00Z'));
    expect(value('2025-10-01', 'month')).toEqual(new Date('2025-10-01T00:00:00Z'));
  });

  it.each([
    ['2025-01-15T23:30:00Z', '2025-01-16T00:30:00Z'],
    ['2025-07-15T23:30:00Z', '2025-07-16T01:30:00Z'],
    // The hour that the clock has twice.
    ['2025-10-26T00:30:00Z', '2025-10-26T02:30:00Z'],
    ['2025-10-26T01:30:00Z', '2025-10-26T02:30:00Z'],
    ['2025-06-01T08:59:59.9996Z', '2025-06-01T11:00:00Z'],
  ])('shows %s as the clock of the zone does', (instant, clock) => {
    expect(value(instant, 'datetime')).toEqual(new Date(clock));
  });

  it('leaves as text what Excel has no date for', () => {
    expect(value('1899-12-31', 'date')).toBe('1899-12-31');
    expect(value('Total', 'month')).toBe('Total');
    expect(value('never', 'datetime')).toBe('never');
  });

  it('joins lists and writes out what is no number', () => {
    expect(value(['Event', 'Hiring'], 'list')).toBe('Event, Hiring');
    expect(value([], 'list')).toBe('');
    expect(value(Number.NaN, 'decimal')).toBe('NaN');
    expect(value(true, 'boolean')).toBe(true);
  });
});
