/** What is killed: how often in comparison, and its command. */
export const killed = {
  run: { share: 30, args: ['run', '--no-reports', '--wait', '20'] },
  full: { share: 6, args: ['run', '--full', '--no-reports', '--wait', '20'] },
  load: { share: 14, args: ['load', '--wait', '20'] },
  rebuild: { share: 14, args: ['rebuild', '--wait', '20'] },
  report: { share: 7, args: ['report', 'run', 'emv', '--format', 'csv,html', '--out', 'out'] },
  serve: { share: 16, args: ['webhooks', 'serve'] },
  ingest: { share: 5, args: ['webhooks', 'ingest', 'events.ndjson'] },
  verify: { share: 4, args: ['verify'] },
};

/** Shares by name. @throws Error for a name that is none */
export function sharesOf(names) {
  for (const name of names)
    if (!(name in killed)) throw new Error(`no ${name}: there is only ${Object.keys(killed)}`);
  return Object.fromEntries(names.map((name) => [name, killed[name].share]));
}

/** Node's own start; the program does nothing of its own by then. */
const startMs = 250;

/** Where processes are killed: measured on those that were left alone, so that every phase is met alike. */
export class KillPlan {
  #usual = new Map();

  /** @returns null for a process that is left alone */
  draw(name, random) {
    const { ms = 1500, writes = 60 } = this.#usual.get(name) ?? {};
    const chance = random.next();
    if (chance < 0.12) return null;
    if (chance < 0.56) {
      const from = random.isChance(0.1) ? 0 : startMs;
      return { ms: random.between(from, ms * 1.05) };
    }
    const side = random.isChance(0.5) ? 'after' : 'before';
    return { write: random.integer(1, Math.ceil(writes * 1.05)), side };
  }

  /** The longest of the last ones, since what a run has to do differs from day to day. */
  learn(name, { ms, writes }) {
    const usual = this.#usual.get(name) ?? { ms: 0, writes: 0 };
    this.#usual.set(name, {
      ms: Math.max(ms, usual.ms * 0.8),
      writes: Math.max(writes ?? 0, usual.writes * 0.8),
    });
  }
}
