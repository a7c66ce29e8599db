import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RunWriter } from '../../src/store/run-writer.ts';
import type { Running } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { finishOf, recordOf } from '../support/stored-run.ts';
import { until } from '../support/until.ts';

/** A service without posts, which keeps its answers back until it is released. */
async function heldService() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server: Server = createServer((_, response) => {
    void released.then(() => response.setHeader('content-type', 'application/json').end('[]'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`, release };
}

/** A folder whose only job, on each New Year's Day, had its last run in 2024. */
async function folderOfLateJob(url: string) {
  const job = await jobFolder({ url, details: 'false\n    schedule: "0 3 1 1 *"' });
  const record = { run_id: '20240101T030000Z-aaaaaa', started_at: '2024-01-01T03:00:00.000Z' };
  const lastRun = await RunWriter.open(join(job.folder, 'data'), recordOf(record));
  await lastRun.finish(finishOf());
  return { ...job, text: await readFile(join(job.folder, 'jobs.yaml'), 'utf8') };
}

/** Returns a function that waits until standard error has a text. */
function watchLog({ child }: Running) {
  let log = '';
  child.stderr?.on('data', (chunk: string) => (log += chunk));
  return (text: string) => until(() => log.includes(text));
}

it('schedule catches up, and follows jobs.yaml on SIGHUP while a run goes on', async () => {
  const service = await heldService();
  const { start, write, text } = await folderOfLateJob(service.url);
  const running = start('schedule', '--catch-up');
  const logged = watchLog(running);
  await logged('starting daily');
  const hangUp = async (jobs: string) => {
    await write({ 'jobs.yaml': jobs });
    running.child.kill('SIGHUP');
  };
  await hangUp(text.replace('0 3 1 1 *', 'at noon'));
  await logged('SIGHUP changes nothing, and the config stays as it was: jobs.yaml:15: jobs.daily');
  await hangUp(text.replace('0 3 1 1 *', '0 3 2 1 *').replace('daily:', 'yearly:'));
  await logged('jobs.yaml and .env were read again');
  await logged('next run of yearly');
  service.release();
  let printed = '';
  running.child.stdout?.on('data', (chunk: string) => (printed += chunk));
  await until(() => printed.includes('Job daily\n'));
  running.child.kill('SIGTERM');
  const { code, stdout, stderr } = await running.finished;
  expect([code, stderr]).toEqual([0, expect.stringContaining('daily missed its time')]);
  expect(stdout).toMatch(/^Job daily\n {2}acme: \d date ranges and 0 post details read in/);
});
