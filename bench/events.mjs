// Loads generated webhook events from the inbox, and reads the same files with DuckDB alone as the floor.
//   npm run build && node bench/events.mjs [events] [bytes per event]
import { fork } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { systemClock } from '../dist/core/clock.js';
import { silentLog } from '../dist/core/log.js';
import { readEvent } from '../dist/inbox/events/read-event.js';
import { recordLine } from '../dist/inbox/spool/record-line.js';
import { loadLanded } from '../dist/load/load-landed.js';

const [total = 100_000, size = 2_000] = process.argv.slice(2, 4).map(Number);
const segmentBytes = 8 * 1024 * 1024;

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

async function spool(dataDir) {
  await mkdir(join(dataDir, 'inbox'), { recursive: true });
  let [bytes, seq, handle] = [segmentBytes, 0, null];
  for (let index = 0; index < total; index += 1) {
    if (bytes >= segmentBytes) {
      await handle?.close();
      seq += 1;
      const name = `20260120T100000.000Z-1-00000000-${String(seq).padStart(6, '0')}.ndjson`;
      handle = await open(join(dataDir, 'inbox', name), 'w');
      bytes = 0;
    }
    const event = readEvent(Buffer.from(JSON.stringify(eventOf(index))));
    const line = recordLine(event, new Date(1_768_900_000_000 + index), 'http');
    await handle.write(line);
    bytes += line.length;
  }
  await handle?.close();
}

async function readAlone(dataDir) {
  const instance = await DuckDBInstance.create(join(dataDir, 'floor.duckdb'));
  const connection = await instance.connect();
  const files = join(dataDir, 'inbox', '*.ndjson');
  await connection.run(`create table floor as from read_json('${files}', format = 'newline_delimited',
    columns = {event_key: 'VARCHAR', received_at: 'TIMESTAMPTZ', payload: 'JSON'})`);
  connection.closeSync();
  instance.closeSync();
}

async function load(dataDir) {
  const acme = { key: 'acme', slug: 'acme', profiles: [] };
  const config = {
    dataDir,
    warehouse: join(dataDir, 'w.duckdb'),
    timezone: 'UTC',
    workspaces: new Map([['acme', acme]]),
  };
  const { events } = await loadLanded({ config, clock: systemClock, log: silentLog, waitMs: 0 });
  console.log(JSON.stringify(events));
}

const steps = { spool, floor: readAlone, load, 'load again': load };

async function runStep(name, dataDir) {
  const start = performance.now();
  await steps[name](dataDir);
  const seconds = (performance.now() - start) / 1000;
  process.send({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
}

/** Each step in a process of its own, so that its peak memory is its own. */
async function measure(name, dataDir) {
  const child = fork(import.meta.filename, [String(total), String(size), name, dataDir]);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`${name} failed`)));
  });
}

async function main() {
  const dataDir = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  try {
    console.log(`${total} events of about ${size} bytes`);
    let floor = 0;
    for (const name of Object.keys(steps)) {
      const { seconds, megabytes } = await measure(name, dataDir);
      if (name === 'floor') floor = seconds;
      const ratio = name.startsWith('load') ? `  ${(seconds / floor).toFixed(1)} x the floor` : '';
      console.log(
        `${name.padEnd(10)} ${seconds.toFixed(2).padStart(7)} s ${megabytes.toFixed(0).padStart(6)} MB${ratio}`,
      );
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const [name, dataDir] = process.argv.slice(4);
if (name) await runStep(name, dataDir);
else await main();
