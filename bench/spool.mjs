// Stores events from several senders at once, beside what the disk does with one write and sync an event; and
// measures the index of keys.
//   npm run build && node bench/spool.mjs [seconds a row] [keys]
import { randomBytes } from 'node:crypto';
import { open, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../dist/core/clock.js';
import { silentLog } from '../dist/core/log.js';
import { readEvent } from '../dist/inbox/events/read-event.js';
import { KnownEvents } from '../dist/inbox/spool/known-events.js';
import { keysPath } from '../dist/inbox/spool/layout.js';
import { Spool } from '../dist/inbox/spool/spool.js';

const [seconds = 3, keys = 1_000_000] = process.argv.slice(2, 4).map(Number);

function bodyOf(index) {
  const copy = `Post ${index} \u{1F680} \u201Cquoted\u201D\n\n${'Words that fill a post. '.repeat(40)}`;
  const post = { id: `p${index}`, title: `Title ${index}`, status: 'Posted', linkedIn: { copy } };
  const createdAt = '2026-01-15T12:00:00.000Z';
  return Buffer.from(
    JSON.stringify({ type: 'post.permanently_deleted', data: { post }, createdAt }),
  );
}

function percentile(values, share) {
  return values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}

/** Calls `work` from so many senders, each again when it is done; prints calls per second. */
async function measure(name, senders, work) {
  const end = performance.now() + seconds * 1000;
  const latencies = [];
  let count = 0;
  const send = async () => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      await work(count++);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  const rate = String(Math.round(latencies.length / seconds)).padStart(8);
  const p50 = percentile(latencies, 0.5).toFixed(2);
  const p99 = percentile(latencies, 0.99).toFixed(2);
  console.log(`${name.padEnd(34)} ${rate} /s   p50 ${p50} ms   p99 ${p99} ms`);
}

async function measureDisk(folder) {
  const handle = await open(join(folder, 'floor'), 'wx');
  const body = bodyOf(0);
  await measure('write and fdatasync, one by one', 1, async () => {
    await handle.write(body);
    await handle.datasync();
  });
  await handle.close();
}

async function measureReading() {
  const bodies = Array.from({ length: 1000 }, (_, index) => bodyOf(index));
  await measure(`read an event of ${bodies[0].length} bytes`, 1, (index) =>
    readEvent(bodies[index % 1000]),
  );
}

async function measureSpool(folder, senders) {
  const dataDir = join(folder, `spool-${senders}`);
  const spool = await Spool.open({ dataDir, clock: systemClock, log: silentLog });
  await measure(`read and store, ${senders} at once`, senders, (index) =>
    spool.store(readEvent(bodyOf(index)), systemClock.now()),
  );
  await spool.close();
}

function memoryInUse() {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measureKeys(folder) {
  const dataDir = join(folder, 'keys');
  await mkdir(join(dataDir, 'inbox'), { recursive: true });
  await writeFile(keysPath(dataDir), randomBytes(keys * 32));
  const before = memoryInUse();
  const start = performance.now();
  const known = await KnownEvents.open(dataDir, systemClock);
  const ms = (performance.now() - start).toFixed(0);
  const bytes = ((memoryInUse() - before) / known.size).toFixed(0);
  console.log(`${known.size} keys are read in ${ms} ms and take ${bytes} bytes each`);
}

const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
try {
  await measureKeys(folder);
  await measureReading();
  await measureDisk(folder);
  for (const senders of [1, 16, 64, 256]) await measureSpool(folder, senders);
} finally {
  await rm(folder, { recursive: true, force: true });
}
