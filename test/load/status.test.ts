import { execFile } from 'node:child_process';
import { copyFile, cp, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Config, JobConfig } from '../../src/config/config.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { readStatus } from '../../src/load/status.ts';
import { subtractWindows } from '../../src/load/uncovered-days.ts';
import { deletionEvent, inviteEvent, spoolEvents } from '../support/inbox-segments.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landRun,
  load,
  profileId,
  profileOf,
  recordOf,
} from '../support/landed-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function configWithJob(folder: string): Config {
  const daily: JobConfig = {
    name: 'daily',
    schedule: null,
    profiles: [profileOf()],
    windows: { start: '2025-12-01', days: null, sizeDays: 30, refreshDays: 35 },
    details: false,
    reports: [],
  };
  return configOf(folder, { jobs: new Map([['daily', daily]]) });
}

const noEvents = {
  pending: { events: 0, bytes: 0, oldest_received_at: null },
  applied: 0,
  kept: 0,
  rejected: 0,
  reasons: [],
  has_more_reasons: false,
};

test('before the first run everything is unread', async () => {
  const config = configWithJob(await temporaryFolder());
  expect(await readStatus(config, new ManualClock('2026-01-15T12:00:00Z'))).toEqual({
    warehouse: { path: config.warehouse, bytes: null },
    runs: [],
    profiles: [
      {
        workspace: 'acme',
        profile_id: profileId,
        name: 'Acme',
        posts: 0,
        last_read_at: null,
        never_read: [{ start: '2025-12-01', end: '2026-01-14' }],
        failed_windows: [],
      },
    ],
    pending: [],
    rejected: [],
    events: noEvents,
    warnings: [],
  });
});

test('tells of runs, freshness, gaps, failures, what is pending and what was rejected', async () => {
  const config = configWithJob(await temporaryFolder());
  const part = await openPart(config.dataDir, recordOf());
  const failure = {
    outcome: 'failed',
    httpStatus: 500,
    error: 'the server failed',
    body: null,
  } as const;
  await landAnalytics(part, [analyticsRecord(), 7, 8]);
  await landAnalytics(part, null, failure, { start_date: '2025-12-02', end_date: '2025-12-31' });
  await part.finish(finishOf({ status: 'partial', requests: 2 }));
  await load(config);
  await landRun(config, [], {}, { run_id: 'next' });
  const status = await readStatus(config, new ManualClock('2026-01-20T12:00:00Z'));
  expect(status).toEqual({
    warehouse: { path: config.warehouse, bytes: status.warehouse.bytes },
    runs: [
      {
        run_id: recordOf().run_id,
        job: 'daily',
        started_at: '2026-01-15T12:00:00Z',
        finished_at: '2026-01-15T12:05:00Z',
        status: 'partial',
        requests: 2,
        retries: 0,
        throttled: 0,
        posts_read: 1,
        rejected: 2,
      },
    ],
    profiles: [
      {
        workspace: 'acme',
        profile_id: profileId,
        name: 'Acme',
        posts: 1,
        last_read_at: '2026-01-15T12:00:01.500Z',
        never_read: [
          { start: '2025-12-01', end: '2025-12-31' },
          { start: '2026-01-16', end: '2026-01-19' },
        ],
        failed_windows: [
          {
            start: '2025-12-02',
            end: '2025-12-31',
            failed_at: '2026-01-15T12:00:01.500Z',
            error: 'the server failed',
          },
        ],
      },
    ],
    pending: [
      {
        workspace: 'acme',
        run_id: 'next',
        job: 'daily',
        started_at: '2026-01-15T12:00:00.000Z',
        responses: 1,
        state: 'finished',
      },
    ],
    rejected: [7, 8].map((value) => ({
      source: `acme GET /analytics/linkedin/${profileId}/posts`,
      reason: `expected an object, got ${value}`,
      records: 1,
      last_rejected_at: '2026-01-15T12:00:01.500Z',
    })),
    events: noEvents,
    warnings: [],
  });
  expect(status.warehouse.bytes).toBeGreaterThan(0);
});

test('tells of events by what became of them, with the reasons, and of those that wait in the inbox', async () => {
  const config = configWithJob(await temporaryFolder());
  const soon = ['p1', 'p2'].map((id) => deletionEvent({ id, deletedAt: 'soon' }));
  await spoolEvents(config, [
    ...soon,
    inviteEvent(),
    inviteEvent({ workspace: { id: 'w2', slug: 'fjord' } }),
  ]);
  await load(config);
  const late = deletionEvent({ id: 'late' });
  const older = '2026-01-20T09:00:00.000Z';
  await spoolEvents(config, [inviteEvent(), late, late], { suffix: '.open' });
  await spoolEvents(config, [deletionEvent({ id: 'other' })], { receivedAt: older });
  const before = await readdir(join(config.dataDir, 'inbox'));
  const { events } = await readStatus(config, new ManualClock('2026-01-20T12:00:00Z'));
  const last_received_at = '2026-01-20T10:00:00.500Z';
  const reasons = [
    ['rejected', 'data.post.deletedAt: expected an ISO 8601 time, got "soon"', 2],
    ['kept', 'the workspace "fjord" is not configured', 1],
  ].map(([outcome, reason, count]) => ({ outcome, reason, events: count, last_received_at }));
  const bytes = JSON.stringify(late).length + JSON.stringify(deletionEvent({ id: 'other' })).length;
  expect(events).toEqual({
    pending: { events: 2, bytes, oldest_received_at: older },
    applied: 1,
    kept: 1,
    rejected: 2,
    reasons,
    has_more_reasons: false,
  });
  expect(await readdir(join(config.dataDir, 'inbox'))).toEqual(before);
});

test('no event is out of sight that is loaded while the inbox is read', async () => {
  const config = configWithJob(await temporaryFolder());
  const segment = await spoolEvents(config, [deletionEvent()]);
  const loaded = configOf(await temporaryFolder());
  await cp(config.folder, loaded.folder, { recursive: true });
  await load(loaded);
  // reading this one waits until something is written
  const slow = join(dirname(segment), '20260101T000000.000Z-1-aa-000001.open');
  await promisify(execFile)('mkfifo', [slow]);
  const looking = readStatus(config, new ManualClock());
  const writer = await open(slow, 'w');
  await copyFile(loaded.warehouse, config.warehouse);
  await rm(segment);
  await writer.close();
  expect((await looking).events).toEqual({ ...noEvents, applied: 1 });
});

test('the days that windows leave uncovered', () => {
  const range = { start: '2026-01-01', end: '2026-01-31' };
  expect(subtractWindows(range, [])).toEqual([range]);
  expect(subtractWindows(range, [range])).toEqual([]);
  expect(
    subtractWindows(range, [
      { start: '2026-01-10', end: '2026-01-12' },
      { start: '2025-12-01', end: '2026-01-03' },
      { start: '2026-01-11', end: '2026-01-20' },
      { start: '2026-02-01', end: '2026-02-03' },
    ]),
  ).toEqual([
    { start: '2026-01-04', end: '2026-01-09' },
    { start: '2026-01-21', end: '2026-01-31' },
  ]);
});

test('tells of ten reasons, and whether there are more', async () => {
  const config = configWithJob(await temporaryFolder());
  const unfit = (n: number) => deletionEvent({ id: `p${n}`, deletedAt: `soon ${n}` });
  await spoolEvents(
    config,
    Array.from({ length: 10 }, (_, n) => unfit(n)),
  );
  await load(config);
  const read = async () => {
    const { reasons, has_more_reasons } = (await readStatus(config, new ManualClock())).events;
    return [reasons.length, has_more_reasons];
  };
  expect(await read()).toEqual([10, false]);
  await spoolEvents(config, [unfit(10)]);
  await load(config);
  expect(await read()).toEqual([10, true]);
});
