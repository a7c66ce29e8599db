import stringWidth from 'string-width';

/** Everything by which a text could steer a terminal: C0 but tab and line feed, DEL, and C1. */
const controls = /[^\P{Cc}\t\n]/gu;
/** Marks that turn the direction of what follows, and with it the meaning of a line. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/gu;
const halfPairs = /\p{Cs}/gu;
/** Line and paragraph separators, next line and the like, tabs and line feeds. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/**
 * Text that no terminal obeys: controls become their pictures (`␛`), marks of direction and broken
 * characters become `�`. Lines stay lines.
 */
export function stripTerminalControls(text: string): string {
  return text
    .replace(/\r\n/gu, '\n')
    .replace(controls, controlPicture)
    .replace(bidiControls, '\ufffd')
    .replace(halfPairs, '\ufffd');
}

/** The same on one line, for a cell or a name: breaks become single spaces. */
export function terminalLine(text: string): string {
  return stripTerminalControls(text.replace(breaks, ' ')).trim();
}

/** Unicode has pictures of the 32 controls of ASCII and of DEL, none of the younger ones. */
function controlPicture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal a line takes. */
export function terminalWidth(line: string): number {
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

/** `isTTY` is undefined where it is not true. */
export function isTerminal(stream: NodeJS.WriteStream): boolean {
  return (stream.isTTY as boolean | undefined) === true;
}

/** Whether it takes control sequences. */
export function canSteer(stream: NodeJS.WriteStream): boolean {
  return isTerminal(stream) && process.env['TERM'] !== 'dumb';
}

export function canShowColor(stream: NodeJS.WriteStream): boolean {
  return canSteer(stream) && !process.env['NO_COLOR'];
}
