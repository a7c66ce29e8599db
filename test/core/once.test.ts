import { expect, test } from 'vitest';
import { once } from '../../src/core/once.ts';

test('a value is made once for the same arguments, and again for more, fewer or others of them', () => {
  const [first, second] = [{ name: 'same' }, { name: 'same' }];
  const make = once((...given: readonly object[]) => ({ given }));
  const made = make(first, second);
  expect(make(first, second)).toBe(made);
  for (const others of [[first], [first, second, first], [second, first], []])
    expect(make(...others).given).toEqual(others);
  expect(make(second, second)).not.toBe(make(first, first));
});
