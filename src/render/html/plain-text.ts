/** C0 and C1 controls but tab and line feed, and halves of surrogate pairs: none is allowed in HTML. */
const controls = /[^\P{Cc}\t\n]|\p{Cs}/gu;
/** Embeddings, overrides and isolates: in an attribute no element keeps them from their neighbours. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/gu;

export function cleanText(text: string): string {
  return text.replace(controls, '');
}

/** Text for an attribute: one line, without marks that turn the direction of what follows. */
export function cleanAttribute(text: string): string {
  return oneLine(text).replace(bidiControls, '');
}

/** Any run of white space as one space. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Latin letters, marks of punctuation and currencies: each is a character of its own. */
const simpleText = /^[ -\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*$/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The first `count` characters as people count them, on one line, with `…` where something is left
 * out. A character of more than 8 code units on average (stacked accents) uses up the rest.
 */
export function shorten(text: string, count: number): string {
  const line = oneLine(text);
  if (line.length <= count) return line;
  // Taking texts apart is slow, and most begin with nothing that needs it.
  if (simpleText.test(line.slice(0, count + 1))) return `${line.slice(0, count).trimEnd()}…`;
  let end = 0;
  let taken = 0;
  for (const { index, segment } of graphemes.segment(line.slice(0, count * 8))) {
    if (taken === count) return `${line.slice(0, end).trimEnd()}…`;
    end = index + segment.length;
    taken += 1;
  }
  return end === line.length ? line : `${line.slice(0, end).trimEnd()}…`;
}

/** The address when a browser may open it from a page of ours: http and https alone, else null. */
export function safeLink(url: string): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  return address && ['http:', 'https:'].includes(address.protocol) ? address.href : null;
}
