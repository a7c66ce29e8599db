import type { Secret } from './secret.ts';

/** Read only at every depth, as `freezeDeep` leaves it. What a map holds is so by its own type. */
export type Frozen<Value> = { readonly [Key in keyof Value]: FrozenValue<Value[Key]> };
type FrozenValue<Value> = Value extends Secret | ReadonlyMap<string, unknown>
  ? Value
  : Frozen<Value>;

/** Secrets keep themselves. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const children: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const child of children) freezeDeep(child);
  return Object.freeze(value);
}
