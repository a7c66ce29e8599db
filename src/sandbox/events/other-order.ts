import { randomFor, sample } from '../made-up/random.ts';

/**
 * The items in another order than theirs; which one follows from the seed. Items of the same thing count
 * as one: where there are two things, they change places.
 */
export function putInAnotherOrder<Item>(
  items: readonly Item[],
  thingOf: (item: Item) => unknown,
  seed: number,
  batch: number,
): readonly Item[] {
  const shuffled = sample(items, items.length, randomFor(seed, 'order of deliveries', batch));
  const isSame = shuffled.every((item, index) => thingOf(item) === thingOf(items[index] ?? item));
  const [first] = items;
  if (!isSame || !first) return shuffled;
  const isFirst = (item: Item) => thingOf(item) === thingOf(first);
  return [...shuffled.filter((item) => !isFirst(item)), ...shuffled.filter(isFirst)];
}
