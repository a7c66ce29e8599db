/** Draws the next number in [0, 1). */
export type Random = () => number;

/**
 * Makes a source of numbers that depend on the key alone, so that drawing more for one thing never changes another.
 * The key is hashed by cyrb128, and the numbers come from sfc32 (both public domain).
 */
export function randomFor(...key: readonly (string | number)[]): Random {
  let [a, b, c, d] = hashKey(key.join('\u001f'));
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

function hashKey(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1_779_033_703, 3_144_134_277, 1_013_904_242, 2_773_480_762];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = b ^ Math.imul(a ^ code, 597_399_067);
    b = c ^ Math.imul(b ^ code, 2_869_860_233);
    c = d ^ Math.imul(c ^ code, 951_274_213);
    d = a ^ Math.imul(d ^ code, 2_716_044_179);
  }
  return [a, b, c, d];
}

/** Draws a whole number from `low` to `high`, both included. */
export function integerBetween(low: number, high: number, random: Random): number {
  return low + Math.floor(random() * (high - low + 1));
}

export function between(low: number, high: number, random: Random): number {
  return low + random() * (high - low);
}

/** @throws RangeError when there is nothing to pick from */
export function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('there is nothing to pick from');
  return item;
}

/** Picks an item by weight. The weights need not add up to 1. */
export function pickWeighted<Item>(
  entries: readonly (readonly [item: Item, weight: number])[],
  random: Random,
): Item {
  let rest = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const entry = entries.find(([, weight]) => (rest -= weight) < 0) ?? entries.at(-1);
  if (entry === undefined) throw new RangeError('there is nothing to pick from');
  return entry[0];
}

/** Picks one of the keys by their weights. */
export function pickKey<Key extends string>(
  weights: Readonly<Record<Key, number>>,
  random: Random,
): Key {
  return pickWeighted(Object.entries(weights) as [Key, number][], random);
}

/** Takes `count` different items in a random order, or all items when there are fewer. */
export function sample<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ item }) => item);
}

/** Draws a standard normal number by the method of Box and Muller. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Draws a log-normal number with this median and this standard deviation of its logarithm. */
export function logNormal(median: number, sigma: number, random: Random): number {
  return median * Math.exp(sigma * normal(random));
}

/** Draws how many events of a rate occur. */
export function poisson(rate: number, random: Random): number {
  if (rate > 50) return Math.max(0, Math.round(rate + Math.sqrt(rate) * normal(random)));
  let [count, product] = [0, random()];
  for (const limit = Math.exp(-rate); product > limit; count += 1) product *= random();
  return count;
}
