// Kills the program with SIGKILL while it runs, loads, rebuilds, reports, receives events and verifies its raw
// store: at random times and at random writes, alone and two at once. A sandbox goes on from day to day meanwhile,
// restates figures and deletes posts. After each kill everything on disk has to be readable, the published file
// whole, and nothing gone that was there; again and again, and at the end, the tables have to be what the responses
// and events on disk say, worked out without the program. Prints a summary as JSON, and ends with exit code 1
// and the folder kept when something does not hold.
// `--only serve,ingest --senders 16` kills the receiver alone, under many senders.
//   npm run build && node bench/kills.mjs [--kills 1000] [--seed 1] [--only load,rebuild,…] [--senders 4] [--keep]
import { parseArgs } from 'node:util';
import { judged, showProgress } from './support/judged.mjs';
import { killed } from './support/kill-plan.mjs';
import { KillRounds } from './support/kill-rounds.mjs';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: Object.keys(killed).join(',') },
    senders: { type: 'string', default: '4' },
    keep: { type: 'boolean', default: false },
  },
});

await judged('kills', options, async (folder) => {
  const rounds = await KillRounds.begin(folder, {
    seed: Number(options.seed),
    only: options.only.split(','),
    senders: Number(options.senders),
  });
  try {
    return await rounds.until(Number(options.kills), ({ kills, round }) =>
      showProgress(`${kills} kills in ${round} rounds`),
    );
  } finally {
    await rounds.close();
  }
});
