/** Texts, which are passed over, and numbers. */
const tokens = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/gs;

/** Whether the tables can hold it as a count. */
export function isCount(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63;
}

/** What a JSON text holds, each number as its text. */
export function parseDigits(json: string): unknown {
  return JSON.parse(
    json.replace(tokens, (token) => (token.startsWith('"') ? token : `"${token}"`)),
  );
}

/**
 * JSON of a value, its numbers to the letter: a number of JavaScript has 53 bits.
 * @param digits the same value by {@link parseDigits}, or one that has further fields
 */
export function writeExactly(value: unknown, digits: unknown): string {
  if (typeof value === 'number') return String(digits);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const write = (key: string): string =>
    writeExactly(Reflect.get(value, key), Reflect.get(Object(digits), key));
  const keys = Object.keys(value);
  if (Array.isArray(value)) return `[${keys.map(write).join(',')}]`;
  return `{${keys.map((key) => `${JSON.stringify(key)}:${write(key)}`).join(',')}}`;
}
