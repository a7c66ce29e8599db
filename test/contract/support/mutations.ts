import fc, { type Arbitrary } from 'fast-check';

/** One change to a JSON value, somewhere in it. */
export interface Mutation {
  /** Which of its places, counted round and round. */
  readonly at: number;
  /** What comes there; `drop` takes the place away, `add` puts an unknown field into it. */
  readonly change:
    | { readonly kind: 'drop' | 'add' }
    | { readonly kind: 'put'; readonly value: unknown };
}

const oddValues = [
  null,
  '',
  'Unknown',
  0,
  -1,
  1.5,
  1e15,
  true,
  {},
  [],
  [null],
  'no-uuid',
  '00000000-0000-0000-0000-000000000000',
  '2024-02-29',
  '2026-02-30',
  '2026-01-15T12:00:00',
  '2026-01-15T12:00:00Z',
  '2026-01-15T24:00:00Z',
  '2025-02-29T12:00:00+01:00',
  '2026-01-15 12:00:00Z',
];

export const mutations: Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  change: fc.oneof(
    fc.constant({ kind: 'drop' as const }),
    fc.constant({ kind: 'add' as const }),
    fc.constantFrom(...oddValues).map((value) => ({ kind: 'put' as const, value })),
  ),
});

/** The value with the change; the one that was given stays as it was. */
export function mutate(value: unknown, { at, change }: Mutation): unknown {
  const places = placesIn(value);
  return changeAt(value, places[at % places.length] ?? [], change);
}

/** Paths to a value and to everything in it. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, child]) =>
    placesIn(child).map((place) => [key, ...place]),
  );
  return [[], ...inner];
}

function changeAt(value: unknown, place: readonly string[], change: Mutation['change']): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return changed(value, change);
  const isDropped = rest.length === 0 && change.kind === 'drop';
  const entries = Object.entries(value as object).flatMap(([name, child]) => {
    if (name !== key) return [[name, child as unknown]];
    return isDropped ? [] : [[name, changeAt(child, rest, change)]];
  });
  if (Array.isArray(value)) return entries.map(([, child]) => child);
  return Object.fromEntries(entries) as unknown;
}

function changed(value: unknown, change: Mutation['change']): unknown {
  if (change.kind === 'put') return change.value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return change.kind === 'add' && isObject ? { ...value, unknownField: 1 } : value;
}
