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
  return stringWidth(line);
}

/** The beginning of a line that fits into `width` columns, with `…` for what is left out. */
export function fitTerminal(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let taken = 0;
  let end = 0;
  for (const { index, segment } of graphemes.segment(line)) {
    taken += stringWidth(segment);
    if (taken > width) return `${line.slice(0, end).trimEnd()}…`;
    if (taken < width) end = index + segment.length;
  }
  return line;
}

/** A part of a text, from `start` up to but without `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The text's lines, broken so that each fits into `width` columns; null breaks none but its own. */
export function wrapTerminal(text: string, width: number | null): string[] {
  return wrapRanges(text, width).map(({ start, end }) => text.slice(start, end));
}

/**
 * Where the lines of {@link wrapTerminal} stand in the text. They break after spaces, which go, and
 * beside wide characters, but not before a closing mark or after an opening one; a word that is
 * longer than a line breaks where the line ends, between two characters as people see them.
 */
export function wrapRanges(text: string, width: number | null): TextRange[] {
  const ranges: TextRange[] = [];
  let start = 0;
  for (const line of text.split(/[\n\u2028\u2029]/u)) {
    const parts = width === null ? [{ start: 0, end: line.length }] : wrapLine(line, width);
    for (const part of parts) ranges.push({ start: start + part.start, end: start + part.end });
    start += line.length + 1;
  }
  return ranges;
}

const breakingSpace = /^[^\S\u00a0\u2007\u202f\ufeff]$/u;
const closingMark = /^[\p{Pe}\p{Pf}\p{Po}ー]/u;
const openingMark = /^[\p{Ps}\p{Pi}@#]/u;

function wrapLine(line: string, width: number): TextRange[] {
  const ranges: TextRange[] = [];
  let start = 0;
  let used = 0;
  let chance = { at: 0, used: 0 };
  let previous = ' ';
  const endLine = (at: number, usedBefore: number) => {
    ranges.push({ start, end: start + line.slice(start, at).trimEnd().length });
    start = at;
    used -= usedBefore;
    chance = { at, used: 0 };
  };
  for (const { index, segment } of graphemes.segment(line)) {
    const taken = stringWidth(segment);
    if (isBreakBetween(previous, segment)) chance = { at: index, used };
    while (index > start && used + taken > width && !breakingSpace.test(segment)) {
      if (chance.at > start) endLine(chance.at, chance.used);
      else endLine(index, used);
    }
    used += taken;
    previous = segment;
  }
  ranges.push({ start, end: start + line.slice(start).trimEnd().length });
  return ranges.length === 1 ? ranges : ranges.filter((range) => range.end > range.start);
}

function isBreakBetween(previous: string, next: string): boolean {
  if (breakingSpace.test(next)) return false;
  if (breakingSpace.test(previous)) return true;
  const isBesideWide = stringWidth(previous) === 2 || stringWidth(next) === 2;
  return isBesideWide && !closingMark.test(next) && !openingMark.test(previous);
}
