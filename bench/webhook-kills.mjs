// The rounds of bench/kills.mjs with the receiver alone and `webhooks ingest` beside it: both are killed with SIGKILL
// while many senders post new events and repeats. Prints a summary as JSON, and ends with exit code 1 and the folder
// kept when an acknowledged event is not on disk, is damaged, or is not loaded in the end.
//   npm run build && node bench/webhook-kills.mjs [--kills 100] [--seed 1] [--senders 16] [--keep]
import { parseArgs } from 'node:util';
import { judged, showProgress } from './support/judged.mjs';
import { killed } from './support/kill-plan.mjs';
import { KillRounds } from './support/kill-rounds.mjs';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    senders: { type: 'string', default: '16' },
    keep: { type: 'boolean', default: false },
  },
});
const without = Object.keys(killed).filter((name) => !['serve', 'ingest'].includes(name));

await judged('webhook-kills', options, async (folder) => {
  const [seed, senders] = [Number(options.seed), Number(options.senders)];
  const rounds = await KillRounds.begin(folder, { seed, without, senders });
  try {
    return await rounds.until(Number(options.kills), ({ kills }) => showProgress(`${kills} kills`));
  } finally {
    await rounds.close();
  }
});
