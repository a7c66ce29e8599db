/** Texts, which are passed over, and numbers. */
const tokens = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/gs;

/** What stands before and in a number that is more than a few digits, where no whitespace is between tokens. */
const notPlain = /(?:":|[[,])-?\d+(?:[.eE]|\d{15})/;

/**
 * Whether all numbers are integers that JavaScript writes as they stand there, so that nobody has to look at their
 * digits. No text is looked for closely: one that looks like such a number costs that look.
 * @param json without whitespace between tokens
 */
export function hasPlainNumbers(json: string): boolean {
  return !notPlain.test(json);
}

/** Whether the tables can hold it as a count. */
export function isCount(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63;
}

/** What a JSON text holds, each number as its text, or as what `write` makes of that. */
export function parseDigits(json: string, write = (number: string) => number): unknown {
  return JSON.parse(
    json.replace(tokens, (token) => (token.startsWith('"') ? token : `"${write(token)}"`)),
  );
}

/**
 * JSON of a value with all digits of its numbers: a number of JavaScript has 53 bits.
 * @param digits the same value by {@link parseDigits}, or one that has further fields
 * @param order of the keys of each object
 */
export function writeExactly(value: unknown, digits: unknown, order = givenOrder): string {
  if (typeof value === 'number') return String(digits);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const write = (key: string | number): string =>
    writeExactly(Reflect.get(value, key), Reflect.get(Object(digits), key), order);
  if (Array.isArray(value)) return `[${value.map((_, index) => write(index)).join(',')}]`;
  const members = order(Object.keys(value)).map((key) => `${JSON.stringify(key)}:${write(key)}`);
  return `{${members.join(',')}}`;
}

function givenOrder(keys: string[]): string[] {
  return keys;
}
