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

/** What a JSON text holds, each number as its text. */
export function parseDigits(json: string): unknown {
  let written = '';
  let copied = 0;
  for (const { index, 0: number } of tokensOf(json, /"|-?\d[\d.eE+-]*/g)) {
    written += `${json.slice(copied, index)}"${number}"`;
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
 */
export function writeExactly(value: unknown, digits: unknown): string {
  if (typeof value === 'number') return String(digits);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const write = (key: string | number): string =>
    writeExactly(Reflect.get(value, key), Reflect.get(Object(digits), key));
  if (Array.isArray(value)) return `[${value.map((_, index) => write(index)).join(',')}]`;
  const members = Object.keys(value).map((key) => `${JSON.stringify(key)}:${write(key)}`);
  return `{${members.join(',')}}`;
}

/** An object of JSON, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An escaped backslash, a surrogate pair (both kept), or a lone surrogate (replaced). */
const surrogateEscapes =
  /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;
const loneSurrogateLength = '\\ud800'.length;

/**
 * JSON text that DuckDB takes too: it refuses a file for one lone surrogate, which JavaScript has. They
 * become U+FFFD; all else stays to the letter, numbers beyond 2^53 among it.
 */
export function repairJsonText(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replace(surrogateEscapes, (escape) =>
    escape.length === loneSurrogateLength ? '\\ufffd' : escape,
  );
}
