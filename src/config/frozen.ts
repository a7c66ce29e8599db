import type { Secret } from './secret.ts';

/** A value that is read-only at every depth. The values of a map are read-only by their own type. */
export type Frozen<Value> = { readonly [Key in keyof Value]: FrozenValue<Value[Key]> };
type FrozenValue<Value> = Value extends Secret | ReadonlyMap<string, unknown>
  ? Value
  : Frozen<Value>;

/** Freezes a value and all values in it. Secrets are immutable already. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const children: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const child of children) freezeDeep(child);
  return Object.freeze(value);
}
