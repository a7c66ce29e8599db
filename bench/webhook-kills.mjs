// Kills `webhooks serve` with SIGKILL at random moments while many senders post to it, now and then in its start,
// with loads (killed at times too), files of events and repeats in between. Compares what was acknowledged with the
// inbox and the archive after each kill, and with the warehouse at the end. Prints a summary as JSON, and
// ends with exit code 1 when an acknowledged event is missing, a row stands twice, or a `duplicate` was none.
//   npm run build && node bench/webhook-kills.mjs [--kills 100] [--seed 1] [--senders 16]
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    senders: { type: 'string', default: '16' },
  },
});
const kills = Number(options.kills);
const senderCount = Number(options.senders);
const token = 'bench-token-of-some-length';
const cli = resolve(import.meta.dirname, '../dist/cli.js');
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

let randomState = Number(options.seed);

/** From 0 up to but without 1, the same row of numbers for a seed. */
function random() {
  randomState = (randomState + 0x6d2b79f5) | 0;
  let mixed = Math.imul(randomState ^ (randomState >>> 15), 1 | randomState);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const isChance = (share) => random() < share;
const between = (from, to) => from + random() * (to - from);

/** Every event that was sent, by number: its key, and what was last said of it. */
const sent = [];
const counts = { stored: 0, duplicate: 0, refused: 0, unanswered: 0 };
const problems = { missing: new Set(), twice: new Set(), falseDuplicates: new Set() };
const runs = { starts: 0, loads: 0, loadsKilled: 0, ingests: 0 };

function textOf(id) {
  return 'words '.repeat(id % 97 === 0 ? 3_000 : id % 50);
}

/** Each event can be written in two ways; a repeat is known by either. */
function bodyOf(id) {
  const createdAt = '2026-01-15T12:00:00.000Z';
  const data = { id, text: textOf(id) };
  if (isChance(0.5)) return JSON.stringify({ type: 'bench.sent', data, createdAt });
  return JSON.stringify({ createdAt, data: { text: data.text, id }, type: 'bench.sent' }, null, 1);
}

/** The canonical form is plain for events like these, so that no code of the program is needed for it. */
function keyOf(id) {
  const data = `{"id":${id},"text":"${textOf(id)}"}`;
  const canonical = `{"createdAt":"2026-01-15T12:00:00.000Z","data":${data},"type":"bench.sent"}`;
  return createHash('sha256').update(canonical).digest('hex');
}

function newEvent() {
  sent.push({ id: sent.length, key: keyOf(sent.length), isPromised: false });
  return sent.at(-1);
}

/** A new event, or a repeat: of a recent one as a rule, whose first copy may be on its way. */
function nextEvent() {
  if (sent.length === 0 || isChance(0.7)) return newEvent();
  const back = isChance(0.7) ? between(0, 40) : between(0, sent.length);
  return sent[Math.max(0, sent.length - 1 - Math.floor(back))];
}

/** The answer's `status`, or null when there was none. */
function post(url, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return new Promise((done) => {
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('error', () => done(null));
      response.on('end', () => done(response.complete ? readStatus(response, text) : null));
    });
    call.on('error', () => done(null)).end(body);
  });
}

function readStatus(response, text) {
  return response.statusCode < 300 ? JSON.parse(text).status : 'refused';
}

async function sendWhile(round) {
  while (round.isOn) {
    const event = nextEvent();
    const status = await post(round.url, bodyOf(event.id));
    counts[status ?? 'unanswered'] += 1;
    if (status === 'stored') event.isPromised = true;
    if (status === 'duplicate') round.duplicates.push(event);
  }
}

function startCli(folder, args, stdout = 'ignore') {
  return spawn(process.execPath, [cli, ...args, '--log-level', 'error'], {
    cwd: folder,
    stdio: ['ignore', stdout, 'inherit'],
  });
}

async function runCli(folder, args) {
  const [code] = await once(startCli(folder, args), 'exit');
  if (code !== 0) throw new Error(`postledger ${args.join(' ')} ended with exit code ${code}`);
}

/** Runs one receiver from its start to its violent end, with senders at it. */
async function runRound(folder) {
  const child = startCli(folder, ['webhooks', 'serve', '--json'], 'pipe');
  const exited = once(child, 'exit');
  runs.starts += 1;
  if (isChance(0.15)) {
    await delay(between(100, 900));
  } else {
    const [line] = await once(child.stdout, 'data');
    const round = { url: JSON.parse(String(line)).url, isOn: true, duplicates: [] };
    const senders = Array.from({ length: senderCount }, () => sendWhile(round));
    const work = isChance(0.3) ? workBeside(folder) : null;
    await delay(between(5, 400));
    round.isOn = false;
    child.kill('SIGKILL');
    await Promise.all([...senders, exited, work]);
    await compareDuplicates(folder, round.duplicates);
    return;
  }
  child.kill('SIGKILL');
  await exited;
}

/** A load or a file of events, while events come in. */
async function workBeside(folder) {
  if (isChance(0.6)) await load(folder);
  else await ingest(folder);
}

async function load(folder) {
  runs.loads += 1;
  if (!isChance(0.3)) return runCli(folder, ['load']);
  const child = startCli(folder, ['load']);
  const exited = once(child, 'exit');
  await Promise.race([exited, delay(between(300, 1_500))]);
  if (child.exitCode === null) runs.loadsKilled += 1;
  child.kill('SIGKILL');
  return exited;
}

async function ingest(folder) {
  runs.ingests += 1;
  const events = Array.from({ length: 50 }, nextEvent);
  const file = join(folder, 'events.ndjson');
  await writeFile(file, events.map(({ id }) => JSON.stringify(JSON.parse(bodyOf(id)))).join('\n'));
  await runCli(folder, ['webhooks', 'ingest', 'events.ndjson']);
  for (const event of events) event.isPromised = true;
}

/** A `duplicate` is one only when the event is on disk; the receiver is dead, so nothing comes after it. */
async function compareDuplicates(folder, duplicates) {
  const kept = await readKept(folder);
  for (const event of duplicates) {
    event.isPromised = true;
    if (!kept.has(event.id)) problems.falseDuplicates.add(event.id);
  }
  comparePromised(kept);
}

function comparePromised(kept) {
  for (const { id, isPromised } of sent) {
    if (isPromised && !kept.has(id)) problems.missing.add(id);
  }
}

/** Sealed segments, which never change: the events of each, by name. */
const sealedSegments = new Map();

/** The numbers of all events on disk, in the inbox and in the archive. */
async function readKept(folder) {
  const kept = new Set();
  for (const path of await listFiles(join(folder, 'data'))) {
    const ids = sealedSegments.get(path) ?? (await readIds(path));
    if (!path.endsWith('.open')) sealedSegments.set(path, ids);
    for (const id of ids) kept.add(id);
  }
  return kept;
}

/** The inbox first: a load that goes on moves segments from there to the archive. */
async function listFiles(data) {
  const inbox = await readdir(join(data, 'inbox')).catch(() => []);
  const archive = join(data, 'archive', '_events');
  const archived = await readdir(archive, { recursive: true }).catch(() => []);
  const paths = [
    ...inbox.map((name) => join(data, 'inbox', name)),
    ...archived.map((name) => join(archive, name)),
  ];
  return paths.filter((path) => /\.(ndjson|ndjson\.gz|open)$/.test(path));
}

async function readIds(path) {
  const data = await readFile(path);
  const text = (path.endsWith('.gz') ? gunzipSync(data) : data).toString();
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).payload.data.id);
}

async function readRows(folder) {
  const file = join(folder, 'keys.json');
  const query = 'select event_key, count(*) as copies from webhook_events group by all';
  await runCli(folder, ['sql', query, '--format', 'json', '--out', file]);
  const rows = JSON.parse(await readFile(file, 'utf8'));
  return new Map(rows.map((row) => [row.event_key, Number(row.copies)]));
}

/** What was promised has to be in the warehouse, once. @returns the rows there */
async function compareWarehouse(folder) {
  const rows = await readRows(folder);
  for (const { id, key, isPromised } of sent) {
    if (isPromised && !rows.has(key)) problems.missing.add(id);
    if ((rows.get(key) ?? 0) > 1) problems.twice.add(id);
  }
  return rows.size;
}

async function main(folder) {
  await writeFile(
    join(folder, 'jobs.yaml'),
    `workspaces:
  acme: { base_url: https://social.example.com/api/v1, api_key: "\${ACME_API_KEY}" }
webhooks: { port: 0, token: "\${TOKEN}" }
`,
  );
  await writeFile(join(folder, '.env'), `TOKEN=${token}\n`);
  for (let round = 1; round <= kills; round += 1) {
    await runRound(folder);
    if (isChance(0.1)) await load(folder);
    if (process.stderr.isTTY) process.stderr.write(`\r${round} of ${kills} kills`);
  }
  comparePromised(await readKept(folder));
  await runCli(folder, ['load']);
  const rows = await compareWarehouse(folder);
  const promised = sent.filter(({ isPromised }) => isPromised).length;
  const found = Object.entries(problems).map(([name, ids]) => [name, ids.size]);
  const summary = { kills, seed: Number(options.seed), ...runs, sent: sent.length, promised };
  const report = { ...summary, answers: counts, rows, ...Object.fromEntries(found) };
  console.log(JSON.stringify(report, null, 2));
  const isSound = found.every(([, count]) => count === 0);
  if (!isSound || promised === 0) process.exitCode = 1;
}

const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
try {
  await main(folder);
} finally {
  agent.destroy();
  await rm(folder, { recursive: true, force: true });
}
