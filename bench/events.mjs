// Stores and loads generated webhook events, beside DuckDB alone reading the same files.
//   npm run build && node bench/events.mjs [--events 10000] [--bytes 2000] [--short] [--json] [--keep]
import { join } from 'node:path';
import pLimit from 'p-limit';
import { madeProfiles, readAlone, storePostEvent, writeJobsFile } from './support/data-folder.mjs';
import { readNumbers, runBench } from './support/harness.mjs';

const { events, bytes } = readNumbers({ events: [10_000, 100], bytes: [2_000, 2_000] });
/** As many as `webhooks ingest` stores at once. */
const atOnce = 32;

/** Nine deletions of ten events, a quarter of them with labels and a campaign; the tenth is of an unknown type. */
function storeNth(folder, index) {
  const isPlanned = index % 4 === 0;
  const number = index % 20;
  const label = { id: `l${number}`, name: `l ${number}`, color: '#111', backgroundColor: '#eee' };
  const campaign = { id: `c${index % 10}`, name: 'C', startDate: '2026-01-01', endDate: null };
  const type = index % 10 === 9 ? 'post.created' : 'post.permanently_deleted';
  return storePostEvent(folder, type, new Date(1_768_900_000_000 + index * 1_000), {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    campaign: isPlanned ? campaign : null,
    labels: isPlanned ? [label] : [],
    deletedBy: { id: 'u1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
    linkedIn: {
      profile: { id: 'p', name: 'Acme', detail: 'acme' },
      copy: 'Words that fill a post.\n'.repeat(Math.max(1, Math.floor((bytes - 750) / 25))),
      assets: [],
    },
    x: null,
  });
}

const steps = {
  store: (folder) => {
    const indexes = Array.from({ length: events }, (_, index) => index);
    return pLimit(atOnce).map(indexes, (index) => storeNth(folder, index));
  },
  floor: (folder) =>
    readAlone(
      folder,
      `read_json('${join(folder, 'data', 'raw', '_events', '*', '*.json')}', format = 'newline_delimited',
        columns = {event_key: 'VARCHAR', received_at: 'TIMESTAMPTZ', body: 'JSON'})`,
    ),
};

await runBench(import.meta.filename, steps, async (bench) => {
  await writeJobsFile(bench.folder, { acme: madeProfiles(1) });
  bench.add(`store ${events} events`, await bench.step('store'));
  const floor = await bench.step('floor');
  bench.add('DuckDB alone', floor);
  bench.add('load', await bench.command(['load']), floor);
  bench.add('load nothing new', await bench.command(['load']));
});
