// Kills the program with SIGKILL while it runs, loads, rebuilds, reports, receives events and verifies its raw store: at
// random times, writes, SQL statements, requests, steps of SMTP and uploads, alone and two at once. Two workspaces go on from
// day to day meanwhile, restate figures and delete posts; now and then a key is refused at first. After each kill everything
// on disk has to be readable, the published file whole, and nothing gone that was there. At the end of each day one `run` is
// left to itself: then tables, reports, mails and what is in the bucket have to be those of a site that nobody disturbed, no
// answer may be there twice, and no mail twice. Prints a summary as JSON, and ends with exit code 1 and the folder kept when
// something does not hold.
// `--only run` kills nothing else; `--only serve,ingest --senders 16` the receiver, under many senders.
//   npm run build && node bench/kills.mjs [--kills 1000] [--seed 1] [--only run,load,…] [--senders 4] [--keep]
import { parseArgs } from 'node:util';
import { judged, showProgress } from './support/judged.mjs';
import { killed } from './support/kill-plan.mjs';
import { KillDays } from './support/kill-days.mjs';

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
  const days = await KillDays.begin(folder, {
    seed: Number(options.seed),
    only: options.only.split(','),
    senders: Number(options.senders),
  });
  try {
    return await days.until(Number(options.kills), ({ kills, day }) =>
      showProgress(`${kills} kills in ${day} days`),
    );
  } finally {
    await days.close();
  }
});
