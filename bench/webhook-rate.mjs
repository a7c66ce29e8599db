// Sends distinct events to `webhooks serve` from several connections at once. Prints a row of JSON for each number of
// connections, and ends with exit code 1 when an acknowledged event is not on disk.
//   npm run build && node bench/webhook-rate.mjs [--seconds 5] [--connections 1,16,64]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { listEventKeys } from '../dist/store/event-store.js';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,16,64' },
  },
});
const token = 'bench-token-of-the-receiver';
const cli = resolve(import.meta.dirname, '../dist/cli.js');

/** Some 600 bytes, as a deletion has; autocannon gives each copy its own id. */
const event = JSON.stringify({
  type: 'post.permanently_deleted',
  data: { post: { id: '[<id>]', title: 'Spring in the harbour', text: 'x'.repeat(450) } },
  createdAt: '2026-11-21T10:00:00.000Z',
});

const jobsYaml = `workspaces:
  acme: { base_url: https://social.example.com/api/v1, api_key: "\${ACME_API_KEY}" }
webhooks: { port: 0, token: "\${TOKEN}" }
`;

async function measure(connections) {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-rate-'));
  try {
    await writeFile(join(folder, 'jobs.yaml'), jobsYaml);
    await writeFile(join(folder, '.env'), `TOKEN=${token}\n`);
    const args = [cli, 'webhooks', 'serve', '--json', '--log-level', 'warn'];
    const stdio = ['ignore', 'pipe', 'inherit'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio });
    const [line] = await once(child.stdout, 'data');
    const { duration, latency, statusCodeStats } = await autocannon({
      url: JSON.parse(String(line)).url,
      method: 'POST',
      connections,
      duration: Number(options.seconds),
      idReplacement: true,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: event,
    });
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    const peakRssKb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
    child.kill('SIGTERM');
    await once(child, 'exit');
    const acknowledged = statusCodeStats['202']?.count ?? 0;
    const stored = (await listEventKeys(join(folder, 'data'))).length;
    if (stored < acknowledged) process.exitCode = 1;
    const perSecond = Math.round(acknowledged / duration);
    const { p50: p50Ms, p99: p99Ms } = latency;
    return { connections, perSecond, p50Ms, p99Ms, acknowledged, stored, peakRssKb };
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const connections of options.connections.split(',').map(Number)) {
  console.log(JSON.stringify(await measure(connections)));
}
