import { createRequire } from 'node:module';
import type * as StringWidth from 'string-width';
import type * as WrapAnsi from 'wrap-ansi';
import { graphemesOf } from './graphemes.ts';

/** Loads the libraries with the first text that needs them. Their segmenter takes longer to make than many commands. */
const require = createRequire(import.meta.url);

/** Matches Latin letters, dashes, quotes and dots, which take one column each. */
const narrow = /^[ -~\u00a0-\u00ac\u00ae-\u02af\u2010-\u2027]*$/u;

/** Returns the number of terminal columns that a line takes. */
export function terminalWidth(line: string): number {
  if (narrow.test(line)) return line.length;
  const { default: stringWidth } = require('string-width') as typeof StringWidth;
  return stringWidth(line, { countAnsiEscapeCodes: true });
}

/** Shortens a line to `width` columns, with `…` at the end. */
export function fitTerminal(line: string, width: number): string {
  // A UTF-16 unit takes at most two columns.
  if (2 * line.length <= width) return line;
  if (line.length <= width && terminalWidth(line) <= width) return line;
  let taken = 0;
  let end = 0;
  for (const { index, segment } of graphemesOf(line)) {
    taken += terminalWidth(segment);
    if (taken > width) return `${line.slice(0, end).trimEnd()}…`;
    if (taken < width) end = index + segment.length;
  }
  return line;
}

/**
 * Splits a text into lines of at most `width` columns: after spaces, which are dropped, or within a word that is longer
 * than a line. With null, it splits only at line breaks.
 */
export function wrapTerminal(text: string, width: number | null): string[] {
  const lines = text.split(/[\n\u2028\u2029]/u);
  if (width === null) return lines;
  const { default: wrap } = require('wrap-ansi') as typeof WrapAnsi;
  return lines.flatMap((line) => {
    if (terminalWidth(line) <= width) return line.trimEnd();
    const words = line.trimStart();
    // the library drops the indent of a line
    const room = line.length - words.length;
    const indent = room < width - 1 ? line.slice(0, room) : '';
    const [first = '', ...more] = wrap(words, width - indent.length, { hard: true }).split('\n');
    return [indent + first, ...more];
  });
}
