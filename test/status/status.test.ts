import { copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { acquireLock } from '../../src/core/lock.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { extractLockPath } from '../../src/store/layout.ts';
import { collectMetrics } from '../../src/status/metrics-file.ts';
import type { OpenProblem } from '../../src/status/open-problems.ts';
import { readStatus } from '../../src/status/status.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { editPublished } from '../support/label-warehouse.ts';
import {
  analyticsRecord,
  configOf,
  emptyConfig,
  type FileConfig,
  finishOf,
  jobOf,
  storeAnalytics,
  storeRun,
  load,
  profileId,
  recordOf,
} from '../support/stored-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.ts';

const jobs = new Map([['daily', jobOf()]]);

const noEvents = {
  pending: { events: 0 },
  applied: 0,
  kept: 0,
  rejected: 0,
  rejected_deletions: 0,
  kept_deletions: [],
  reasons: [],
  has_more_reasons: false,
};

const failed = {
  outcome: 'failed',
  http_status: 500,
  error: 'no',
  body: null,
  records: null,
} as const;

/** What stands in a status beside what a test is about. */
const nothingElse = {
  free_bytes: expect.any(Number) as number,
  locks: [],
  damaged: 0,
  problems: [],
  deliveries: { held: 0, queued: 0, failed: 0, unknown: 0 },
};

/** A problem of status with what is left out null. */
function problem(change: Partial<OpenProblem>) {
  const nothing = { job: null, workspace: null, since: null, until: null, remedy: null };
  return { ...nothing, ...change };
}

test('before the first run everything is unread', async () => {
  const config = configOf(await temporaryFolder(), { jobs });
  const status = await readStatus(config, new ManualClock('2026-01-15T12:00:00.000Z'));
  expect(status).toEqual({
    ...nothingElse,
    warehouse: { path: config.warehouse, bytes: null },
    runs: [],
    jobs: [{ job: 'daily', last_run: null }],
    profiles: [
      {
        workspace: 'acme',
        profile_id: profileId,
        name: 'Acme',
        posts: 0,
        last_read_at: null,
        gaps: [{ first_day: '2025-12-01', last_day: '2026-01-14', is_begun: false }],
        failed_windows: [],
        unreadable: [],
      },
    ],
    pending: [],
    rejected: [],
    events: noEvents,
    warnings: [],
    open_problems: [],
  });
});

test('a window that failed is reported until its days were read, in a longer window or in halves', async () => {
  const config = await emptyConfig({ jobs });
  const part = await RunWriter.open(config.dataDir, recordOf());
  const at = (hour: number) => new Date(`2026-01-15T${hour}:00:00Z`);
  const open = async () => {
    await load(config, { ownRunId: recordOf().run_id });
    const { profiles } = await readStatus(config, new ManualClock('2026-01-20T12:00:00.000Z'));
    return profiles.flatMap(({ failed_windows: windows }) =>
      windows.map(({ start, end }) => `${start}..${end}`),
    );
  };
  const read = (start: string, end: string, hour: number, change = {}) =>
    storeAnalytics(
      part,
      [analyticsRecord()],
      { fetchedAt: at(hour), ...change },
      { start_date: start, end_date: end },
    );
  await read('2025-12-01', '2025-12-30', 11);
  await read('2025-12-01', '2025-12-30', 12, failed);
  await read('2025-12-31', '2026-01-15', 12, failed);
  expect(await open()).toEqual(['2025-12-01..2025-12-29', '2025-12-31..2026-01-14']);
  await read('2025-12-31', '2026-01-16', 13);
  await read('2025-12-16', '2025-12-30', 13);
  expect(await open()).toEqual(['2025-12-01..2025-12-29']);
  await read('2025-12-01', '2025-12-15', 13);
  expect(await open()).toEqual([]);
});

test('has runs, freshness, gaps, failures, what is pending and what was rejected', async () => {
  const config = await emptyConfig({ jobs });
  const part = await RunWriter.open(config.dataDir, recordOf());
  const failure = { ...failed, error: 'the server failed' };
  await storeAnalytics(part, [
    analyticsRecord({ likeCount: 1.5 }),
    analyticsRecord({ likeCount: 2.5 }),
    ...[7, 8],
  ]);
  await storeAnalytics(part, null, failure, { start_date: '2025-12-02', end_date: '2025-12-31' });
  await part.finish(finishOf({ status: 'partial', requests: 2 }));
  await load(config);
  await storeRun(config, [], {}, { run_id: 'next' });
  const status = await readStatus(config, new ManualClock('2026-01-20T12:00:00.000Z'));
  const times = {
    started_at: '2026-01-15T12:00:00.000Z',
    finished_at: '2026-01-15T12:05:00.000Z',
  };
  const run = { job: 'daily', ...times, retries: 0, throttled: 0 };
  expect(status).toEqual({
    ...nothingElse,
    warehouse: {
      path: config.warehouse,
      bytes: (await stat(config.warehouse)).size,
    },
    runs: [
      { run_id: 'next', ...run, status: 'succeeded', requests: 1, posts_read: 0, rejected: 0 },
      {
        run_id: recordOf().run_id,
        ...run,
        status: 'partial',
        requests: 2,
        posts_read: 2,
        rejected: 2,
      },
    ],
    jobs: [{ job: 'daily', last_run: { run_id: 'next', ...times, status: 'succeeded' } }],
    profiles: [
      {
        workspace: 'acme',
        profile_id: profileId,
        name: 'Acme',
        posts: 1,
        last_read_at: '2026-01-15T12:00:01.500Z',
        gaps: [{ first_day: '2025-12-01', last_day: '2026-01-19', is_begun: false }],
        failed_windows: [
          {
            start: '2025-12-02',
            end: '2025-12-30',
            failed_at: '2026-01-15T12:00:01.501Z',
            error: 'the server failed',
          },
          {
            start: '2026-01-01',
            end: '2026-01-29',
            failed_at: '2026-01-15T12:00:01.500Z',
            error: expect.stringMatching(/^2 of 4 records have no id that can be read/) as string,
          },
        ],
        unreadable: [{ field: 'like_count', noun: 'likes', posts: 1 }],
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
    rejected: [
      { field: null, reason: 'expected an object, got 7', records: 1 },
      { field: null, reason: 'expected an object, got 8', records: 1 },
      { field: 'likeCount', reason: 'likeCount: expected an integer, got 2.5', records: 2 },
    ].map((told) => ({
      source: `acme GET /analytics/linkedin/${profileId}/posts`,
      ...told,
      last_rejected_at: '2026-01-15T12:00:01.500Z',
    })),
    events: noEvents,
    warnings: [],
    open_problems: [
      problem({
        subject: 'next',
        kind: 'not_loaded',
        severity: 'undone',
        message: '1 response, finished',
        job: 'daily',
        workspace: 'acme',
        since: '2026-01-15T12:00:00.000Z',
        remedy: 'catch-up',
      }),
      problem({
        subject: 'acme/Acme 2025-12-02 to 2025-12-30',
        kind: 'failed_range',
        severity: 'failed',
        message: 'the server failed',
        workspace: 'acme',
        since: '2026-01-15T12:00:01.501Z',
        remedy: 'catch-up',
      }),
      problem({
        subject: 'acme/Acme 2026-01-01 to 2026-01-29',
        kind: 'failed_range',
        severity: 'failed',
        message: expect.stringMatching(/^2 of 4 records have no id that can be read/) as string,
        workspace: 'acme',
        since: '2026-01-15T12:00:01.500Z',
        remedy: 'catch-up',
      }),
      problem({
        subject: 'acme/Acme',
        kind: 'unreadable_values',
        severity: 'warning',
        message: 'likes of 1 post',
        workspace: 'acme',
        since: '2026-01-15T12:00:01.500Z',
      }),
    ],
  });
});

test('has events by their outcomes, with up to ten reasons, and those that are not loaded', async () => {
  const config = await emptyConfig({ jobs });
  const soon = ['p1', 'p2'].map((id) => deletionEvent({ id, deletedAt: 'soon' }));
  await storeEvents(config, [
    ...soon,
    inviteEvent(),
    inviteEvent({ workspace: { id: 'w2', slug: 'fjord' } }),
  ]);
  await load(config);
  await storeEvents(config, [inviteEvent(), deletionEvent({ id: 'late' })]);
  const { events } = await readStatus(config, new ManualClock('2026-01-20T12:00:00.000Z'));
  const last_received_at = '2026-01-20T10:00:00.500Z';
  const reasons = [
    ['rejected', 'data.post.deletedAt: expected an ISO 8601 time, got "soon"', 2],
    ['kept', 'the workspace "fjord" is not configured', 1],
  ].map(([outcome, reason, count]) => ({ outcome, reason, events: count, last_received_at }));
  expect(events).toEqual({
    pending: { events: 1 },
    applied: 1,
    kept: 1,
    rejected: 2,
    rejected_deletions: 2,
    kept_deletions: [],
    reasons,
    has_more_reasons: false,
  });
  const unfit = (n: number) => deletionEvent({ id: `p${n}`, deletedAt: `soon ${n}` });
  const addUnfit = async (...numbers: number[]) => {
    await storeEvents(config, numbers.map(unfit));
    await load(config);
    const status = await readStatus(config, new ManualClock());
    return [status.events.reasons.length, status.events.has_more_reasons];
  };
  expect(await addUnfit(1, 2, 3, 4, 5, 6, 7, 8)).toEqual([10, false]);
  expect(await addUnfit(9)).toEqual([10, true]);
});

test('shows who holds which lock, and none whose holder is dead', async () => {
  const config = await emptyConfig({ jobs });
  const clock = new ManualClock('2026-01-15T12:00:00.000Z');
  const take = (path: string, purpose: string) => acquireLock(path, { purpose, waitMs: 0, clock });
  const extracting = extractLockPath(config.dataDir, 'acme');
  const lock = await take(extracting, 'running the job daily for acme');
  const dead = join(config.dataDir, 'locks', 'ingest.lock');
  const holder = JSON.parse(await readFile(extracting, 'utf8')) as object;
  await writeFile(dead, JSON.stringify({ ...holder, pid: 2 ** 30 }));
  await take(`${config.warehouse}.lock`, 'loading the warehouse');
  const held = { pid: process.pid, host: hostname(), since: '2026-01-15T12:00:00.000Z' };
  const warehouseLock = {
    path: `${config.warehouse}.lock`,
    ...held,
    purpose: 'loading the warehouse',
  };
  expect((await readStatus(config, clock)).locks).toEqual([
    { path: extracting, ...held, purpose: 'running the job daily for acme' },
    warehouseLock,
  ]);
  await lock.release();
  expect((await readStatus(config, clock)).locks).toEqual([warehouseLock]);
});

test('an outbox that cannot be read is a problem, and its deliveries have no number in the metrics', async () => {
  const config = configOf(await temporaryFolder(), { jobs });
  const clock = new ManualClock('2026-01-15T12:00:00.000Z');
  const metrics = async () =>
    (await collectMetrics(await readStatus(config, clock), clock.now())).metrics();
  expect(await metrics()).toContain('postledger_deliveries{state="failed"} 0\n');
  await mkdir(config.dataDir, { recursive: true });
  await symlink('outbox', join(config.dataDir, 'outbox'));
  const { problems } = await readStatus(config, clock);
  expect(problems.map(({ subject }) => subject)).toEqual(['deliveries']);
  expect(await metrics()).not.toContain('postledger_deliveries{');
});

describe('a warehouse', () => {
  const folder = sharedFolder();
  let loaded: FileConfig;

  beforeAll(async () => {
    loaded = await emptyConfig({ jobs }, await folder());
    await storeRun(loaded, [analyticsRecord()]);
    await load(loaded);
  });

  test.each<[string, (path: string) => Promise<void>, RegExp]>([
    [
      'is no database',
      (path) => writeFile(path, 'no database'.repeat(2000)),
      /cannot be opened as a DuckDB file .*`postledger rebuild`/,
    ],
    [
      'is of a later version',
      (path) =>
        editPublished(path, "insert into schema_files values ('migrations/9999_later.sql', 'x')"),
      /was written by another version of postledger/,
    ],
    [
      'has lost a table',
      (path) => editPublished(path, 'drop table runs'),
      /Table with name runs does not exist/,
    ],
  ])('that %s costs the rest of the status nothing', async (_, spoil, message) => {
    const warehouse = join(await temporaryFolder(), 'w.duckdb');
    await copyFile(loaded.warehouse, warehouse);
    await spoil(warehouse);
    const status = await readStatus({ ...loaded, warehouse }, new ManualClock());
    expect(status.problems).toEqual([
      { subject: 'warehouse', message: expect.stringMatching(message) as string },
    ]);
    expect(status).toMatchObject({
      warehouse: { bytes: (await stat(warehouse)).size },
      runs: [],
      profiles: [{ name: 'Acme', posts: null }],
    });
  });
});
