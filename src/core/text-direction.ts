/** Marks by which a text steers its own direction: embeddings, overrides, isolates and their ends. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Blocks that are written from right to left, their digits, and marks of that direction. */
const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u; // prettier-ignore
const isolates = /\u2068[^\u2068\u2069]*\u2069/gu;

/**
 * A value as it stands in a sentence of another language: its direction orders nothing but itself. One that
 * holds letters, digits or marks from right to left stands between U+2068 and U+2069; others are as given,
 * without marks of direction.
 */
export function isolate(value: string): string {
  const plain = value.replace(directionMarks, '');
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** The same sentence without the marks of {@link isolate}, for what shows them. */
export function withoutIsolates(sentence: string): string {
  return sentence.replace(isolates, (part) => part.slice(1, -1));
}

/** Where a sentence begins: at the side of its first letter outside of isolated values. */
export function sentenceDirection(sentence: string): 'ltr' | 'rtl' {
  const letter = /\p{L}/u.exec(sentence.replace(isolates, ''))?.[0] ?? '';
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}
