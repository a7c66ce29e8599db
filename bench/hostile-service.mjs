// A service that was written from the API's specification alone, on bare sockets, answers in every wrong way that
// we could think of: bytes, heads, statuses, bodies and members. For each way: a run in which one window and
// one post's details always suffer it, one in which every first try does, one in which everything does; then a good one.
// In between only what suffered may be behind; in the end the tables have to be those of the truth. Then rounds
// of all ways at random. Each way has a workspace of its own, some of which each run reads at once. Prints a summary as JSON, and ends with exit code 1 when something does not hold.
//   npm run build && node bench/hostile-service.mjs [--modes all|reset-in-body,…] [--mixtures 10] [--together 20] [--seed 1] [--keep]
import { parseArgs } from 'node:util';
import { judged, showProgress } from './support/judged.mjs';
import { HostileTrial } from './support/hostile/trial.mjs';
import { modes } from './support/hostile/modes.mjs';

const { values: options } = parseArgs({
  options: {
    modes: { type: 'string', default: 'all' },
    mixtures: { type: 'string', default: '10' },
    together: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const names = options.modes === 'all' ? [...modes.keys()] : options.modes.split(',');
const unknown = names.filter((name) => !modes.has(name) && name !== 'none');
if (unknown.length > 0) {
  console.error(`no such modes: ${unknown.join(', ')}; there are: ${[...modes.keys()].join(', ')}`);
  process.exit(2);
}
const chosen = names.filter((name) => name !== 'none').map((name) => modes.get(name));
const mixtures = Number(options.mixtures);

/** Of one speed, so many at once. */
function* groupsOf(list, size) {
  for (const speed of new Set(list.map((mode) => mode.speed))) {
    const own = list.filter((mode) => mode.speed === speed);
    for (let at = 0; at < own.length; at += size) yield own.slice(at, at + size);
  }
}

await judged('hostile', options, async (folder) => {
  const started = performance.now();
  const trial = await HostileTrial.begin(folder, Number(options.seed));
  const problems = [];
  let done = 0;
  const take = (found, count) => {
    problems.push(...found);
    for (const { mode, problem } of found) console.error(`${mode}: ${problem}`);
    done += count;
    showProgress(`${done} of ${chosen.length + mixtures}, ${problems.length} problems`);
  };
  try {
    for (const group of groupsOf(chosen, Number(options.together)))
      take(await trial.tryModes(group), group.length);
    if (mixtures > 0) take(await trial.tryMixtures(mixtures), mixtures);
  } finally {
    await trial.close();
  }
  return {
    seed: Number(options.seed),
    modes: chosen.length,
    mixtures,
    seconds: Math.round((performance.now() - started) / 1000),
    ...trial.figures(),
    failedModes: [...new Set(problems.map(({ mode }) => mode))],
    problems: problems.slice(0, 50),
  };
});
