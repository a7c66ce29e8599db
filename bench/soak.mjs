// Lives through a year of daily runs in one process: a sandbox with hostile faults goes on from day to day, restates
// figures and deletes posts, a receiver takes its events in, the job runs and renders a report once a week. Waits
// are shortened, days are simulated. Follows memory, disk and requests from day to day; in the end, without faults,
// the tables have to be what the stored responses say, what the sandbox says, and what a rebuild makes of the raw
// store. Prints a summary as JSON, and ends with exit code 1 when something does not hold, or memory grows.
//   npm run build && node bench/soak.mjs [--days 365] [--seed 1] [--profiles 3] [--posts 300] [--faults hostile] [--keep]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Soak } from './support/soak.mjs';

const { values: options } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    seed: { type: 'string', default: '1' },
    profiles: { type: 'string', default: '3' },
    posts: { type: 'string', default: '300' },
    faults: { type: 'string', default: 'hostile' },
    without: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
});

const days = Number(options.days);
const folder = await mkdtemp(join(tmpdir(), 'postledger-soak-'));
const soak = await Soak.begin(folder, {
  seed: Number(options.seed),
  profiles: Number(options.profiles),
  posts: Number(options.posts),
  faults: options.faults,
  without: options.without.split(',').filter(Boolean),
});
let summary;
try {
  for (let day = 1; day <= days; day += 1) {
    await soak.liveThroughDay();
    if (process.stderr.isTTY) process.stderr.write(`\rday ${day} of ${days} ${soak.shortly()} `);
  }
  summary = await soak.end();
} finally {
  await soak.close();
}
const isSound = summary.problems.length === 0;
const isKept = !isSound || options.keep;
console.log(JSON.stringify({ days, ...summary, ...(isKept && { folder }) }, null, 2));
if (!isKept) await rm(folder, { recursive: true, force: true });
process.exitCode = isSound ? 0 : 1;
