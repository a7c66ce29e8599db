import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import type { Running } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService, type PlainService } from '../support/plain-service.ts';

const today = dayOf(new Date(), 'UTC');
const firstDay = addDays(today, -29);

/** 150 posts in one date range of 30 days, of which the service returns 100. */
async function cappedJob() {
  const records = Array.from({ length: 150 }, (_, index) =>
    analyticsRecord(index + 1, addDays(firstDay, index % 30)),
  );
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  service.cap = 100;
  const job = await jobFolder({
    url: service.url,
    windows: `{ start: ${firstDay}, size_days: 60 }`,
    details: false,
  });
  const posts = async () => {
    const [row] = await job.query('select count(*)::integer as n from linkedin_posts');
    return row?.['n'];
  };
  return { service, job, posts };
}

/** Kills the run when its nth request arrives. */
async function killAtRequest(nth: number, service: PlainService, running: Running): Promise<void> {
  await new Promise<void>((resolve) => {
    service.onRequest = () => {
      if (service.requests.length + 1 === nth) {
        running.child.kill('SIGKILL');
        resolve();
      }
    };
  });
  expect((await running.finished).signal).toBe('SIGKILL');
  service.onRequest = null;
}

it('a run that is killed while it checks a response is completed by the next one', async () => {
  const { service, job, posts } = await cappedJob();
  await killAtRequest(3, service, job.start('run'));
  const plan = await job.run('plan');
  expect(plan.stdout).toContain('Unchecked');
  expect(plan.stderr).toContain('an earlier run was cut off');
  const healed = await job.run('run');
  expect(healed.code).toBe(0);
  expect(healed.stdout).toContain('50 more were in its parts');
  expect(await posts()).toBe(150);
});
