import { createHash } from 'node:crypto';
import canonicalizeModule from 'canonicalize';

// its types declare an ES module, but the package is CommonJS: the function is what is imported
const canonicalize = canonicalizeModule as unknown as typeof canonicalizeModule.default;

/**
 * The SHA-256, in lower-case hex, of a value's canonical JSON (RFC 8785): the same however its keys are ordered. Numbers
 * count as doubles.
 * @throws Error for a number beyond the range of a double, which has no canonical form
 */
export function canonicalHash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}

/** An object of JSON or a mapping of YAML, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/* Ways into values of which nothing is known yet: what is not there, or of another kind, is nothing. */

export function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether the tables can hold it as a count. */
export function isCount(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63;
}

/** Deeper than any answer or event, and shallow enough for what calls itself for each level. */
export const maxDepth = 1000;

/** Whether it opens more arrays and objects in one another than {@link maxDepth}. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  }
  return false;
}

/** An escaped backslash, a surrogate pair (both kept), or a lone surrogate (replaced). */
const surrogateEscapes =
  /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;
const loneSurrogateLength = '\\ud800'.length;

/**
 * JSON text that DuckDB takes too: it refuses a file for one lone surrogate, which JavaScript has. They become
 * U+FFFD; all else stays to the letter.
 */
export function repairJsonText(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replace(surrogateEscapes, (escape) =>
    escape.length === loneSurrogateLength ? '\\ufffd' : escape,
  );
}
