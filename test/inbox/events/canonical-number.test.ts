import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { canonicalNumber } from '../../../src/inbox/events/canonical-number.ts';

/** RFC 8785, appendix B: the bits of a double, and its canonical text. */
const rfcExamples = [
  ['0000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

test.each(rfcExamples)('writes the double %s as the RFC does: %s', (bits, text) => {
  expect(Buffer.from(bits, 'hex').readDoubleBE()).toBe(Number(text));
  expect(canonicalNumber(text)).toBe(text);
});

describe('a number that the RFC would change', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740993.000', '9007199254740993'],
    ['900719925474099.3e1', '9007199254740993'],
    ['12345678901234567890', '12345678901234567890'],
    ['1234567890123456789e1', '12345678901234567890'],
    ['295147905179352825856', '295147905179352825856'],
    ['123456789012345678901234e3', '123456789012345678901234000'],
  ])('keeps all digits of the integer %s', (text, canonical) => {
    expect(canonicalNumber(text)).toBe(canonical);
  });

  it.each([
    ['1e400', '1e+400'],
    ['-10.50e0399', '-1.05e+400'],
    ['0.0001E+404', '1e+400'],
    ['1e-400', '1e-400'],
    ['-0.00250e-397', '-2.5e-400'],
    ['1e999999999999999', '1e+999999999999999'],
    ['1000e-999999999999999', '1e-999999999999996'],
    ['1e+000000000000000400', '1e+400'],
  ])('keeps %s, which no double can hold', (text, canonical) => {
    expect(canonicalNumber(text)).toBe(canonical);
  });
});

test.each(['0', '-0', '0.0', '-0e5', '0e999999999999999', '0.000e-7'])('writes %s as 0', (text) => {
  expect(canonicalNumber(text)).toBe('0');
});

test.each(['1e1000000000000000', '-1.5E-1000000000000000', '0e1000000000000000'])(
  'refuses %s, whose exponent is longer than anything adds up exactly',
  (text) => {
    expect(() => canonicalNumber(text)).toThrow(
      'this is no event: body: has a number with an exponent of 16 digits; it may have 15',
    );
  },
);

test('writes all spellings of an integer in one way, and two integers in two', () => {
  const integers = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(integers, fc.nat(30), fc.nat(5), (integer, shift, zeros) => {
      const canonical = canonicalNumber(`${integer}`);
      const shifted = `${integer}${'0'.repeat(shift)}.${'0'.repeat(zeros + 1)}e-${shift}`;
      expect(canonicalNumber(shifted)).toBe(canonical);
      expect(canonicalNumber(`${integer + 1n}`)).not.toBe(canonical);
    }),
  );
});

test('writes any double as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
      expect(canonicalNumber(JSON.stringify(double))).toBe(JSON.stringify(double));
    }),
    { numRuns: 2_000 },
  );
});
