/** Ways into values of which nothing is known yet: what is not there, or of another kind, is nothing. */

export function childAt(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isMapping(value) ? Object.entries(value) : [];
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
