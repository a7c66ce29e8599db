import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { profileDoubts } from '../../src/status/profile-doubts.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  analyticsRecord,
  emptyConfig,
  jobOf,
  load,
  profileId,
  profileOf,
  storeRun,
} from '../support/stored-run.ts';

test('profiles with posts are named once they are in no job, unless they have ended, or not configured any more', async () => {
  const clock = new ManualClock('2026-01-20T12:00:00.000Z');
  const config = await emptyConfig();
  await storeRun(config, [analyticsRecord()]);
  await load(config);
  const [acme] = config.workspaces.values();
  if (!acme) throw new Error('there is no workspace');
  const doubts = (profiles: (typeof acme)['profiles'], jobs = new Map([['daily', jobOf()]])) => {
    const workspaces = new Map([['acme', { ...acme, profiles }]]);
    return profileDoubts({ ...config, jobs, workspaces }, clock);
  };
  const noJobs = new Map<string, ReturnType<typeof jobOf>>();
  expect(await doubts([profileOf()])).toEqual([]);
  const subject = `acme/Acme (${profileId}) has 1 post in the warehouse and is`;
  expect(await doubts([profileOf()], noJobs)).toEqual([
    `${subject} in no job, so its later posts are not read; add it to a job, or give it until, its last day that counts`,
  ]);
  expect(await doubts([profileOf({ until: '2026-01-19' })], noJobs)).toEqual([]);
  expect(await doubts([], noJobs)).toEqual([
    `${subject} not in jobs.yaml any more, so reports leave them out; put it back with until, its last day that counts, if they are to stay`,
  ]);
  await rm(config.warehouse);
  expect(await doubts([], noJobs)).toEqual([]);
});
