// Lives through a year of daily runs in one process: a sandbox with hostile faults goes on from day to day, restates
// figures and deletes posts, a receiver takes its events in, the job runs and renders a report once a week. Waits
// are shortened, days are simulated. Follows memory, disk and requests from day to day; in the end, without faults,
// the tables have to be what the stored responses say, what the sandbox says, and what a rebuild makes of the raw
// store. Prints a summary as JSON, and ends with exit code 1 when something does not hold, or memory grows.
//   npm run build && node bench/soak.mjs [--days 365] [--seed 1] [--profiles 3] [--posts 300] [--faults hostile] [--keep]
import { parseArgs } from 'node:util';
import { judged, showProgress } from './support/judged.mjs';
import { Soak } from './support/soak.mjs';

const { values: options } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    seed: { type: 'string', default: '1' },
    profiles: { type: 'string', default: '3' },
    posts: { type: 'string', default: '300' },
    faults: { type: 'string', default: 'hostile' },
    keep: { type: 'boolean', default: false },
  },
});

const days = Number(options.days);
await judged('soak', options, async (folder) => {
  const soak = await Soak.begin(folder, {
    seed: Number(options.seed),
    profiles: Number(options.profiles),
    posts: Number(options.posts),
    faults: options.faults,
  });
  try {
    for (let day = 1; day <= days; day += 1) {
      await soak.liveThroughDay();
      showProgress(`day ${day} of ${days}, ${soak.shortly()}`);
    }
    return { days, ...(await soak.end()) };
  } finally {
    await soak.close();
  }
});
