import fc from 'fast-check';

/** JSON texts on which parsers differ: the text of a value, not the value. */
const harshTokens = [
  ...String.raw`
    null true 0 -0 -1 1.0 1.5 1e2 12e-1 1e400 -1e400 1e-400 [] {} [{}] [null] {"":{}}
    9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808
    18446744073709551616 9223372036854775807.0 0.1e1 123456789012345678901234567890
    "" "\u0000" "a\u0000b" "\ud800" "\udc00x" "\ud83d\ude00" "\ud83d" "\\ud800" "12" "null"
    "2026-01-10" "epoch" "infinity" "2026-01-10T08:30:00Z" "2026-01-10T08:30:00+14:00"
    "2026-02-30T08:30:00Z" "0000-01-01T00:00:00Z" "9999-12-31T23:59:59.999999999Z"
    "2026-01-10T08:30Z" "2026-01-10t24:00:00z" "-271821-04-20T00:00:00Z" "2026-06-30T23:59:60Z"
    {"id":"a","id":"b"} {"__proto__":1} {"a/b~c":1,"$":2,"*":3}`
    .trim()
    .split(/\s+/),
  ...['" "', '"\uFEFF"', '"\u2028"', '"2026-01-10 08:30:00"'],
  ...[`"${'x'.repeat(100_000)}"`, `"${'\\n'.repeat(100_000)}"`],
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
];

/** The text of any JSON value, often one that is hard to parse. */
export const harshValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...harshTokens) },
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 10 }).map((value) => JSON.stringify(value)),
);

/** An object's text with these members in this order; a name may stand twice. */
function objectText(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** An object of an API, as text, with some members changed, missing, doubled or added. */
export function objectNear(
  usual: Readonly<Record<string, unknown>>,
  values: fc.Arbitrary<string> = harshValue,
): fc.Arbitrary<string> {
  const names = Object.keys(usual);
  const other = fc.constantFrom(...names, 'extra', '', '__proto__', 'a.b', '$.id', 'Id');
  return fc
    .record({
      left: fc.subarray(names, { minLength: Math.max(0, names.length - 2) }),
      changes: fc.array(fc.tuple(other, values), { maxLength: 3 }),
      isDoubled: fc.boolean(),
    })
    .map(({ left, changes, isDoubled }) => {
      const changed = new Set(isDoubled ? [] : changes.map(([name]) => name));
      const kept = left.filter((name) => !changed.has(name));
      return objectText([
        ...kept.map((name) => [name, JSON.stringify(usual[name])] as const),
        ...changes,
      ]);
    });
}
