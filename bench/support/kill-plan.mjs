import { outsideSteps } from './tripwire.mjs';

/** What is killed: how often in comparison, and its command. */
export const killed = {
  run: { share: 60, args: ['run', '--wait', '20'] },
  load: { share: 6, args: ['load', '--wait', '20'] },
  rebuild: { share: 6, args: ['rebuild', '--wait', '20'] },
  report: { share: 4, args: ['report', 'run', 'emv', '--format', 'csv,html', '--out', 'by-hand'] },
  serve: { share: 12, args: ['webhooks', 'serve'] },
  ingest: { share: 4, args: ['webhooks', 'ingest', 'events.ndjson'] },
  verify: { share: 3, args: ['verify'] },
};

/** Shares by name. @throws Error for a name that is none */
export function sharesOf(names) {
  for (const name of names)
    if (!(name in killed)) throw new Error(`no ${name}: there is only ${Object.keys(killed)}`);
  return Object.fromEntries(names.map((name) => [name, killed[name].share]));
}

/** How often each kind of point is met, in comparison: what reports do is most of a run's time. */
const shares = { time: 1, write: 2, statement: 2, request: 2, mail: 1, upload: 1 };

/** Node's own start; the program does nothing of its own by then. */
const startMs = 250;

/** Where processes are killed: measured on those that were left alone, so that every phase is met alike. */
export class KillPlan {
  #usual = new Map();

  /** @param course of the command: what carries on has less to do than what begins */
  draw(course, random) {
    const usual = this.#usual.get(course) ?? { time: 1500, write: 60, statement: 60 };
    const points = Object.keys(usual).filter((point) => usual[point] >= 1);
    const point = random.pickByWeight(
      Object.fromEntries(points.map((name) => [name, shares[name]])),
    );
    const most = usual[point] * 1.05;
    if (point === 'time')
      return { point, ms: random.between(random.isChance(0.1) ? 0 : startMs, most) };
    const sides = outsideSteps.includes(point)
      ? ['before', 'after']
      : ['before', 'during', 'after'];
    return { point, nth: random.integer(1, Math.ceil(most)), side: random.pick(sides) };
  }

  /** The most of the last ones, since what a process has to do differs from day to day. */
  learn(course, { ms, counts }) {
    const found = { time: ms, ...counts };
    const usual = this.#usual.get(course) ?? {};
    for (const [point, value] of Object.entries(found))
      usual[point] = Math.max(value, (usual[point] ?? 0) * 0.9);
    this.#usual.set(course, usual);
  }
}
