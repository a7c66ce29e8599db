import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService, type PlainService } from '../support/plain-service.ts';

const today = dayOf(new Date(), 'UTC');

/** A limit that is so slow that a run of 20 date ranges is still under way when it is interrupted. */
const slowLimit = { requests: 12, perSeconds: 30 };
const twentyWindows = '{ days: 600, size_days: 30, refresh_days: 10 }';

async function slowJob() {
  const records = [
    analyticsRecord(1, addDays(today, -2)),
    analyticsRecord(2, addDays(today, -100)),
  ];
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  const job = await jobFolder({ url: service.url, limit: slowLimit, windows: twentyWindows });
  return { service, job };
}

/** Resolves when `count` requests have come in. */
function arrivals(service: PlainService, count: number): Promise<void> {
  return new Promise((resolve) => {
    service.onRequest = () => {
      if (service.requests.length + 1 >= count) resolve();
    };
  });
}

const windowOf = (path: string) => /startDate=.*/.exec(path)?.[0] ?? path;

describe('a run that is interrupted', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s keeps what is stored, and the next run does not read it again',
    async (signal) => {
      const { service, job } = await slowJob();
      const ninth = arrivals(service, 9);
      const running = job.start('run');
      await ninth;
      while (await storedFewerThan(job.folder, 8)) await new Promise((next) => setImmediate(next));
      running.child.kill(signal);
      const ended = await running.finished;
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/kept and loaded/);
      expect(await job.query('select status, finished_at from runs')).toEqual([
        { status: 'interrupted', finished_at: null },
      ]);

      const planned = await plannedRequests(job);
      const loaded = await job.run('load');
      expect(loaded.code).toBe(0);
      const [kept] = await job.query(
        "select count(*) as n from extract_windows where status = 'succeeded'",
      );
      expect(Number(kept?.['n'])).toBeGreaterThanOrEqual(8);
      const left = expectedWindows() - Number(kept?.['n']);
      expect([planned, await plannedRequests(job)]).toEqual([left, left]);
      const runs = await job.query('select status, finished_at is not null as has_end from runs');
      expect(runs).toEqual([{ status: 'interrupted', has_end: false }]);
    },
  );

  it('keeps a second run of the same workspace waiting with --wait, or makes it exit with 4', async () => {
    const { service, job } = await slowJob();
    const first = arrivals(service, 1);
    const running = job.start('run');
    await first;
    const second = await job.run('run');
    expect(second.code).toBe(4);
    expect(second.stderr).toContain('--wait');
    running.child.kill('SIGKILL');
    await once(running.child, 'close').catch(() => undefined);
    const paths = service.requests.map(({ path }) => windowOf(path));
    expect(new Set(paths).size).toBe(paths.length);
  });
});

async function plannedRequests(job: JobFolder): Promise<number> {
  const { stdout, stderr } = await job.run('plan', '--json');
  expect(stderr).not.toContain('error');
  return (JSON.parse(stdout) as { requests: number }).requests;
}

function expectedWindows(): number {
  const first = addDays(today, -599);
  const slot = (day: string) => Math.floor(Date.parse(`${day}T00:00:00Z`) / 86_400_000 / 30);
  return slot(today) - slot(first) + 1;
}

async function storedFewerThan(folder: string, count: number): Promise<boolean> {
  const names = await readdir(`${folder}/data/raw`, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.manifest.json')).length < count;
}
