// Sends generated hostile requests to `webhooks serve`, with good events in between, and holds what has to be
// so afterwards: the process lives, its memory is flat, every good event is stored, nothing was answered 5xx
// but 501, and each refusal has the API's error shape. Ends with exit code 1 when something does not hold.
//   npm run build && node bench/webhook-hostile.mjs [--requests 10000] [--seed 1] [--slow 50] [--floods 2000]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { floods, goodRequest, hostileRequests, token } from './hostile-requests.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    /** Connections that send a byte a second, beside all others. */
    slow: { type: 'string', default: '50' },
    /** Connections that are reset with many requests unanswered. */
    floods: { type: 'string', default: '2000' },
  },
});
const requestCount = Number(options.requests);
const seed = Number(options.seed);
const slowCount = Number(options.slow);
const floodCount = Number(options.floods);
const senders = 32;
const goodEvery = 10;
/** What the memory of a busy Node process goes up and down by, measured with good events alone. */
const mostGrowthBytes = 48 * 2 ** 20;
const cli = resolve(import.meta.dirname, '../dist/cli.js');
const problems = [];

async function startReceiver(folder) {
  const jobs = `workspaces:
  acme: { base_url: https://social.example.com/api/v1, api_key: "\${ACME_API_KEY}" }
webhooks: { port: 0, token: "\${TOKEN}" }
`;
  await writeFile(join(folder, 'jobs.yaml'), jobs);
  await writeFile(join(folder, '.env'), `TOKEN=${token}\n`);
  const args = [cli, 'webhooks', 'serve', '--json', '--log-format', 'json'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = { errors: [] };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log.errors.push(...text.split('\n').filter((line) => /"level":50|unexpected/.test(line)));
  });
  const [line] = await once(child.stdout, 'data');
  return { child, log, port: Number(new URL(JSON.parse(String(line)).url).port) };
}

async function rssBytes({ child }) {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** Sends bytes in pieces, closes this side, and gives what came until the other side closed. */
async function exchange(port, { bytes, cuts = [], isReset = false }) {
  const socket = connect({ port, host: '127.0.0.1' });
  const chunks = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  let start = 0;
  for (const place of places) {
    socket.write(bytes.subarray(start, place));
    start = place;
    await new Promise((next) => setImmediate(next));
  }
  socket.write(bytes.subarray(start), () => {
    if (isReset) socket.resetAndDestroy();
  });
  if (!isReset) socket.end();
  const cut = setTimeout(() => {
    problems.push(`a connection was still open after 40 s: ${preview(bytes)}`);
    socket.destroy();
  }, 40_000);
  await closed;
  clearTimeout(cut);
  // a character for each byte, as lengths count bytes
  return Buffer.concat(chunks).toString('latin1');
}

/** Counts the statuses, and checks each answer. */
function readAnswers(text, bytes, statuses, isReset) {
  const found = [];
  for (let rest = text; rest !== ''; ) {
    const [head, status] = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n/.exec(rest) ?? [];
    if (head === undefined) {
      if (!isReset) problems.push(`no HTTP: ${preview(rest)} for ${preview(bytes)}`);
      break;
    }
    const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0);
    const body = Buffer.from(rest.slice(head.length, head.length + length), 'latin1').toString();
    rest = rest.slice(head.length + length);
    if (status === '100') continue;
    found.push(status);
    statuses[status] = (statuses[status] ?? 0) + 1;
    checkAnswer(status, body, bytes);
  }
  return found;
}

function checkAnswer(status, body, bytes) {
  if (status >= '500' && status !== '501') problems.push(`answered ${status}: ${preview(bytes)}`);
  if (status < '400') return;
  const isShaped = isErrorShape(body);
  if (!isShaped)
    problems.push(`a ${status} without the error shape: ${body} for ${preview(bytes)}`);
}

function isErrorShape(body) {
  try {
    const { code, message, data, ...others } = JSON.parse(body);
    const hasErrors = data === undefined || Object.values(data.errors).every(Array.isArray);
    return (
      /^[A-Z_]+$/.test(code) && message !== '' && hasErrors && Object.keys(others).length === 0
    );
  } catch {
    return false;
  }
}

function preview(bytes) {
  return JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 300));
}

/** A byte a second, until the other side has had enough. */
async function sendSlowly(port, statuses) {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  socket.on('error', () => undefined);
  socket.write('POST /webhooks HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => socket.write('X'), 1_000);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drip);
  const [status] = readAnswers(text, Buffer.from('slow'), statuses, false);
  if (status !== '408') problems.push(`a slow sender was answered ${status}`);
}

/** Sends many requests, and leaves without reading an answer, again and again. */
async function flood(port, count) {
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(floods[n % floods.length], () => socket.resetAndDestroy());
    await closed;
  }
}

async function storedNumbers(folder) {
  const inbox = join(folder, 'data', 'inbox');
  const names = (await readdir(inbox)).filter((name) => name.endsWith('.ndjson'));
  const numbers = new Set();
  for (const name of names) {
    for (const line of (await readFile(join(inbox, name), 'utf8')).split('\n').slice(0, -1)) {
      const { payload } = JSON.parse(line);
      if (typeof payload.data.good === 'number') numbers.add(payload.data.good);
    }
  }
  return numbers;
}

/** The requests from `start` to `end`, by several senders; gives the numbers of the good events among them. */
async function sendAll(receiver, requests, [start, end], statuses) {
  const good = [];
  let next = start;
  const send = async () => {
    while (next < end) {
      const index = next;
      next += 1;
      const hostile = requests[index];
      const text = await exchange(receiver.port, hostile);
      readAnswers(text, hostile.bytes, statuses, hostile.isReset);
      if (index % goodEvery !== 0) continue;
      good.push(index);
      const bytes = goodRequest(index);
      const [status] = readAnswers(
        await exchange(receiver.port, { bytes }),
        bytes,
        statuses,
        false,
      );
      if (status !== '202') problems.push(`the good event ${index} was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  return good;
}

async function run(folder) {
  const started = performance.now();
  const receiver = await startReceiver(folder);
  const statuses = {};
  const slow = Array.from({ length: slowCount }, () => sendSlowly(receiver.port, statuses));
  const requests = hostileRequests(requestCount, seed);
  const middle = Math.floor(requestCount / 2);
  const first = await sendAll(receiver, requests, [0, middle], statuses);
  await flood(receiver.port, floodCount / 2);
  const rssMiddle = await rssBytes(receiver);
  const second = await sendAll(receiver, requests, [middle, requestCount], statuses);
  await flood(receiver.port, floodCount / 2);
  await Promise.all(slow);
  const rssEnd = await rssBytes(receiver);
  const isAlive = receiver.child.exitCode === null;
  const exited = once(receiver.child, 'exit');
  receiver.child.kill('SIGTERM');
  const [code] = await exited;
  const good = [...first, ...second];
  const stored = await storedNumbers(folder);
  const lost = good.filter((number) => !stored.has(number));
  if (!isAlive || code !== 0) problems.push(`the receiver ended with ${code}`);
  if (lost.length > 0) problems.push(`${lost.length} good events are not stored`);
  if (rssEnd - rssMiddle > mostGrowthBytes)
    problems.push(`memory grew by ${rssEnd - rssMiddle} bytes`);
  problems.push(...receiver.log.errors.slice(0, 10));
  return {
    requests: requestCount,
    seed,
    slow: slowCount,
    floods: floodCount,
    seconds: Math.round((performance.now() - started) / 1000),
    statuses,
    good: good.length,
    lost: lost.length,
    rssMiddleBytes: rssMiddle,
    rssEndBytes: rssEnd,
    problems: problems.slice(0, 20),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'postledger-hostile-'));
try {
  const summary = await run(folder);
  console.log(JSON.stringify(summary, null, 2));
  process.exitCode = summary.problems.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
