import { isUtf8 } from 'node:buffer';

/** An escaped surrogate pair, a lone one, or any other escape: told apart so that `\\ud800` stays text. */
const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./gs;
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const loneEscapeLength = '\\ud800'.length;

/**
 * JSON text that DuckDB takes too: JavaScript has strings with lone surrogates, DuckDB refuses the whole
 * file for one. They become U+FFFD, as in `String.prototype.toWellFormed`; all else stays to the letter,
 * numbers beyond 2^53 among it.
 */
export function repairJsonText(text: string): string {
  if (!surrogateEscape.test(text)) return text;
  return text.replace(escapes, (escape) =>
    escape.length === loneEscapeLength ? '\\ufffd' : escape,
  );
}

/**
 * A body as text that DuckDB takes, or null when it takes the body as it is. Bytes that are no UTF-8
 * become U+FFFD.
 */
export function repairBody(body: Buffer): string | null {
  if (isUtf8(body) && !body.includes('\\ud') && !body.includes('\\uD')) return null;
  const text = body.toString('utf8');
  const repaired = repairJsonText(text);
  return isUtf8(body) && repaired === text ? null : repaired;
}
