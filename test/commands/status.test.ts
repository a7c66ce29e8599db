import { expect, it, test } from 'vitest';
import { verdictsOf } from '../../src/status/problem-sentences.ts';
import type { Config, JobConfig } from '../../src/config/config.ts';
import type { ResponseResult } from '../../src/store/run-writer.ts';
import { readStatus } from '../../src/status/status.ts';
import { longestGapMs } from '../../src/schedule/cron-expression.ts';
import { jobFolder } from '../support/job-folder.ts';
import { inJob, loadJobs, problemsOf } from '../support/jobs-file.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  jobOf,
  load,
  recordOf,
  storeAnalytics,
  storeRun,
  emptyConfig,
} from '../support/stored-run.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { ManualClock } from '../support/manual-clock.ts';

const daily = jobOf({ schedule: '0 12 * * *' });

/** The verdicts at a time, of a profile that was read 2026-01-15 at noon. */
async function verdictsAt(
  time: string,
  change: Partial<JobConfig>,
  failure?: Partial<ResponseResult>,
) {
  const job = { ...daily, ...change };
  const config = await emptyConfig({ jobs: new Map([['daily', job]]) });
  await storeRun(config, [analyticsRecord()]);
  if (failure) {
    await storeRun(config, null, failure, { run_id: '20260116T120000Z-bbbbbb' });
  }
  await load(config);
  return verdictsAtTime(config, time);
}

async function verdictsAtTime(config: Config, time: string) {
  const status = await readStatus(config, new ManualClock(time));
  return verdictsOf(status.open_problems, false);
}

const stale = ['daily: acme/Acme was last read 2026-01-15 12:00 +00:00, more than 48 hours ago'];

test.each([
  ['twice its interval after its last reading', '2026-01-17T12:00:02Z', {}, stale],
  ['not before', '2026-01-17T12:00:01Z', {}, []],
  [
    'after stale_after',
    '2026-01-16T18:01:00Z',
    { staleAfterMs: 30 * 3_600_000, schedule: null },
    ['daily: acme/Acme was last read 2026-01-15 12:00 +00:00, more than 30 hours ago'],
  ],
  ['never, without a schedule and stale_after', '2036-01-16T18:01:00Z', { schedule: null }, []],
])('a job is stale %s', async (_, time, change, expected) => {
  expect((await verdictsAt(time, change)).stale).toEqual(expected);
});

test('a reading later than now is a warning, and does not keep a job from being stale', async () => {
  const config = await emptyConfig({ jobs: new Map([['daily', daily]]) });
  await storeRun(config, [analyticsRecord()]);
  const ahead = { run_id: '20360115T120000Z-bbbbbb', started_at: '2036-01-15T12:00:00.000Z' };
  await storeRun(
    config,
    [analyticsRecord()],
    { fetchedAt: new Date('2036-01-15T12:00:01Z') },
    ahead,
  );
  await load(config);
  expect(await verdictsAtTime(config, '2026-01-17T12:00:02Z')).toMatchObject({
    stale,
    warning: [expect.stringContaining('acme/Acme: a reading is of 2036-01-15T12:00:01') as unknown],
  });
  const status = await readStatus(config, new ManualClock());
  expect(status.jobs[0]?.last_run?.run_id).toBe(recordOf().run_id);
});

test('a date range whose last reading failed is a failure', async () => {
  const at = new Date('2026-01-16T12:00:00Z');
  const failed = {
    outcome: 'failed',
    http_status: 500,
    error: 'no',
    body: null,
    fetchedAt: at,
  } as const;
  expect(await verdictsAt('2026-01-16T13:00:00Z', {}, failed)).toEqual({
    stale: [],
    warning: [],
    failed: ['acme/Acme 2026-01-01 to 2026-01-29: no'],
  });
});

test('a refused key is one failure, however many date ranges it costs', async () => {
  const config = await emptyConfig({ jobs: new Map([['daily', daily]]) });
  const part = await RunWriter.open(config.dataDir, recordOf());
  for (const month of ['01', '02', '03']) {
    const days = { start_date: `2025-${month}-01`, end_date: `2025-${month}-28` };
    const error = `GET /analytics/linkedin/a/posts?startDate=${days.start_date}: Invalid API key (401)`;
    const refused = { outcome: 'failed', http_status: 401, error, body: null } as const;
    await storeAnalytics(part, null, refused, days);
  }
  await part.finish(finishOf());
  await load(config);
  expect((await verdictsAtTime(config, '2026-01-15T13:00:00Z')).failed).toEqual([
    'acme/Acme 2025-01-01 to 2025-01-27 and 2 more date ranges: Invalid API key (401)',
  ]);
});

test('stale_after is a number of minutes, hours or days', async () => {
  const hours = async (given: string) => {
    const { jobs } = await loadJobs(inJob(`stale_after: ${given}`));
    return (jobs.get('daily')?.staleAfterMs ?? 0) / 3_600_000;
  };
  expect([await hours('90m'), await hours('30h'), await hours('2d')]).toEqual([1.5, 30, 48]);
  expect(await problemsOf(inJob('stale_after: soon'))).toEqual([
    '11: jobs.daily.stale_after: must be a number of minutes, hours or days such as 90m, 30h or 2d, got "soon"',
  ]);
});

test('the interval of a schedule is the longest time between two runs', () => {
  const hours = (schedule: string) =>
    (longestGapMs(schedule, new Date('2026-01-15T12:00:00Z')) ?? 0) / 3_600_000;
  expect(hours('15 5 * * *')).toBe(24);
  expect(hours('15 5 * * MON-FRI')).toBe(72);
  expect(hours('*/15 8-18 * * MON-FRI')).toBe(61.25);
  expect(hours('0 6 1 * *')).toBe(31 * 24);
  expect(hours('0 6 29 2 *')).toBe(4 * 365.25 * 24);
});

const scheduled = {
  url: 'http://127.0.0.1:9/api/v1',
  details: 'false\n    schedule: "15 5 * * *"',
};

it('status exits 1 only for a verdict that was asked for', async () => {
  const { run } = await jobFolder(scheduled);
  const held = await run('status', '--json', '--fail-on', 'failed,stale');
  expect(held.code).toBe(1);
  expect(held.stderr).toContain('status: stale');
  expect(JSON.parse(held.stdout)).toMatchObject({
    verdicts: { stale: ['daily: acme/Acme was never read'], warning: [], failed: [] },
  });
  expect((await run('status', '--fail-on', 'failed,warning')).code).toBe(0);
  const wrong = await run('status', '--fail-on', 'old');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Give one of stale, warning, failed.');
});

it('status says unknown instead of never when the warehouse cannot be read', async () => {
  const { folder, run, write } = await jobFolder(scheduled);
  await write({ 'data/postledger.duckdb': 'no database'.repeat(2000) });
  const config = configOf(folder);
  await storeRun(config, []);
  await storeEvents(config, [deletionEvent()]);
  const { code, stdout } = await run('status', '--fail-on', 'stale');
  expect(code).toBe(3);
  expect(stdout).toContain('postledger.duckdb cannot be read');
  expect(stdout).toMatch(/acme\/Acme +unknown +unknown +unknown +unknown/);
  expect(stdout).toContain('Runs, and what is pending: unknown.');
  expect(stdout).not.toMatch(/never(?! read )|No run|Pending/);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
    profiles: [{ posts: null }],
    pending: [],
    events: { pending: { events: null } },
    verdicts: { stale: null, warning: null, failed: null },
  });
});
