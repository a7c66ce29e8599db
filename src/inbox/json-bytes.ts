/** JSON's marks in ASCII: as bytes of UTF-8, and as units of UTF-16. */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const lineFeed = 0x0a;

const space = 0x20;
const tab = 0x09;
const carriageReturn = 0x0d;

/** The whitespace that may stand between tokens. */
export function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === carriageReturn || code === tab;
}
