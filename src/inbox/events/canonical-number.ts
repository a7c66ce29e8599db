import { UnfitEventError } from './unfit-event-error.ts';

/** Up to here the shortest text of a double is the whole value of any integer (RFC 8785, section 3.2.2.3). */
const exactBelow = 2 ** 53;
/** Digits, leading zeros aside: what comes of more is not exact, and no number that anybody means. */
const longestExponent = 15;
const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d+))?$/;

/** A number other than 0 to its last digit: 0.digits × 10^point, without zeros at either end of the digits. */
interface ExactNumber {
  readonly sign: string;
  readonly digits: string;
  readonly point: number;
}

/**
 * The canonical text of a JSON number: that of its double (RFC 8785). Where this would make one of two
 * different numbers, it departs from the RFC: integers keep all their digits, and what is too large
 * or too small for a double is written as `1.5e+400`.
 * @throws UnfitEventError for an exponent of more than 15 digits
 */
export function canonicalNumber(text: string): string {
  const double = Number(text);
  const shortest = String(double);
  if (Math.abs(double) < exactBelow && double !== 0) return shortest;
  const exact = readExact(text);
  if (exact === null) return '0';
  if (double === 0 || !Number.isFinite(double)) return withExponent(exact);
  const isInteger = exact.point >= exact.digits.length;
  return isInteger && !isSame(exact, readExact(shortest)) ? allDigits(exact) : shortest;
}

/** Null for 0. An exponent that is too long makes 0 or infinity of any number, so none is missed here. */
function readExact(text: string): ExactNumber | null {
  const [, sign = '', whole = '', fraction = '', exponentSign = '', exponent = '0'] =
    parts.exec(text) ?? [];
  if (exponent.length > longestExponent) refuseExponent(exponent.length);
  const all = whole + fraction;
  const start = countLeadingZeros(all);
  if (start === all.length) return null;
  const digits = all.slice(start, all.length - countTrailingZeros(all));
  return { sign, digits, point: whole.length - start + Number(exponentSign + exponent) };
}

function refuseExponent(digits: number): never {
  const reason = `has a number with an exponent of ${digits} digits; it may have ${longestExponent}`;
  throw new UnfitEventError({ body: [reason] });
}

function isSame(a: ExactNumber, b: ExactNumber | null): boolean {
  return b !== null && a.sign === b.sign && a.digits === b.digits && a.point === b.point;
}

function allDigits({ sign, digits, point }: ExactNumber): string {
  return sign + digits.padEnd(point, '0');
}

function withExponent({ sign, digits, point }: ExactNumber): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const exponent = point - 1;
  return `${sign}${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '' : '+'}${exponent}`;
}

function countLeadingZeros(digits: string): number {
  let count = 0;
  while (digits[count] === '0') count += 1;
  return count;
}

/** By hand: a regular expression for trailing zeros takes quadratic time on zeros in the middle. */
function countTrailingZeros(digits: string): number {
  let count = 0;
  while (digits[digits.length - 1 - count] === '0') count += 1;
  return count;
}
