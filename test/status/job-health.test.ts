import { expect, it } from 'vitest';
import { silentLog } from '../../src/core/log.ts';
import { judgeJobs } from '../../src/status/job-health.ts';
import { Schedule } from '../../src/schedule/schedule.ts';
import { inJob, loadJobs } from '../support/jobs-file.ts';
import { ManualClock } from '../support/manual-clock.ts';

const runId = '20260114T051500Z-aaaaaa';

interface HealthCase {
  readonly now?: string;
  /** The start of the last run in the raw store; null if the job never ran. */
  readonly started?: string | null;
  readonly status?: string;
  /** The result of a run of this schedule on 2026-01-15 at 05:15. */
  readonly outcome?: 'succeeded' | 'partial' | Error;
}

/** Returns the problems of a job that runs at 05:15 UTC, in a schedule that began on 2026-01-14 at noon. */
async function problemsOf({
  now = '2026-01-14T12:00:00Z',
  started = '2026-01-14T05:15:00.000Z',
  status = 'succeeded',
  outcome,
}: HealthCase) {
  const config = await loadJobs(inJob('schedule: "15 5 * * *"'));
  const clock = new ManualClock('2026-01-14T12:00:00Z');
  const stop = new AbortController();
  const runJob = () =>
    outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome ?? 'succeeded');
  const tools = {
    clock,
    log: silentLog,
    signal: stop.signal,
    runJob,
    catchUp: () => Promise.resolve(),
  };
  const options = { jitterMs: 0, machine: '', catchUp: false };
  const lastStarts = new Map(started === null ? [] : [['daily', new Date(started)]]);
  const schedule = new Schedule(config, options, tools, lastStarts);
  const done = schedule.run();
  if (outcome !== undefined) {
    clock.jumpTo('2026-01-15T05:14:50Z');
    await clock.advance(40_000);
  }
  clock.jumpTo(now);
  const run = started === null ? null : { run_id: runId, started_at: started, finished_at: null };
  const jobs = [{ job: 'daily', last_run: run && { ...run, status } }];
  const [health] = judgeJobs(schedule.jobs(), { jobs }, clock.now());
  stop.abort();
  await done;
  return health?.problems;
}

it.each<[string, HealthCase, string[]]>([
  ['after its run', {}, []],
  ['that never ran, before its time', { started: null }, []],
  [
    'that never ran at its time',
    { started: null, now: '2026-01-15T06:15:01Z' },
    ['the run of 2026-01-15T05:15:00.000Z is overdue'],
  ],
  ['up to an hour after its time', { now: '2026-01-15T06:15:00Z' }, []],
  [
    'later than an hour after its time',
    { now: '2026-01-15T06:15:01Z' },
    ['the run of 2026-01-15T05:15:00.000Z is overdue'],
  ],
  [
    'that missed a time before the schedule began',
    { started: '2026-01-12T05:15:00.000Z' },
    ['the run of 2026-01-13T05:15:00.000Z is overdue'],
  ],
  ['while it runs', { status: 'running' }, []],
  ['after a failed run', { status: 'failed' }, ['the last run is failed']],
  ['after a partial run', { status: 'partial' }, ['the last run is partial']],
  ['after an interrupted run', { status: 'interrupted' }, ['the last run is interrupted']],
  [
    'of which a report failed',
    { outcome: 'partial', started: '2026-01-15T05:15:00.000Z', now: '2026-01-15T06:00:00Z' },
    ['the last run is partial'],
  ],
  [
    'that failed before it read anything',
    { outcome: new Error('busy'), now: '2026-01-15T06:00:00Z' },
    ['the last run is failed'],
  ],
  [
    'that a person ran again after it failed',
    {
      outcome: new Error('busy'),
      started: '2026-01-15T05:50:00.000Z',
      now: '2026-01-15T06:00:00Z',
    },
    [],
  ],
])('a job %s has the problems that it should', async (_, healthCase, expected) => {
  expect(await problemsOf(healthCase)).toEqual(expected);
});
