import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { acquireLock } from '../../src/core/lock.ts';
import { runLockPath } from '../../src/store/layout.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  storeAnalytics,
  storeDetails,
  storeRun,
  load,
  profileId,
  profileOf,
  recordOf,
  rowsOf,
  historyOf,
  emptyConfig,
} from '../support/stored-run.ts';
import { editPublished } from '../support/label-warehouse.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const december = { start_date: '2025-12-02', end_date: '2025-12-31' };
const failed = {
  outcome: 'failed',
  http_status: 500,
  requests: 5,
  error: 'the server failed (500) five times',
  body: null,
} as const;

describe('a run', () => {
  test('sums up its workspaces, windows and requests', async () => {
    const config = await emptyConfig();
    const acme = await RunWriter.open(config.dataDir, recordOf());
    await storeAnalytics(acme, [analyticsRecord(), 7]);
    await storeAnalytics(acme, null, failed, december);
    await storeDetails(acme, 'p1', { id: 'p1' });
    await acme.finish(finishOf({ status: 'partial', requests: 9, retries: 4, throttled: 2 }));
    const beta = await RunWriter.open(config.dataDir, recordOf({ workspace: 'beta' }));
    await storeAnalytics(beta, [analyticsRecord()]);
    await beta.finish(finishOf({ requests: 1, finished_at: '2026-01-15T12:09:00.000Z' }));
    await load(config);
    expect(await rowsOf(config, 'from runs')).toEqual([
      {
        run_id: recordOf().run_id,
        job: 'daily',
        started_at: '2026-01-15T12:00:00.000Z',
        finished_at: '2026-01-15T12:09:00.000Z',
        status: 'partial',
        requests: 10,
        retries: 4,
        throttled: 2,
        posts_read: 2,
        rejected: 1,
      },
    ]);
    const columns =
      'workspace, start_date, status, http_status, posts_read, requests, fetched_at, error';
    const read = { start_date: '2026-01-01', status: 'succeeded', http_status: 200, error: null };
    const once = { posts_read: 1, requests: 1, fetched_at: '2026-01-15T12:00:01.500Z' };
    expect(await rowsOf(config, `select ${columns} from extract_windows order by all`)).toEqual([
      {
        workspace: 'acme',
        start_date: '2025-12-02',
        status: 'failed',
        http_status: 500,
        posts_read: 0,
        requests: 5,
        fetched_at: '2026-01-15T12:00:01.501Z',
        error: 'the server failed (500) five times',
      },
      {
        workspace: 'acme',
        ...read,
        ...once,
        status: 'partial',
        error: expect.stringMatching(/^1 of 2 records have no id/) as string,
      },
      { workspace: 'beta', ...read, ...once },
    ]);
  });

  test('of a live process is left alone, and loaded and called interrupted once that was cut off', async () => {
    const config = await emptyConfig();
    const part = await RunWriter.open(config.dataDir, recordOf());
    await storeAnalytics(part, [analyticsRecord()], { requests: 3 });
    const lock = await acquireLock(runLockPath(config.dataDir, recordOf()), {
      purpose: 'extracting',
      waitMs: 0,
      clock: new ManualClock(),
    });
    expect(await load(config)).toMatchObject({ responses: 0, inProgress: 1 });
    await lock.release();
    expect(await load(config)).toMatchObject({ responses: 1, inProgress: 0 });
    expect(await rowsOf(config, 'select status, finished_at, requests, retries from runs')).toEqual(
      [{ status: 'interrupted', finished_at: null, requests: 3, retries: null }],
    );
    const { readings } = await historyOf(config);
    expect(readings).toEqual([
      {
        workspace: 'acme',
        profileId,
        window: { start: '2026-01-01', end: '2026-01-30' },
        status: 'succeeded',
        fetchedAt: new Date('2026-01-15T12:00:01.500Z'),
        job: 'daily',
        runStartedAt: new Date('2026-01-15T12:00:00.000Z'),
        httpStatus: 200,
        partOf: null,
        reason: null,
        records: 1,
        runFinished: false,
      },
    ]);
  });

  test("of the caller's own is loaded as far as it is, and again once it is finished", async () => {
    const config = await emptyConfig();
    const ownRunId = recordOf().run_id;
    const part = await RunWriter.open(config.dataDir, recordOf());
    await storeAnalytics(part, [analyticsRecord()]);
    expect(await load(config, { ownRunId })).toMatchObject({ responses: 1 });
    expect(await rowsOf(config, 'select status, requests from runs')).toEqual([
      { status: 'running', requests: 1 },
    ]);
    await storeDetails(part, 'p1', { id: 'p1', title: 'T' });
    await part.finish(finishOf({ requests: 2 }));
    expect(await load(config, { ownRunId })).toMatchObject({ responses: 1 });
    expect(await rowsOf(config, 'select status, requests from runs')).toEqual([
      { status: 'succeeded', requests: 2 },
    ]);
  });
});

describe('a load of some workspaces', () => {
  test('leaves the run folders of others to the next load', async () => {
    const config = await emptyConfig();
    await storeRun(config, [analyticsRecord()]);
    await load(config);
    for (const workspace of ['acme', 'beta'])
      await storeRun(
        config,
        [analyticsRecord()],
        {},
        { workspace, run_id: '20260116T120000Z-next00' },
      );
    expect(await load(config, { workspaces: ['acme'] })).toMatchObject({ responses: 1 });
    expect(await load(config)).toMatchObject({ responses: 1 });
    expect(await rowsOf(config, 'select workspace, run_id from run_parts order by all')).toEqual([
      { workspace: 'acme', run_id: recordOf().run_id },
      { workspace: 'acme', run_id: '20260116T120000Z-next00' },
      { workspace: 'beta', run_id: '20260116T120000Z-next00' },
    ]);
  });
});

test('a run that reads nothing makes the warehouse at its end, and is a run in it', async () => {
  const config = configOf(await temporaryFolder());
  const { run_id: ownRunId } = recordOf();
  expect(await load(config, { ownRunId })).toMatchObject({ responses: 0, isPublished: false });
  expect(existsSync(config.warehouse)).toBe(false);
  const part = await RunWriter.open(config.dataDir, recordOf());
  await part.finish(finishOf());
  expect(await load(config, { ownRunId })).toMatchObject({
    responses: 0,
    posts: { new: 0, changed: 0, unchanged: 0 },
    isPublished: true,
  });
  expect(await rowsOf(config, 'select run_id, status from runs')).toEqual([
    { run_id: ownRunId, status: 'succeeded' },
  ]);
});

describe('profiles', () => {
  const sql =
    'select profile_id, name, cpm, until::varchar as until from profiles order by profile_id';

  test('are those of the config, and those that earlier runs had, also of an empty answer', async () => {
    const config = await emptyConfig();
    const former = {
      profile_id: '22222222-2222-4222-8222-222222222222',
      name: 'Former',
      cpm: null,
    };
    const told = { profile_id: profileId, name: 'Old name', cpm: 1 };
    await storeRun(config, [], {}, { profiles: [told, former] });
    await load(config);
    expect(await rowsOf(config, sql)).toEqual([
      { profile_id: profileId, name: 'Acme', cpm: 30, until: null },
      { ...former, until: null },
    ]);
    expect(await rowsOf(config, 'from post_performance')).toEqual([]);
    expect(await rowsOf(config, 'select status, posts_read from extract_windows')).toEqual([
      { status: 'succeeded', posts_read: 0 },
    ]);
  });

  test('that changed in the config are published though nothing was stored, and an empty warehouse at first', async () => {
    const folder = await temporaryFolder();
    const first = configOf(folder);
    await mkdir(first.dataDir);
    expect(await load(first)).toMatchObject({ responses: 0, isPublished: true });
    expect(await rowsOf(first, 'from post_performance')).toEqual([]);
    const workspaces = new Map(
      [...first.workspaces].map(([key, workspace]) => [
        key,
        { ...workspace, profiles: [profileOf({ cpm: 45, until: '2026-10-13' })] },
      ]),
    );
    const config = configOf(folder, { workspaces });
    expect(await load(config)).toMatchObject({ responses: 0, isPublished: true });
    expect(await rowsOf(config, sql)).toEqual([
      { profile_id: profileId, name: 'Acme', cpm: 45, until: '2026-10-13' },
    ]);
  });
});

test('a load that breaks a rule publishes nothing, and says which', async () => {
  const config = await emptyConfig();
  const part = await RunWriter.open(config.dataDir, recordOf());
  await storeAnalytics(part, [analyticsRecord()]);
  const ownRunId = recordOf().run_id;
  await load(config, { ownRunId });
  await editPublished(config.warehouse, 'delete from loaded_responses');
  await expect(load(config, { ownRunId })).rejects.toThrow(
    /^sql\/checks\/records\.sql found 1 row: .* \(workspace acme, run_id \S+, seq 1\)\. Nothing was published/,
  );
  expect(await rowsOf(config, 'select count(*)::int as readings from readings')).toEqual([
    { readings: 1 },
  ]);
});
