import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../../src/commands/views/exact-json.ts';

describe('JSON read exactly', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['0.1', 0.1],
    ['1e3', 1000],
    ['1e999', '1e999'],
    ['"9007199254740993 \\" 9007199254740993 \\\\"', '9007199254740993 " 9007199254740993 \\'],
    [
      '[{"9007199254740993":[9007199254740993,1]}]',
      [{ '9007199254740993': ['9007199254740993', 1] }],
    ],
  ])('takes %s for a number, or for its text where a number would not be exact', (text, value) => {
    expect(parseExactly(text)).toEqual(value);
  });

  it('is what JSON.parse reads where all numbers are exact', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, (_, part: unknown) => (isInexact(part) ? 7 : part));
        expect(parseExactly(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
