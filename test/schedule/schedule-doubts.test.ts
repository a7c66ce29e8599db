import { describe, expect, it } from 'vitest';
import { scheduleDoubts } from '../../src/schedule/schedule-doubts.ts';
import { loadJobs, minimalJobs } from '../support/jobs-file.ts';
import { ManualClock } from '../support/manual-clock.ts';

const [workspaces = ''] = minimalJobs.split('jobs:');

/** @param jobs the keys of each job, by its name */
async function doubtsOf(jobs: Readonly<Record<string, string>>) {
  const lines = Object.entries(jobs).map(
    ([name, keys]) => `  ${name}: { profiles: [acme/*], windows: { days: 400 }, ${keys} }\n`,
  );
  const config = await loadJobs(`${workspaces}jobs:\n${lines.join('')}`);
  return scheduleDoubts(config, new ManualClock('2026-11-29T12:00:00Z'));
}

const reports = (...periods: string[]) =>
  `reports: [${periods.map((period) => `{ report: emv, period: ${period}, out: "./{from}" }`).join(', ')}]`;

describe('a job on a day that some months do not have', () => {
  const advice = 'use a day from 1 to 28, which every month has';

  it.each([
    [
      '0 6 31 * *',
      reports('last_month'),
      'February, April, June, September, November, so there is no report for January, March, May, August, October',
    ],
    [
      '30 22 29-30 * *',
      reports('this_month'),
      'February (2027, 2029, 2030), so there is no report for February (2027, 2029, 2030)',
    ],
    [
      '0 6 31 */3 *',
      reports('last_quarter'),
      'April, so there is no report for 2027-Q1, 2028-Q1, 2029-Q1, 2030-Q1',
    ],
    // the quarter is reported in another month
    ['0 6 30 * *', reports('last_quarter', 'last_30_days'), 'February, so there is no report then'],
    ['0 6 30,31 2,3 *', 'details: false', 'February, so there is no run then'],
  ])('%s misses them (%s)', async (schedule, keys, months) => {
    expect(await doubtsOf({ monthly: `schedule: "${schedule}", ${keys}` })).toEqual([
      `jobs.monthly.schedule: "${schedule}" has no time in ${months}; ${advice}`,
    ]);
  });

  it.each([
    '0 6 28 * *',
    '0 6 L * *',
    '0 6 */15 * *',
    '0 6 31 1,3,5,7 *',
    '0 6 31 * MON',
    '0 6 2-31/28 * *',
    '0 6 * * 5',
    '0 6 1 */2 *',
  ])('is none with %s', async (schedule) => {
    const keys = `schedule: "${schedule}", ${reports('last_month', 'this_quarter')}`;
    expect(await doubtsOf({ monthly: keys })).toEqual([]);
  });
});

describe('jobs that other schedulers know by one name', () => {
  const keys = 'schedule: "0 6 * * *"';

  it('are named: one like the command between the times of jobs', async () => {
    expect(await doubtsOf({ daily: keys, 'catch-up': keys })).toEqual([
      'jobs.catch-up: `schedule --print systemd` makes postledger-catch-up.service and postledger-catch-up.timer of the job catch-up and of the command catch-up, of which only one remains; give the job another name',
      'jobs.catch-up: `schedule --print k8s` makes the CronJob postledger-catch-up of the job catch-up and of the command catch-up, and adds a number that depends on their order; give one another name',
    ]);
  });

  it('are named: those that differ in case, in other characters, or behind what Kubernetes allows', async () => {
    const long = 'x'.repeat(60);
    const jobs = ['a.b', 'A-b', `${long}1`, `${long}2`, 'a-c', 'Catch.Up'];
    const doubts = await doubtsOf(Object.fromEntries(jobs.map((name) => [name, keys])));
    expect(doubts.map((doubt) => /of the job .*?(?=,)/.exec(doubt)?.[0])).toEqual([
      'of the job a.b and of the job A-b',
      `of the job ${long}1 and of the job ${long}2`,
      'of the job Catch.Up and of the command catch-up',
    ]);
  });

  it('are none without a schedule', async () => {
    expect(await doubtsOf({ daily: keys, 'catch-up': 'details: false' })).toEqual([]);
  });
});
