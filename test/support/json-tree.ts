import fc from 'fast-check';

/** JSON before it is written: tokens to the letter, members in an order that means nothing. */
export type JsonTree =
  | { readonly token: string }
  | { readonly items: readonly JsonTree[] }
  | { readonly members: Readonly<Record<string, JsonTree>> };

export function treeOf(value: unknown): JsonTree {
  if (Array.isArray(value)) return { items: value.map(treeOf) };
  if (typeof value !== 'object' || value === null) return { token: JSON.stringify(value) };
  // undefined is no JSON, and in JavaScript a member that is not there
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return { members: Object.fromEntries(given.map(([name, inner]) => [name, treeOf(inner)])) };
}

/** Trees whose keys are unique, which is all that a canonical form is for. */
export function treeWith(tokens: fc.Arbitrary<string>): fc.Arbitrary<JsonTree> {
  const name = fc.oneof(
    fc.constantFrom('id', 'title', '', '\0', '\u{1F600}', '\uFFFF', '"'),
    fc.string(),
  );
  return fc.letrec<{ tree: JsonTree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tokens.map((token) => ({ token })),
      fc.array(tie('tree'), { maxLength: 3 }).map((items) => ({ items })),
      fc.dictionary(name, tie('tree'), { maxKeys: 3 }).map((members) => ({ members })),
    ),
  })).tree;
}

/** How a sender writes JSON: with what white space, and whether with the members from the last to the first. */
export interface Hand {
  readonly space: string;
  readonly isTurned: boolean;
}

export const hand: fc.Arbitrary<Hand> = fc.record({
  space: fc.constantFrom('', ' ', '\n\t', '\r\n'),
  isTurned: fc.boolean(),
});

export function writeTree(tree: JsonTree, { space, isTurned }: Hand): string {
  const write = (inner: JsonTree): string => {
    if ('token' in inner) return inner.token;
    if ('items' in inner) return `[${space}${inner.items.map(write).join(`${space},`)}${space}]`;
    const names = Object.keys(inner.members);
    const members = (isTurned ? names.reverse() : names).map((name) => {
      const value = inner.members[name] ?? { token: 'null' };
      return `${JSON.stringify(name)}${space}:${space}${write(value)}`;
    });
    return `{${space}${members.join(`,${space}`)}${space}}`;
  };
  return `${space}${write(tree)}${space}`;
}
