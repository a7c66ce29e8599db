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
