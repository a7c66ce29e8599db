const maxLength = 40;

/** Describes a foreign value in a message: text is shortened and quoted, and a list or an object is only named. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(beginningOf(value));
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Cuts between characters, so that no surrogate pair is split. */
export function beginningOf(value: string): string {
  return Array.from(value.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join('');
}
