import { describe, expect, it } from 'vitest';
import { jobFolder } from '../../support/job-folder.ts';
import { uuid } from '../../support/made-records.ts';
import { startPlainService } from '../../support/plain-service.ts';

/** The largest number of arrivals in any interval of `perMs`, half open. */
function densest(arrivals: readonly number[], perMs: number): number {
  return Math.max(
    ...arrivals.map((start) => arrivals.filter((at) => at >= start && at < start + perMs).length),
  );
}

describe('the rate limit', () => {
  it('is fully used and never exceeded in any interval, over two runs and a kill', async () => {
    const limit = { requests: 20, perMs: 2000 };
    const service = await startPlainService({ analytics: new Map([[uuid(900), []]]), limit });
    const job = await jobFolder({
      url: service.url,
      limit: { requests: 20, perSeconds: 2 },
      windows: '{ days: 420, size_days: 7, refresh_days: 10 }',
    });
    const running = job.start('run', '--no-reports');
    await new Promise<void>((resolve) => {
      service.onRequest = () => {
        if (service.requests.length >= 30) resolve();
      };
    });
    running.child.kill('SIGKILL');
    await running.finished;
    service.onRequest = null;
    expect((await job.run('run', '--no-reports')).code).toBe(0);

    const arrivals = service.requests.map(({ atMs }) => atMs);
    expect(service.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(densest(arrivals, limit.perMs)).toBeLessThanOrEqual(limit.requests);
    expect(arrivals.length).toBeGreaterThanOrEqual(60);
  });

  it('makes a workspace wait as long as a 429 says, and nothing is missed', async () => {
    const service = await startPlainService({
      analytics: new Map([[uuid(900), []]]),
      limit: { requests: 5, perMs: 1000 },
    });
    const job = await jobFolder({
      url: service.url,
      limit: { requests: 100, perSeconds: 1 },
      windows: '{ days: 300, size_days: 30, refresh_days: 10 }',
    });
    expect((await job.run('run', '--no-reports')).code).toBe(0);
    expect(service.requests.some(({ status }) => status === 429)).toBe(true);
    expect(
      await job.query("select count(*) as n from extract_windows where status <> 'succeeded'"),
    ).toEqual([{ n: 0 }]);
    const [run] = await job.query('select throttled, requests from runs');
    expect(run?.['requests']).toBe(service.requests.length);
    expect(Number(run?.['throttled'])).toBeGreaterThan(0);
  });
});
