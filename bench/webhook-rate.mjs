// Sends distinct events to `webhooks serve` from several connections at once, beside what the same disk syncs
// one by one, and what a bare node:http server answers that stores nothing.
//   npm run build && node bench/webhook-rate.mjs [--seconds 5] [--connections 1,16,64,256] [--profile folder]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,16,64,256' },
    /** Leaves a CPU profile of the receiver in this folder. */
    profile: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const connections = options.connections.split(',').map(Number);
const token = 'bench-token-of-some-length';
const cli = resolve(import.meta.dirname, '../dist/cli.js');

/** Some 600 bytes, as a deletion has; autocannon gives each copy its own id. */
const event = JSON.stringify({
  type: 'post.permanently_deleted',
  data: {
    post: {
      id: '[<id>]',
      title: 'Spring in the harbour',
      status: 'Posted',
      channels: ['LinkedIn', 'Twitter'],
      campaign: { id: 'c1', name: 'Spring', startDate: '2026-03-01', endDate: null },
      url: 'https://social.example.com/posts/1',
      labels: [{ id: 'l1', name: 'Harbour', color: '#0b5fa5', backgroundColor: '#ffffff' }],
      workspace: { id: 'w1', slug: 'acme', name: 'Acme' },
      deletedBy: null,
      deletedAt: '2026-11-21T10:00:00.000Z',
      linkedIn: null,
      x: null,
    },
  },
  createdAt: '2026-11-21T10:00:00.000Z',
});

const jobsYaml = `workspaces:
  acme: { base_url: https://social.example.com/api/v1, api_key: "\${ACME_API_KEY}" }
webhooks: { port: 0, token: "\${TOKEN}" }
`;

const bareServer = `
  const server = require('node:http').createServer((request, response) => {
    request.on('data', () => {}).on('end', () => {
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"stored"}');
    });
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port + '/webhooks' }));
  });`;

async function start(args, cwd) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { child, ...JSON.parse(String(line)) };
}

async function stop({ child }) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function startReceiver(folder) {
  await writeFile(join(folder, 'jobs.yaml'), jobsYaml);
  await writeFile(join(folder, '.env'), `TOKEN=${token}\n`);
  const profile = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
  const args = [...profile, cli, 'webhooks', 'serve', '--json', '--log-level', 'warn'];
  return start(args, folder);
}

async function peakBytes({ child }) {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** CPU time of the process so far; unlike rates, it does not depend on what else the machine does. */
async function cpuMicroseconds({ child }) {
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
  return (Number(user) + Number(system)) * 10_000;
}

async function fire(server, connectionCount) {
  const { url } = server;
  const cpuBefore = await cpuMicroseconds(server);
  const result = await autocannon({
    url,
    method: 'POST',
    connections: connectionCount,
    duration: seconds,
    idReplacement: true,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: event,
  });
  const { latency, statusCodeStats, errors } = result;
  const statuses = Object.fromEntries(
    Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]),
  );
  const acknowledged = statuses['202'] ?? 0;
  return {
    perSecond: Math.round(acknowledged / result.duration),
    acknowledged,
    statuses,
    errors,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    cpuMicroseconds: Math.round(((await cpuMicroseconds(server)) - cpuBefore) / acknowledged),
  };
}

/** Events per second that a plain loop of write and fdatasync puts on this disk. */
async function measureDisk(folder) {
  const handle = await open(join(folder, 'floor'), 'wx');
  const line = Buffer.from(`${event}\n`);
  const end = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < end; count += 1) {
    await handle.write(line);
    await handle.datasync();
  }
  await handle.close();
  return Math.round(count / seconds);
}

async function countStored(folder) {
  const inbox = join(folder, 'data', 'inbox');
  const names = (await readdir(inbox)).filter((name) => name.endsWith('.ndjson'));
  const texts = await Promise.all(names.map((name) => readFile(join(inbox, name), 'latin1')));
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

async function measureReceiver(connectionCount) {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-rate-'));
  try {
    const receiver = await startReceiver(folder);
    const fired = await fire(receiver, connectionCount);
    const peakRssBytes = await peakBytes(receiver);
    await stop(receiver);
    const stored = await countStored(folder);
    if (stored < fired.acknowledged) {
      throw new Error(`${fired.acknowledged} events were acknowledged, ${stored} are there`);
    }
    return { ...fired, stored, peakRssBytes };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureBare(connectionCount) {
  const server = await start(['-e', bareServer], tmpdir());
  const fired = await fire(server, connectionCount);
  await stop(server);
  return fired;
}

const folder = await mkdtemp(join(tmpdir(), 'postledger-rate-'));
const diskPerSecond = await measureDisk(folder);
await rm(folder, { recursive: true });
console.error(
  `${diskPerSecond} /s  one write and fdatasync after another, ${event.length} bytes each`,
);

const rows = [];
for (const count of connections) {
  const bare = await measureBare(count);
  const receiver = await measureReceiver(count);
  const toDisk = Number((receiver.perSecond / diskPerSecond).toFixed(2));
  const toBare = Number((receiver.perSecond / bare.perSecond).toFixed(2));
  rows.push({
    connections: count,
    ...receiver,
    barePerSecond: bare.perSecond,
    bareCpuMicroseconds: bare.cpuMicroseconds,
    toDisk,
    toBare,
  });
  console.error(
    `${receiver.perSecond} /s  ${count} connections: ${toDisk} of the disk, ${toBare} of bare HTTP (${bare.perSecond} /s), ${receiver.cpuMicroseconds} µs of CPU (bare ${bare.cpuMicroseconds}), p50 ${receiver.p50Ms} ms, p99 ${receiver.p99Ms} ms, ${Math.round(receiver.peakRssBytes / 2 ** 20)} MiB`,
  );
}
console.log(JSON.stringify({ diskPerSecond, seconds, eventBytes: event.length, rows }, null, 2));
