import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config, ProfileConfig } from '../../src/config/config.ts';
import { acquireLock } from '../../src/core/lock.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { checkRebuild, rebuildWarehouse } from '../../src/load/rebuild.ts';
import { eventsFolder } from '../../src/store/event-store.ts';
import { runLockPath } from '../../src/store/layout.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import {
  analyticsRecord,
  configOf,
  emptyConfig,
  finishOf,
  storeAnalytics,
  storeDetails,
  storeRun,
  load,
  profileOf,
  recordOf,
  rowsOf,
} from '../support/stored-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

function optionsOf(config: Config) {
  const clock = new ManualClock();
  return { config, clock, log: silentLog, progress: silentProgress, waitMs: 0 };
}

/** Runs on days in January, each loaded by itself. */
async function runOn(config: Config, day: string, records: object[], end = true): Promise<void> {
  const fetchedAt = new Date(`2026-01-${day}T12:00:01.500Z`);
  const started_at = `2026-01-${day}T12:00:00.000Z`;
  const part = await RunWriter.open(
    config.dataDir,
    recordOf({ run_id: `202601${day}-a`, started_at }),
  );
  await storeAnalytics(part, records, { fetchedAt });
  const linkedIn = { copy: 'Hello', assets: [{ id: 'm1', size: Number(day) }] };
  const details = { id: 'p1', title: `Title of the ${day}`, linkedIn };
  await storeDetails(part, 'p1', details, { fetchedAt });
  await storeDetails(part, 'p2', null, { fetchedAt });
  const approval = { id: 'a1', status: 'Requested', dueDate: `2026-01-${day}T08:00:00Z` };
  await storeDetails(part, 'p1', [approval], { fetchedAt }, 'approvals');
  const replies = [{ id: 'r1', message: `Reply of the ${day}`, reactions: [] }];
  await storeDetails(part, 'p1', [{ id: 't1', replies }], { fetchedAt }, 'comments');
  if (end) await part.finish(finishOf({ finished_at: `2026-01-${day}T12:05:00.000Z` }));
  await load(config);
}

const linked = (id: string, title: string | null) => ({
  servicePost: {
    id,
    title,
    labels: [{ labelId: 'l1', name: null }],
    campaign: { id: 'c1', name: null },
  },
});

test('a profile that was configured and removed again before any run goes, and one that was read stays', async () => {
  const config = await emptyConfig();
  await storeRun(config, [analyticsRecord()]);
  const [workspace] = config.workspaces.values();
  if (!workspace) throw new Error('the config has no workspace');
  const withProfiles = (profiles: readonly ProfileConfig[]) => ({
    ...config,
    workspaces: new Map([['acme', { ...workspace, profiles }]]),
  });
  const unread = profileOf({ id: '33333333-3333-4333-8333-333333333333', name: 'Unread' });
  await load(withProfiles([profileOf(), unread]));
  const names = 'select name from profiles order by name';
  expect(await rowsOf(config, names)).toEqual([{ name: 'Acme' }, { name: 'Unread' }]);
  const without = withProfiles([]);
  expect(await load(without)).toMatchObject({ isPublished: true });
  expect(await rowsOf(config, names)).toEqual([{ name: 'Acme' }]);
  expect(await load(without)).toMatchObject({ isPublished: false });
});

test('a rebuild gives the same warehouse, in every row of every table, and one that would lose what it has is refused', async () => {
  const other = profileOf({
    id: '22222222-2222-4222-8222-222222222222',
    name: 'Other',
    cpm: null,
    prices: 'board',
  });
  const editions = [
    { from: '2026-01-01', prices: { impressions: 30, clicks: 4.5 } },
    { from: '2027-01-01', prices: { clicks: 5 } },
  ];
  const prices = new Map([['board', { name: 'board', editions }]]);
  const base = await emptyConfig();
  const [workspace] = base.workspaces.values();
  if (!workspace) throw new Error('the config has no workspace');
  const profiles = [profileOf(), other];
  const config = { ...base, prices, workspaces: new Map([['acme', { ...workspace, profiles }]]) };
  const ofOther = [{ profile_id: other.id, name: other.name, cpm: null }];
  await storeRun(config, [analyticsRecord()], {}, { run_id: '20260114-b', profiles: ofOther });
  await runOn(config, '15', [
    analyticsRecord(linked('p1', 'A')),
    analyticsRecord({ id: 'b', type: 7 }),
  ]);
  await storeEvents(config, [deletionEvent({ id: 'p3' }), inviteEvent()]);
  await runOn(config, '16', [analyticsRecord({ ...linked('p1', 'B'), likeCount: null })], false);
  await storeEvents(config, [deletionEvent(), deletionEvent({ deletedAt: 'soon' })]);
  await runOn(config, '17', [
    analyticsRecord({ likeCount: 12 }),
    analyticsRecord({ id: 'b', type: 7 }),
  ]);
  const original = await dumpTables(config);
  expect(original).toMatchObject({
    prices: [
      ['board', '2026-01-01', 'clicks', 4.5],
      ['board', '2026-01-01', 'impressions', 30],
      ['board', '2027-01-01', 'clicks', 5],
    ],
  });
  const named = 'select name, cpm, prices from profiles order by name';
  expect(await rowsOf(config, named)).toEqual([
    { name: 'Acme', cpm: 30, prices: null },
    { name: 'Other', cpm: null, prices: 'board' },
  ]);
  const tables = await checkRebuild(optionsOf(config));
  expect(tables.filter(({ missing, extra }) => missing + extra > 0)).toEqual([]);
  const others = ['linkedin_post_snapshots', 'load_settings', 'own_figures', 'schema_files'];
  expect([...others, ...tables.map(({ table }) => table)].sort()).toEqual(
    Object.keys(original).sort(),
  );
  expect(tables.filter(({ rows }) => rows === 0).map(({ table }) => table)).toEqual([]);
  expect(await rebuildWarehouse(optionsOf(config))).toMatchObject({
    isPublished: true,
    responses: 16,
  });
  expect(await dumpTables(config)).toEqual(original);
  await rm(eventsFolder(config.dataDir), { recursive: true });
  expect(await rebuildWarehouse(optionsOf(config))).toMatchObject({ lost: 4, isPublished: false });
  expect(await dumpTables(config)).toEqual(original);
});

test('a rebuild replaces a file that DuckDB cannot open, and keeps it under another name', async () => {
  const config = configOf(await temporaryFolder());
  await storeRun(config, [analyticsRecord()]);
  await writeFile(config.warehouse, 'no database'.repeat(2_000));
  const { log, warnings } = warningLog();
  expect(await rebuildWarehouse({ ...optionsOf(config), log })).toMatchObject({
    isPublished: true,
  });
  expect(await rowsOf(config, 'select linkedin_post_id from linkedin_posts')).toHaveLength(1);
  const folder = dirname(config.warehouse);
  const [kept = ''] = (await readdir(folder)).filter((name) => name.includes('.unreadable-'));
  expect(await readFile(join(folder, kept), 'utf8')).toContain('no database');
  expect(warnings).toEqual([
    [{ file: join(folder, kept) }, 'the file that could not be opened is kept under another name'],
  ]);
});

test('a rebuild while a run reads has what that run and interrupted ones have loaded', async () => {
  const config = await emptyConfig();
  await runOn(config, '10', [analyticsRecord()], false);
  const lock = await acquireLock(runLockPath(config.dataDir, recordOf({ run_id: '20260110-a' })), {
    purpose: 'reading',
    waitMs: 0,
    clock: new ManualClock(),
  });
  expect(await rebuildWarehouse(optionsOf(config))).toMatchObject({ lost: 0, isPublished: true });
  await lock.release();
  await load(config);
  expect(await rowsOf(config, 'select status from runs')).toEqual([{ status: 'interrupted' }]);
});
