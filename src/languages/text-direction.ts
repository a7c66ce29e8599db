/** The marks that set the direction of text: embeddings, overrides, isolates and their ends. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Letters and digits of scripts that are written from right to left, and the mark of that direction. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isolates = /\u2068[^\u2068\u2069]*\u2069/gu;

/**
 * Prepares a value for a sentence, so that its direction does not affect the text around it. A value with
 * characters from right to left is put between U+2068 and U+2069; from any other, marks of direction are removed.
 */
export function isolate(value: string): string {
  const plain = value.replace(directionMarks, '');
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** Removes the marks of {@link isolate}, for programs that would show them. */
export function withoutIsolates(sentence: string): string {
  return sentence.replace(isolates, (part) => part.slice(1, -1));
}
