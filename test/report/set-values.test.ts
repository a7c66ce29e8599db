import { expect, test } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import { checkSetKeys, resolveSetValues } from '../../src/report/report-parameters.ts';

const report = {
  name: 'mine',
  parameters: {
    note: { type: 'text', default: null, help: 'A note.' },
    least: { type: 'integer', default: 10, help: 'The least.' },
    factor: { type: 'number', default: 1.5, help: 'A factor.' },
    strict: { type: 'boolean', default: false, help: 'Whether.' },
    since: { type: 'date', default: '2025-01-01', help: 'Since.' },
  },
} as const;

test('values are read in the type of their parameter, and one that is not set is the default', () => {
  const set = { note: '5', least: '-3', strict: 'true', since: '2024-02-29' };
  expect(resolveSetValues(report, set)).toEqual({
    note: '5',
    least: -3,
    factor: 1.5,
    strict: true,
    since: '2024-02-29',
  });
});

test.each([
  ['least', '1.5', 'a whole number'],
  ['least', '', 'a whole number'],
  ['factor', '1e400', 'a number'],
  ['strict', 'yes', 'true or false'],
  ['since', '2025-02-29', 'a day as YYYY-MM-DD'],
])('--set %s=%s is refused: the value must be %s', (key, value, wanted) => {
  expect(() => resolveSetValues(report, { [key]: value })).toThrow(
    new UsageError(`--set ${key}=${value}: the value must be ${wanted}`),
  );
});

test('a key must be a parameter of one of the reports', () => {
  const other = { name: 'other', parameters: {} };
  expect(() => checkSetKeys([other, report], { least: '1' })).not.toThrow();
  expect(() => checkSetKeys([other], { least: '1' })).toThrow(
    new UsageError('--set least: not a parameter of other; there are no parameters'),
  );
  expect(() => checkSetKeys([report], { most: '1' })).toThrow(
    new UsageError(
      '--set most: not a parameter of mine; the parameters are factor, least, note, since, strict',
    ),
  );
});
