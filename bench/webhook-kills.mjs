// Kills `webhooks serve` with SIGKILL at random moments while many senders post new events and repeats to it, with a
// `webhooks ingest` beside it now and then. Prints a summary as JSON, and ends with exit code 1 when an acknowledged
// event is not on disk, or a file of an event is damaged.
//   npm run build && node bench/webhook-kills.mjs [--kills 100] [--seed 1] [--senders 16]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventKey, listEventKeys, readEvent } from '../dist/store/event-store.js';
import { SeededRandom } from './support/seeded-random.mjs';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    senders: { type: 'string', default: '16' },
  },
});
const kills = Number(options.kills);
const random = new SeededRandom(Number(options.seed));
const token = 'bench-token-of-the-receiver';
const cli = resolve(import.meta.dirname, '../dist/cli.js');
const acknowledged = new Set();
const answers = { stored: 0, duplicate: 0, none: 0 };
let sent = 0;

function startCli(folder, args, stdout = 'ignore') {
  const stdio = ['ignore', stdout, 'inherit'];
  return spawn(process.execPath, [cli, ...args, '--log-level', 'error'], { cwd: folder, stdio });
}

/** A new event, or one of the last forty, whose first copy may be on its way. */
function nextEvent() {
  const n = random.isChance(0.3) ? Math.max(0, sent - random.integer(1, 40)) : sent++;
  const text = 'words '.repeat(n % 97 === 0 ? 3_000 : n % 50);
  return { type: 'bench.sent', data: { n, text }, createdAt: '2026-01-15T12:00:00.000Z' };
}

async function sendOn(url) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  for (;;) {
    const event = nextEvent();
    const body = JSON.stringify(event);
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    const answer = await response?.json().catch(() => null);
    answers[answer?.status ?? 'none'] += 1;
    if (!answer) return;
    acknowledged.add(eventKey(event));
  }
}

async function ingest(folder) {
  const events = Array.from({ length: 50 }, nextEvent);
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  await writeFile(join(folder, 'events.ndjson'), lines.join(''));
  const [code] = await once(startCli(folder, ['webhooks', 'ingest', 'events.ndjson']), 'exit');
  if (code !== 0) throw new Error(`webhooks ingest ended with exit code ${code}`);
  for (const event of events) acknowledged.add(eventKey(event));
}

async function runRound(folder) {
  const child = startCli(folder, ['webhooks', 'serve', '--json'], 'pipe');
  const exited = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line));
  const senders = Array.from({ length: Number(options.senders) }, () => sendOn(url));
  const work = random.isChance(0.2) ? ingest(folder) : null;
  await delay(random.integer(5, 400));
  child.kill('SIGKILL');
  await Promise.all([...senders, exited, work]);
}

const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
try {
  await writeFile(
    join(folder, 'jobs.yaml'),
    `workspaces:
  acme: { base_url: https://social.example.com/api/v1, api_key: "\${ACME_API_KEY}" }
webhooks: { port: 0, token: "\${TOKEN}" }
`,
  );
  await writeFile(join(folder, '.env'), `TOKEN=${token}\n`);
  for (let round = 1; round <= kills; round += 1) await runRound(folder);
  const dataDir = join(folder, 'data');
  const keys = new Set(await listEventKeys(dataDir));
  for (const key of keys) await readEvent(dataDir, key);
  const missing = [...acknowledged].filter((key) => !keys.has(key)).length;
  const counts = { acknowledged: acknowledged.size, onDisk: keys.size, missing };
  console.log(JSON.stringify({ kills, seed: Number(options.seed), sent, answers, ...counts }));
  if (missing > 0 || acknowledged.size === 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
