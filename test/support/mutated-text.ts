import fc from 'fast-check';

/** One change of a text. Places are shares of its length, so that they fit any text. */
type Change =
  | { readonly kind: 'delete' | 'double'; readonly at: number; readonly length: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'swap'; readonly at: number; readonly other: number };

/** Bytes that ordinary texts do not have. */
const harshBytes = [[0xef, 0xbb, 0xbf], [0x00], [0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0x0d]];

/** A text with some changes: pieces are removed, doubled or exchanged, or `fragments` are inserted. */
export function mutated(texts: readonly string[], fragments: fc.Arbitrary<string>) {
  const at = fc.nat(9_999).map((share) => share / 10_000);
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({
      kind: fc.constantFrom('delete', 'double'),
      at,
      length: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({ kind: fc.constant('insert'), at, text: fragments }),
    fc.record({ kind: fc.constant('swap'), at, other: at }),
  );
  return fc
    .record({
      text: fc.constantFrom(...texts),
      changes: fc.array(change, { minLength: 1, maxLength: 6 }),
    })
    .map(({ text, changes }) => changes.reduce(changed, text));
}

function changed(text: string, change: Change): string {
  const place = Math.floor(change.at * text.length);
  switch (change.kind) {
    case 'delete':
      return text.slice(0, place) + text.slice(place + change.length);
    case 'double':
      return text.slice(0, place + change.length) + text.slice(place);
    case 'insert':
      return text.slice(0, place) + change.text + text.slice(place);
    case 'swap':
      return swapLines(text, change.at, change.other);
  }
}

function swapLines(text: string, one: number, other: number): string {
  const lines = text.split('\n');
  const [a, b] = [Math.floor(one * lines.length), Math.floor(other * lines.length)];
  [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  return lines.join('\n');
}

/** The bytes of a text, mostly unchanged, sometimes with a byte order mark, CRLF, or invalid UTF-8. */
export function asBytes(text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  const plain = text.map((written) => Buffer.from(written));
  const windows = text.map((written) => Buffer.from(`\uFEFF${written.replaceAll('\n', '\r\n')}`));
  const harsh = fc
    .record({ text, at: fc.nat(9_999), bytes: fc.constantFrom(...harshBytes) })
    .map(({ text: written, at, bytes }) => {
      const given = Buffer.from(written);
      const place = Math.floor((at / 10_000) * given.length);
      return Buffer.concat([given.subarray(0, place), Buffer.from(bytes), given.subarray(place)]);
    });
  return fc.oneof({ weight: 6, arbitrary: plain }, windows, { weight: 2, arbitrary: harsh });
}
