/** Draws that are the same for a seed, from whatever machine. */
export class SeededRandom {
  #state;

  constructor(seed) {
    this.#state = seed | 0;
  }

  /** From 0 up to but without 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  isChance(share) {
    return this.next() < share;
  }

  between(from, to) {
    return from + this.next() * (to - from);
  }

  /** Both ends included. */
  integer(from, to) {
    return Math.floor(this.between(from, to + 1));
  }

  pick(values) {
    return values[Math.floor(this.next() * values.length)];
  }

  /** @param weights shares by name; they need not add up to 1 */
  pickByWeight(weights) {
    const entries = Object.entries(weights);
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) if ((rest -= weight) < 0) return name;
    return entries.at(-1)[0];
  }

  /** Draws of its own, which do not depend on how many others are made. */
  fork(number) {
    const forked = new SeededRandom(Math.imul(this.#state ^ number, 0x9e3779b1));
    forked.next();
    return forked;
  }
}
