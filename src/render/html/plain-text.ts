import { graphemesOf } from '../../core/graphemes.ts';

/** The characters that HTML does not allow: C0 and C1 controls except tab and line feed, and lone surrogates. */
const controls = /[^\P{Cc}\t\n]|\p{Cs}/gu;
/** Embeddings, overrides and isolates, which could change the direction of text around an attribute. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/gu;

export function cleanText(text: string): string {
  return text.replace(controls, '');
}

/** Text for an attribute: one line, without marks that change the direction of the text after it. */
export function cleanAttribute(text: string): string {
  return oneLine(text).replace(bidiControls, '');
}

/** The text with each run of white space as one space. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Latin letters, punctuation and currency signs, which are whole characters unless a combining mark follows. */
const simpleText = /[ -\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*/uy;
/** No single character has more code units than this. */
const maxUnits = 64;

/**
 * The first `count` characters of a text, as people count them, on one line, with `…` when something is cut.
 * Characters of more than 8 code units on average (stacked accents) use up the rest.
 */
export function shorten(text: string, count: number): string {
  const line = oneLine(text);
  if (line.length <= count) return line;
  const most = Math.min(line.length, count * 8);
  let end = 0;
  for (let taken = 0; taken < count && end < most; ) {
    // Segmenting text is slow, and most characters do not need it.
    const simple = Math.min(simpleUnits(line, end), count - taken);
    end += simple > 0 ? simple : firstGrapheme(line.slice(end, end + maxUnits)).length;
    taken += Math.max(simple, 1);
  }
  return end === line.length ? line : `${line.slice(0, end).trimEnd()}…`;
}

/** The number of simple characters from there on, without the last one, which a mark may follow. */
function simpleUnits(line: string, from: number): number {
  simpleText.lastIndex = from;
  const { length } = simpleText.exec(line)?.[0] ?? '';
  return from + length === line.length ? length : length - 1;
}

function firstGrapheme(text: string): string {
  return graphemesOf(text).containing(0)?.segment ?? text;
}

/** The address of a link that the page may contain, http or https; null for any other. */
export function safeLink(url: string): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  return address && ['http:', 'https:'].includes(address.protocol) ? address.href : null;
}
