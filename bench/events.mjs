// Loads generated webhook events from their files, and reads the same files with DuckDB alone as the floor.
//   npm run build && node bench/events.mjs [events] [bytes per event]
import { join } from 'node:path';
import pLimit from 'p-limit';
import { systemClock } from '../build/core/clock.js';
import { silentLog } from '../build/core/log.js';
import { load } from '../build/load/load.js';
import { eventKey, storeEvent } from '../build/store/event-store.js';
import { numbersGiven, runSteps } from './support/steps.mjs';
import { readAlone } from './support/stored-run.mjs';

const [total = 10_000, size = 2_000] = numbersGiven();

/** Nine deletions of ten events, a quarter with labels and a campaign; the tenth is of an unknown type. */
function eventOf(index) {
  const createdAt = new Date(1_768_478_400_000 + index * 1_000).toISOString();
  const isPlanned = index % 4 === 0;
  const number = index % 20;
  const label = { id: `l${number}`, name: `l ${number}`, color: '#111', backgroundColor: '#eee' };
  const campaign = { id: `c${index % 10}`, name: 'C', startDate: '2026-01-01', endDate: null };
  const post = {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    title: `Post ${index} \u{1F680} \u201Cquoted\u201D`,
    status: 'archived',
    channels: ['LinkedIn'],
    campaign: isPlanned ? campaign : null,
    url: `https://app.example.com/posts/${index}`,
    labels: isPlanned ? [label] : [],
    workspace: { id: 'w', slug: 'acme', name: 'Acme' },
    deletedBy: { id: 'u1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
    deletedAt: createdAt,
    linkedIn: {
      profile: { id: 'p', name: 'Acme', detail: 'acme' },
      copy: 'Words that fill a post.\n'.repeat(Math.max(1, Math.floor((size - 750) / 25))),
      assets: [],
    },
    x: null,
  };
  const type = index % 10 === 9 ? 'post.created' : 'post.permanently_deleted';
  return { type, createdAt, data: { post } };
}

/** As many at once as `webhooks ingest` stores. */
async function store(dataDir) {
  await pLimit(32).map(
    Array.from({ length: total }, (_, index) => index),
    (index) => {
      const event = eventOf(index);
      const receivedAt = new Date(1_768_900_000_000 + index);
      const bodyText = JSON.stringify(event);
      return storeEvent(dataDir, { key: eventKey(event), bodyText, receivedAt, via: 'http' });
    },
  );
}

async function loadAll(dataDir) {
  const workspaces = new Map([['acme', { key: 'acme', slug: 'acme', profiles: [] }]]);
  const warehouse = join(dataDir, 'w.duckdb');
  const config = { dataDir, warehouse, timezone: 'UTC', workspaces };
  const { events } = await load({ config, clock: systemClock, log: silentLog, waitMs: 0 });
  return events;
}

const steps = {
  store,
  floor: (dataDir) =>
    readAlone(
      join(dataDir, 'floor.duckdb'),
      `read_json('${join(dataDir, 'raw', '_events', '*', '*.json')}', format = 'newline_delimited',
        columns = {event_key: 'VARCHAR', received_at: 'TIMESTAMPTZ', body: 'JSON'})`,
    ),
  load: loadAll,
  'load again': loadAll,
};

await runSteps(import.meta.filename, steps, (_name, { value }) => {
  if (value !== undefined) console.log(JSON.stringify(value));
});
