import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Returns the SHA-256, in lower-case hex, of a value's canonical JSON (RFC 8785). It does not depend on the order
 * of keys, and numbers count as doubles.
 * @throws Error for a number beyond the range of a double, which has no canonical form
 */
export function canonicalHash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}

/** Parses JSON. A text that is none is null. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** True for a JSON object or a YAML mapping, but not for a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/* These functions read values of unknown type. A missing value, or one of another type, yields nothing. */

export function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** True if a BIGINT column can hold the number. */
export function isCount(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63;
}

/** The maximum nesting of JSON: more than any answer or event has, and safe for recursive functions. */
export const maxDepth = 1000;

/** True if arrays and objects are nested deeper than {@link maxDepth}. */
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

/** Matches an escaped backslash or a surrogate pair, which are kept, or a lone surrogate, which is replaced. */
const surrogateEscapes =
  /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;
const loneSurrogateLength = '\\ud800'.length;

/**
 * Replaces lone surrogates by U+FFFD and changes nothing else. JavaScript accepts them, but DuckDB refuses a file
 * that has one.
 */
export function repairJsonText(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replace(surrogateEscapes, (escape) =>
    escape.length === loneSurrogateLength ? '\\ufffd' : escape,
  );
}
