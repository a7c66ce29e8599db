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

/** A figure keeps to its unit. */
function oneLine(text: string): string {
  return text.replace(/[^\S\u00a0\u202f]+/gu, ' ').trim();
}

/** Latin letters, punctuation and currency signs, which are whole characters unless a combining mark follows. */
const simpleText = /^[ -\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*$/u;

/**
 * The first `count` characters of a text, as people count them, on one line, with `…` when something is cut.
 * Characters of more than 8 code units on average (stacked accents) use up the rest.
 */
export function shorten(text: string, count: number): string {
  const line = oneLine(text);
  if (line.length <= count) return line;
  let end = 0;
  // Segmenting text is slow, and most texts do not need it.
  if (simpleText.test(line.slice(0, count + 1))) end = count;
  else {
    let left = count;
    for (const { segment } of graphemesOf(line.slice(0, count * 8))) {
      if (left === 0) break;
      end += segment.length;
      left -= 1;
    }
  }
  return end === line.length ? line : `${line.slice(0, end).trimEnd()}…`;
}

/** The address of a link that the page may contain, http or https; null for any other. */
export function safeLink(url: string): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  return address && ['http:', 'https:'].includes(address.protocol) ? address.href : null;
}
