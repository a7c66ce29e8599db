/**
 * An object of these fields, its keys and those of all objects in it in order: copies of an event may
 * differ in theirs, and must come to the same.
 */
export function sortedObject(fields: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, sortedValue(value)]),
  );
}

function sortedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedValue);
  if (typeof value !== 'object' || value === null) return value;
  return sortedObject(Object.entries(value));
}
