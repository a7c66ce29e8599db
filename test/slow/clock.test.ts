import { expect, it } from 'vitest';
import { register } from '../../src/commands/run.ts';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { TimedCli } from '../support/timed-cli.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A post of which each run reads the likes that it has by then. */
async function growingPost() {
  const recently = addDays(dayOf(new Date(), 'UTC'), -5);
  const posts = [analyticsRecord(1, recently, { likeCount: 1 })];
  const analytics = new Map([[uuid(900), posts]]);
  const service = await startPlainService({ analytics });
  const job = await jobFolder({
    url: service.url,
    windows: '{ days: 20, size_days: 60, refresh_days: 20 }',
    details: false,
  });
  const cli = new TimedCli(job.folder, register);
  const runAt = async (shiftMs: number, likeCount: number) => {
    analytics.set(uuid(900), [analyticsRecord(1, recently, { likeCount })]);
    const before = service.requests.length;
    const at = new Date(Date.now() + shiftMs).toISOString();
    const { code, log } = await cli.run(['run'], at);
    return { code, log, requests: service.requests.length - before };
  };
  return { job, runAt };
}

const posts = 'select like_count from linkedin_posts';
const snapshots =
  'select captured_on::varchar as day, like_count from linkedin_post_snapshots order by all';
it('a clock that is set back by hours has no effect: the next run reads, and the newest figures win', async () => {
  const { job, runAt } = await growingPost();
  const now = new Date();
  expect(await runAt(0, 10)).toMatchObject({ code: 0, requests: 1 });
  expect(await runAt(-2 * hourMs, 20)).toMatchObject({ code: 0, requests: 1 });
  expect(await runAt(hourMs, 30)).toMatchObject({ code: 0, requests: 1 });
  expect(await job.query(posts)).toEqual([{ like_count: 30 }]);
  const runs = await job.query('select status, posts_read from runs order by run_id');
  expect(runs).toEqual(Array.from({ length: 3 }, () => ({ status: 'succeeded', posts_read: 1 })));
  const last = dayOf(new Date(now.getTime() + hourMs), 'UTC');
  expect((await job.query(snapshots)).at(-1)).toEqual({ day: last, like_count: 30 });
});

it('a run under a clock that is days ahead does not keep later runs from reading, and its figures are replaced once that time has come', async () => {
  const { job, runAt } = await growingPost();
  const today = dayOf(new Date(), 'UTC');
  expect(await runAt(3 * dayMs, 10)).toMatchObject({ code: 0, requests: 1 });
  expect(await runAt(0, 20)).toMatchObject({ code: 0, requests: 1 });
  // each reading is dated by its own clock, and the later one wins
  expect(await job.query(snapshots)).toEqual([
    { day: today, like_count: 20 },
    { day: addDays(today, 3), like_count: 10 },
  ]);
  expect(await job.query(posts)).toEqual([{ like_count: 10 }]);
  expect(await runAt(3 * dayMs + 2 * hourMs, 30)).toMatchObject({ code: 0, requests: 1 });
  expect(await job.query(posts)).toEqual([{ like_count: 30 }]);
});
