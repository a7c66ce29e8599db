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
  let written = '';
  let copied = 0;
  for (const { index, 0: number } of tokensOf(json, /"|-?\d[\d.eE+-]*/g)) {
    written += `${json.slice(copied, index)}"${write(number)}"`;
    copied = index + number.length;
  }
  return JSON.parse(written + json.slice(copied));
}

/** Whether it opens more arrays and objects in one another than `most`: what calls itself for each cannot read it. */
export function isNestedDeeper(json: string, most: number): boolean {
  let depth = 0;
  for (const [bracket] of tokensOf(json, /["[{\]}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > most) return true;
  }
  return false;
}

/**
 * What `pattern` finds between texts. These are passed over by hand: a regular expression for a text of millions of
 * escapes fills the stack.
 * @param pattern global, and finds quotes too
 */
function* tokensOf(json: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let found = pattern.exec(json); found; found = pattern.exec(json)) {
    if (found[0] === '"') pattern.lastIndex = endOfText(json, found.index);
    else yield found;
  }
}

/** Behind the closing quote of the text that begins at `start`. */
function endOfText(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote + 1;
}

function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
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
