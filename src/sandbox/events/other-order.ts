import { randomFor, sample } from '../made-up/random.ts';

/** The items in another order than theirs, where there are two; which one follows from the key. */
export function putInAnotherOrder<Item>(
  items: readonly Item[],
  seed: number,
  batch: number,
): readonly Item[] {
  const shuffled = sample(items, items.length, randomFor(seed, 'order of deliveries', batch));
  const isSame = shuffled.every((item, index) => item === items[index]);
  return isSame ? [...shuffled.slice(1), ...shuffled.slice(0, 1)] : shuffled;
}
