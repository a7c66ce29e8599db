import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RunWriter } from '../../src/store/run-writer.ts';
import type { Running } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { finishOf, recordOf } from '../support/stored-run.ts';
import { until } from '../support/until.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/** A service without posts, which keeps its answers back until it is released. */
async function heldService() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server: Server = createServer((_, response) => {
    void released.then(() => response.setHeader('content-type', 'application/json').end('[]'));
  });
  const port = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}/api/v1`, release };
}

/** A folder whose only job, on each New Year's Day, had its last run in 2024. */
async function folderOfLateJob(url: string) {
  const job = await jobFolder({ url, details: 'false\n    schedule: "0 3 1 1 *"' });
  const record = { run_id: '20240101T030000Z-aaaaaa', started_at: '2024-01-01T03:00:00.000Z' };
  const lastRun = await RunWriter.open(join(job.folder, 'data'), recordOf(record));
  await lastRun.finish(finishOf());
  return { ...job, text: await readFile(join(job.folder, 'jobs.yaml'), 'utf8') };
}

/** Returns a function that waits until standard error has a text, with what it has so far. */
function watchLog({ child }: Running) {
  let log = '';
  child.stderr?.on('data', (chunk: string) => (log += chunk));
  const logged = (text: string) => until(() => log.includes(text));
  return Object.assign(logged, { text: () => log });
}

it('schedule catches up, and follows jobs.yaml on SIGHUP while a run goes on', async () => {
  const service = await heldService();
  const { start, write, text } = await folderOfLateJob(service.url);
  const running = start('schedule', '--catch-up', '--health-port', '0');
  const logged = watchLog(running);
  await logged('starting daily');
  const origin = /health at (http:\S+)\/health/.exec(logged.text())?.[1] ?? '';
  const health = async () => {
    const response = await fetch(`${origin}/health`);
    return { code: response.status, ...((await response.json()) as object) };
  };
  const hangUp = async (jobs: string) => {
    await write({ 'jobs.yaml': jobs });
    running.child.kill('SIGHUP');
  };
  await hangUp(text.replace('0 3 1 1 *', 'at noon'));
  await logged('SIGHUP changes nothing, and the config stays as it was: jobs.yaml:15: jobs.daily');
  await hangUp(text.replace('0 3 1 1 *', '0 3 2 1 *').replace('daily:', 'yearly:'));
  await logged('jobs.yaml and .env were read again');
  await logged('next run of yearly');
  expect(await health()).toMatchObject({
    code: 200,
    status: 'ok',
    problems: [],
    jobs: [{ job: 'yearly', schedule: '0 3 2 1 *', is_running: false, last_run: null }],
  });
  await hangUp(text);
  await logged('next run of daily');
  service.release();
  let printed = '';
  running.child.stdout?.on('data', (chunk: string) => (printed += chunk));
  await until(() => printed.includes('Job daily\n'));
  await until(() => printed.includes('loaded'));
  const { jobs } = (await health()) as unknown as { jobs: object[] };
  expect(jobs).toMatchObject([{ job: 'daily', last_run: { status: 'succeeded' }, problems: [] }]);
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  expect(metrics).toContain('postledger_last_run_succeeded{job="daily"} 1\n');
  expect(metrics).toContain('postledger_job_healthy{job="daily"} 1\n');
  expect(metrics).toMatch(/^postledger_next_run_timestamp_seconds\{job="daily"\} \d{10}$/m);
  running.child.kill('SIGTERM');
  const { code, stdout, stderr } = await running.finished;
  expect([code, stderr]).toEqual([0, expect.stringContaining('daily missed its time')]);
  expect(stdout).toMatch(/^Job daily\n {2}acme: \d date ranges read in \d requests\n/);
});

it('schedule without --catch-up answers 503 while a missed run is overdue', async () => {
  const { start } = await folderOfLateJob('http://127.0.0.1:1/api/v1');
  const running = start('schedule', '--health-port', '0');
  const logged = watchLog(running);
  await logged('health at');
  const [url = ''] = /http:\S+\/health/.exec(logged.text()) ?? [];
  const response = await fetch(url);
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { status: 'failing', jobs: [{ problems: ['the run of 2025-01-01T03:00:00.000Z is overdue'] }] },
  ]);
  const metrics = await (await fetch(url.replace('health', 'metrics'))).text();
  expect(metrics).toContain('postledger_job_healthy{job="daily"} 0\n');
  // a web page may reach this machine under a name of its own
  for (const path of ['health', 'metrics']) {
    const foreign = get(url.replace('health', path), { headers: { host: 'evil.example' } });
    const [refused] = (await once(foreign, 'response')) as [IncomingMessage];
    expect(refused.resume().statusCode).toBe(421);
  }
  running.child.kill('SIGTERM');
  expect((await running.finished).code).toBe(0);
});
