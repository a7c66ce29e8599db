import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyIndex } from '../../../src/inbox/spool/key-index.ts';

function keyOf(value: number): string {
  return createHash('sha256').update(String(value)).digest('hex');
}

test('knows the keys that were added, and no others, however many they are', () => {
  const index = new KeyIndex();
  const count = 100_000;
  for (let value = 0; value < count; value += 1) index.add(keyOf(value));
  for (let value = 0; value < count; value += 1) index.add(keyOf(value));
  expect(index.size).toBe(count);
  const known = Array.from({ length: 2 * count }, (_, value) => index.has(keyOf(value)));
  expect(known.indexOf(false)).toBe(count);
  expect(known.lastIndexOf(true)).toBe(count - 1);
});

test('tells keys apart that begin alike, as an attacker may choose them', () => {
  const beginnings = fc.constantFrom('00000000', 'ffffffff', 'ff0f0000');
  const ends = fc.stringMatching(/^[0-9a-f]{2}$/);
  const key = fc
    .tuple(beginnings, ends)
    .map(([beginning, end]) => `${beginning}${'0'.repeat(54)}${end}`);
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), fc.array(key), (added, asked) => {
      const index = new KeyIndex();
      for (const each of added) index.add(each);
      const expected = new Set(added);
      expect(index.size).toBe(expected.size);
      expect(asked.map((each) => index.has(each))).toEqual(asked.map((each) => expected.has(each)));
    }),
  );
});
