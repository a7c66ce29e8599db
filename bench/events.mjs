// Loads generated webhook events from their files, and reads the same files with DuckDB alone as the floor.
//   npm run build && node bench/events.mjs [events] [bytes per event]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pLimit from 'p-limit';
import { systemClock } from '../dist/core/clock.js';
import { silentLog } from '../dist/core/log.js';
import { load } from '../dist/load/load.js';
import { eventKey, storeEvent } from '../dist/store/event-store.js';
import { measureStep, runAsStep, stepLine } from './support/steps.mjs';

const [total = 10_000, size = 2_000] = process.argv
  .slice(2, 4)
  .map(Number)
  .filter((value) => !Number.isNaN(value));

/** Nine deletions of ten events, a quarter with labels and a campaign; the tenth is of an unknown type. */
function eventOf(index) {
  const createdAt = new Date(1_768_478_400_000 + index * 1_000).toISOString();
  const workspace = { id: 'w', slug: 'acme', name: 'Acme' };
  const post = {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    title: `Post ${index} \u{1F680} \u201Cquoted\u201D`,
    status: 'archived',
    channels: ['LinkedIn'],
    campaign:
      index % 4 === 0
        ? { id: `c${index % 10}`, name: 'C', startDate: '2026-01-01', endDate: null }
        : null,
    url: `https://app.example.com/posts/${index}`,
    labels:
      index % 4 === 0
        ? [
            {
              id: `l${index % 20}`,
              name: `l ${index % 20}`,
              color: '#111',
              backgroundColor: '#eee',
            },
          ]
        : [],
    workspace,
    deletedBy: { id: 'u1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
    deletedAt: createdAt,
    linkedIn: {
      profile: { id: 'p', name: 'Acme', detail: 'acme' },
      copy: 'Words that fill a post.\n'.repeat(Math.max(1, Math.floor((size - 950) / 25))),
      assets: [
        {
          id: `m${index}`,
          name: 'a.png',
          url: 'https://x/a.png',
          mimetype: 'image/png',
          size: 1,
          width: 1,
          height: 1,
          duration: null,
        },
      ],
    },
    x: null,
  };
  return {
    type: index % 10 === 9 ? 'post.created' : 'post.permanently_deleted',
    createdAt,
    data: { post },
  };
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

async function readAlone(dataDir) {
  const instance = await DuckDBInstance.create(join(dataDir, 'floor.duckdb'));
  const connection = await instance.connect();
  const files = join(dataDir, 'raw', '_events', '*', '*.json');
  await connection.run(`create table floor as from read_json('${files}', format = 'newline_delimited',
    columns = {event_key: 'VARCHAR', received_at: 'TIMESTAMPTZ', body: 'JSON'})`);
  connection.closeSync();
  instance.closeSync();
}

async function loadAll(dataDir) {
  const acme = { key: 'acme', slug: 'acme', profiles: [] };
  const config = {
    dataDir,
    warehouse: join(dataDir, 'w.duckdb'),
    timezone: 'UTC',
    workspaces: new Map([['acme', acme]]),
  };
  const { events } = await load({ config, clock: systemClock, log: silentLog, waitMs: 0 });
  return events;
}

const steps = { store, floor: readAlone, load: loadAll, 'load again': loadAll };

async function main() {
  const dataDir = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  try {
    console.log(`${total} events of about ${size} bytes`);
    for (const name of Object.keys(steps)) {
      const measured = await measureStep(import.meta.filename, name, dataDir);
      console.log(stepLine(name, measured), measured.value ? JSON.stringify(measured.value) : '');
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (!(await runAsStep(steps))) await main();
