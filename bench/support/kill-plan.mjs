/** Where processes are killed: measured on those that were left alone, so that every phase is met alike. */
export class KillPlan {
  #usual = new Map();
  #tenths = new Map();
  #aimed = { atTimes: 0, atWrites: 0, spared: 0 };

  /** Node's own start; the program does nothing of its own by then. */
  static startMs = 250;

  /** @returns null for a process that is left alone */
  draw(name, random) {
    const usual = this.#usual.get(name);
    const chance = random.next();
    if (chance < 0.12) {
      this.#aimed.spared += 1;
      return null;
    }
    if (chance < 0.56) {
      this.#aimed.atTimes += 1;
      const from = random.isChance(0.1) ? 0 : KillPlan.startMs;
      const wholeMs = usual?.ms ?? 1500;
      const ms = random.between(from, wholeMs * 1.05);
      return { ms, share: ms / wholeMs };
    }
    this.#aimed.atWrites += 1;
    const side = random.isChance(0.5) ? 'after' : 'before';
    const writes = usual?.writes ?? 60;
    const write = random.integer(1, Math.ceil(writes * 1.05));
    return { write, side, share: write / writes };
  }

  /** Notes where in its usual course a process was killed. */
  hit(name, { share }) {
    const tenths = this.#tenths.get(name) ?? new Array(10).fill(0);
    tenths[Math.min(9, Math.floor(share * 10))] += 1;
    this.#tenths.set(name, tenths);
  }

  /** The longest of the last ones, since what a run has to do differs from day to day. */
  learn(name, { ms, writes }) {
    const usual = this.#usual.get(name) ?? { ms: 0, writes: 0 };
    this.#usual.set(name, {
      ms: Math.max(ms, usual.ms * 0.8),
      writes: Math.max(writes ?? 0, usual.writes * 0.8),
    });
  }

  figures() {
    const usual = Object.fromEntries(
      [...this.#usual].map(([name, { ms, writes }]) => [
        name,
        { ms: Math.round(ms), writes: Math.round(writes) },
      ]),
    );
    const tenths = [...this.#tenths].map(([name, counts]) => [name, counts.join(' ')]);
    return { aimed: this.#aimed, usual, killedInTenth: Object.fromEntries(tenths) };
  }
}
