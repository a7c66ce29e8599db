import { createRequire } from 'node:module';
import type * as StringWidth from 'string-width';
import { graphemesOf } from './graphemes.ts';

/** Loads the library with the first text that needs it. Its segmenter takes longer to make than many commands. */
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

/** Splits a text into lines of at most `width` columns. With null, it splits only at line breaks. */
export function wrapTerminal(text: string, width: number | null): string[] {
  const lines = text.split(/[\n\u2028\u2029]/u);
  return width === null ? lines : lines.flatMap((line) => wrapLine(line, width));
}

/** Breaks after spaces, which are dropped. A word that is longer than a line is broken between two characters. */
function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<= )(?! )/u)) {
    if (terminalWidth(current + word.trimEnd()) <= width) {
      current += word;
      continue;
    }
    lines.push(current);
    const parts = splitWord(word, width);
    current = parts.pop() ?? '';
    lines.push(...parts);
  }
  const trimmed = [...lines, current].map((part) => part.trimEnd());
  return trimmed.length === 1 ? trimmed : trimmed.filter((part) => part !== '');
}

function splitWord(word: string, width: number): string[] {
  const parts: string[] = [];
  let start = 0;
  let used = 0;
  for (const { index, segment } of graphemesOf(word)) {
    const taken = terminalWidth(segment);
    if (used + taken > width && index > start && segment !== ' ') {
      parts.push(word.slice(start, index));
      start = index;
      used = 0;
    }
    used += taken;
  }
  return [...parts, word.slice(start)];
}
