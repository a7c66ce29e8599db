import { expect, test } from 'vitest';
import { sheetValue } from '../../../src/render/xlsx/cell-value.ts';

test.each([
  ['2026-01-02T23:59:59.999Z', 'UTC', '2026-01-02T23:59:59.000Z'],
  ['2026-01-02T22:59:59.999999Z', 'Europe/Berlin', '2026-01-02T23:59:59.000Z'],
  ['2026-01-02T23:59:59.400Z', 'UTC', '2026-01-02T23:59:59.000Z'],
  ['2026-01-02T09:00:00Z', 'UTC', '2026-01-02T09:00:00.000Z'],
])('the time %s in %s stays within its second', (cell, timezone, shown) => {
  expect(sheetValue(cell, 'datetime', timezone)).toEqual(new Date(shown));
});
