import { readFile, readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { Database } from '../../src/warehouse/database.ts';
import { runCli, startCli, writeFiles } from '../support/cli.ts';
import { analyticsRecord, postDetails, uuid } from '../support/made-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { valueReport } from '../support/value-report.ts';

/** A text that is in each secret and in nothing else. */
const mark = 'd41d8cd98f00';

const secrets = {
  ACME_API_KEY: `sk-acme-${mark}/+==key`,
  OTHER_API_KEY: `sk-other-${mark}-key`,
  HOOK_TOKEN: `token-${mark}-of-the-hook`,
  HOOK_SECRET: `whsec_${Buffer.from(`signed-${mark}-signed`).toString('base64')}`,
};
const proxyPassword = `proxy-${mark}-word`;
const signingKey = secrets.HOOK_SECRET.slice('whsec_'.length);

const isSecretIn = (text: string): boolean =>
  text.includes(mark) || text.includes(signingKey) || text.includes(proxyPassword);

const today = dayOf(new Date(), 'UTC');

/**
 * A proxy that stands for the services behind it, all of which quote the key that they are given wherever they can.
 */
async function startQuotingServices(): Promise<{ proxy: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const passed = Buffer.from(`user:${proxyPassword}`).toString('base64');
    expect(request.headers['proxy-authorization']).toBe(`Basic ${passed}`);
    paths.push(request.url ?? '');
    quote(request, response);
  });
  const port = await listenOnLoopback(server);
  return { proxy: `http://user:${proxyPassword}@127.0.0.1:${port}`, paths };
}

function quote(request: IncomingMessage, response: ServerResponse): void {
  const key = (request.headers.authorization ?? '').replace('Bearer ', '');
  const url = new URL(request.url ?? '/');
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-your-key', key);
  const answer = (status: number, body: unknown) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  if (url.hostname === 'other.example') {
    answer(401, { code: 'UNAUTHORIZED', message: `not your key: ${key}`, data: { key } });
  } else if (url.pathname.includes(uuid(900))) {
    const day = addDays(today, -3);
    const servicePost = { id: uuid(1), title: `Title ${key}`, labels: [], campaign: null };
    answer(200, [
      analyticsRecord(1, day, {
        commentary: `my key is ${key}`,
        servicePost,
        yourKey: { [key]: key },
      }),
      { ...analyticsRecord(2, day), id: null, commentary: key },
    ]);
  } else if (url.pathname.includes(uuid(901))) {
    answer(200, `${key} is no JSON`);
  } else if (url.pathname.includes(uuid(902))) {
    response.setHeader('location', `http://elsewhere.example/?key=${encodeURIComponent(key)}`);
    answer(302, '');
  } else if (url.pathname.includes(uuid(903))) {
    response.setHeader('retry-after', key);
    answer(400, { code: key, message: key, data: { errors: { [key]: [key] } } });
  } else if (url.pathname.endsWith(`/posts/${uuid(1)}`)) {
    answer(200, { post: postDetails(1, { title: `Title ${key}`, secret: key }) });
  } else {
    answer(404, { code: 'NOT_FOUND', message: `Not found with ${key}` });
  }
}

const jobs = `timezone: UTC
workspaces:
  acme:
    base_url: http://acme.example/api/v1
    api_key: \${ACME_API_KEY}
    rate_limit: { requests: 1000, per_seconds: 1 }
    profiles:
      - { id: ${uuid(900)}, name: Quoting }
      - { id: ${uuid(901)}, name: Broken }
      - { id: ${uuid(902)}, name: Elsewhere }
      - { id: ${uuid(903)}, name: Refused }
  other:
    base_url: http://other.example/api/v1
    api_key: \${OTHER_API_KEY}
    rate_limit: { requests: 1000, per_seconds: 1 }
    profiles:
      - { id: ${uuid(904)}, name: Unauthorized }
jobs:
  daily:
    schedule: "15 5 * * *"
    profiles: [acme/*, other/*]
    windows: { days: 10, size_days: 10, refresh_days: 3 }
    details: true
    reports:
      - { report: quality, period: all, formats: [csv, json, html, xlsx, md, parquet], out: out }
      - { report: value, period: all, formats: [csv, json, html, xlsx, md, parquet], out: out }
webhooks:
  port: 0
  token: \${HOOK_TOKEN}
  signing_secret: \${HOOK_SECRET}
  token_header: X-Hook-Token
`;

/** A folder with the jobs; `printed` is all that `run` printed. */
async function settingBehind(proxy: string) {
  const folder = await temporaryFolder();
  await writeFiles(folder, { ...valueReport, 'jobs.yaml': jobs });
  const printed: string[] = [];
  // a secret store puts them into the environment, so that no file has them
  const env = { ...secrets, HTTP_PROXY: proxy, TMPDIR: await temporaryFolder() };
  const debug = ['--log-level', 'debug'];
  const start = (...args: string[]) => startCli([...debug, ...args], { cwd: folder, env });
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runCli([...debug, ...args], { cwd: folder, env });
    printed.push(stdout, stderr);
    return stdout;
  };
  return { folder, start, run, printed };
}

/** The files below a folder, unpacked, that have a secret in them. */
async function filesWithSecrets(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((file) => file.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    if (isSecretIn(text) || isSecretIn(entry.name)) found.push(path);
  }
  return found;
}

/** Tables of the warehouse, whose file is compressed, that have a secret in them. */
async function tablesWithSecrets(warehouse: string): Promise<string[]> {
  const database = await Database.open(warehouse, 'READ_ONLY');
  try {
    const { rows } = await database.query('select table_name from duckdb_tables()');
    const found: string[] = [];
    expect(rows.length).toBeGreaterThan(10);
    for (const [name] of rows) {
      const table = await database.query(`select t::varchar from "${String(name)}" t`);
      if (table.rows.some(([row]) => isSecretIn(String(row)))) found.push(String(name));
    }
    return found;
  } finally {
    database.close();
  }
}

async function sendWrongly(url: string): Promise<void> {
  const event = JSON.stringify({ type: 'test', data: {}, createdAt: '2026-01-15T12:00:00Z' });
  const json = { 'content-type': 'application/json' };
  const token = secrets.HOOK_TOKEN;
  const sendings: readonly [string, Record<string, string>, string][] = [
    [`${url}?token=${token}`, json, event],
    [`${url}?token=${token}x`, json, event],
    [`${url}/${token}`, json, event],
    [url, { ...json, 'x-hook-token': token, authorization: `Bearer ${token}x` }, event],
    [url, { ...json, 'x-hook-token': token, 'webhook-signature': `v1,${signingKey}` }, event],
    [url, { 'content-type': token }, event],
    [`${url}?token=${token}`, json, `{"${token}": `],
  ];
  for (const [address, headers, body] of sendings) {
    const response = await fetch(address, { method: 'POST', headers, body });
    expect(await response.text()).not.toContain(mark);
  }
}

it('secrets appear only where they were given, whatever a service, a sender or a proxy does with them', async () => {
  const { proxy, paths } = await startQuotingServices();
  const { folder, start, run, printed } = await settingBehind(proxy);

  await run('check', '--online');
  await run('plan');
  await run('run');
  await run('--log-format', 'json', 'run', '--full', '--no-reports');
  await run('status');
  await run('status', '--json');
  await run('posts', 'get', uuid(1), '--workspace', 'acme');
  await run('posts', 'get', uuid(1), '--workspace', 'acme', '--json');
  await run('posts', 'get', uuid(2), '--workspace', 'acme');
  await run('posts', 'get', uuid(2), '--workspace', 'other');
  await run('sql', 'from rejected_records', '--format', 'json');
  await run('sql', 'from post_performance');
  await run('sql', "select current_setting('http_proxy_password'), * from duckdb_settings()");
  await run('report', 'run', 'quality', 'value', '--format', 'table');
  await run('schedule', '--print', 'crontab');
  await run('verify');
  const runs = JSON.parse(await run('runs', 'list', '--json')) as { run_id: string }[];
  for (const { run_id: id } of runs) await run('runs', 'show', id, '--json');
  expect(paths.length).toBeGreaterThan(10);

  const receiver = start('webhooks', 'serve', '--json');
  const address = await new Promise<string>((resolve) => {
    receiver.child.stdout?.once('data', (text: string) => resolve(text));
  });
  await sendWrongly((JSON.parse(address) as { url: string }).url);
  receiver.child.kill('SIGTERM');
  const received = await receiver.finished;
  printed.push(received.stdout, received.stderr);
  await run('webhooks', 'list', '--limit', '0');

  expect(printed.join('').length).toBeGreaterThan(10_000);
  expect(printed.filter(isSecretIn)).toEqual([]);
  expect(await filesWithSecrets(folder)).toEqual([]);
  expect(await tablesWithSecrets(join(folder, 'data', 'postledger.duckdb'))).toEqual([]);
}, 240_000);
