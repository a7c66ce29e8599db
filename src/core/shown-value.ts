const maxLength = 40;

/** A value of others in words, for a message: short, and a text in its quotes. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(beginningOf(value));
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** By characters, so that none is cut in two. */
export function beginningOf(value: string): string {
  return Array.from(value.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join('');
}
