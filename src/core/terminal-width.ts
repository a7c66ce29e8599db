import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Latin letters, and the dashes, quotes and dots among them: of one column each. */
const narrow = /^[ -~\u00a0-\u00ac\u00ae-\u02af\u2010-\u2027]*$/u;

/** How many columns of a terminal a line takes. */
export function terminalWidth(line: string): number {
  // what knows emoji takes longer to get ready than most commands take
  if (narrow.test(line)) return line.length;
  return stringWidth(line, { countAnsiEscapeCodes: true });
}

/** The beginning of a line that fits into `width` columns, with `…` for what is left out. */
export function fitTerminal(line: string, width: number): string {
  // a UTF-16 unit takes two columns at most
  if (2 * line.length <= width) return line;
  if (line.length <= width && terminalWidth(line) <= width) return line;
  let taken = 0;
  let end = 0;
  for (const { index, segment } of graphemes.segment(line)) {
    taken += terminalWidth(segment);
    if (taken > width) return `${line.slice(0, end).trimEnd()}…`;
    if (taken < width) end = index + segment.length;
  }
  return line;
}

/** The text's lines, broken so that each fits into `width` columns; null breaks none but its own. */
export function wrapTerminal(text: string, width: number | null): string[] {
  const lines = text.split(/[\n\u2028\u2029]/u);
  return width === null ? lines : lines.flatMap((line) => wrapLine(line, width));
}

/** Breaks after spaces, which go; a word that is longer than a line breaks between two characters. */
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
  for (const { index, segment } of graphemes.segment(word)) {
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
