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
const emoji =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}|\u20e3/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]*$/u;

/** First and last code points of the scripts whose characters take two columns (UAX #11, W and F). */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

/** How many columns of a terminal a line takes. */
export function terminalWidth(line: string): number {
  if (isPrintableAscii(line)) return line.length;
  let width = 0;
  for (const { segment } of graphemes.segment(line)) width += characterWidth(segment);
  return width;
}

/** The beginning of a line that fits into `width` columns, with `…` for what is left out. */
export function fitTerminal(line: string, width: number): string {
  if (isPrintableAscii(line) && line.length <= width) return line;
  let taken = 0;
  let end = 0;
  for (const { index, segment } of graphemes.segment(line)) {
    taken += characterWidth(segment);
    if (taken > width) return `${line.slice(0, end).trimEnd()}…`;
    if (taken < width) end = index + segment.length;
  }
  return line;
}

function isPrintableAscii(line: string): boolean {
  return /^[\x20-\x7e]*$/u.test(line);
}

function characterWidth(character: string): number {
  if (emoji.test(character)) return 2;
  if (invisible.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  return wideRanges.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
