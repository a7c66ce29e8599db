/** The characters by which a text could control a terminal: C0 except tab and line feed, DEL, and C1. */
const controls = /[^\P{Cc}\t\n]/gu;
/** The marks that change the direction of the text after them, and so the meaning of a line. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/gu;
const loneSurrogates = /\p{Cs}/gu;
/** Tabs, line feeds and other line breaks. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/**
 * Makes a text safe for a terminal: controls become their pictures (`␛`), and marks of direction and broken
 * characters become `�`. Line breaks are kept.
 */
export function stripTerminalControls(text: string): string {
  return text
    .replace(/\r\n/gu, '\n')
    .replace(controls, controlPicture)
    .replace(bidiControls, '\ufffd')
    .replace(loneSurrogates, '\ufffd');
}

/** Makes a text safe for one line of a terminal, for a cell or a name: breaks become single spaces. */
export function terminalLine(text: string): string {
  return stripTerminalControls(text.replace(breaks, ' ')).trim();
}

/** Unicode has pictures of the 32 ASCII controls and of DEL, but not of C1 controls. */
function controlPicture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

export function isTerminal(stream: NodeJS.WriteStream): boolean {
  return (stream.isTTY as boolean | undefined) === true;
}

/** True if the stream is a terminal that understands control sequences. */
export function supportsControls(stream: NodeJS.WriteStream): boolean {
  return isTerminal(stream) && process.env['TERM'] !== 'dumb';
}

export function canShowColor(stream: NodeJS.WriteStream): boolean {
  return supportsControls(stream) && !process.env['NO_COLOR'];
}
