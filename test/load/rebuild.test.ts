import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Config, ProfileConfig } from '../../src/config/config.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { deletionEvent, inviteEvent, spoolEvents } from '../support/inbox-segments.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landDetails,
  landRun,
  load,
  profileId,
  profileOf,
  recordOf,
  rowsOf,
} from '../support/landed-run.ts';
import { compareWithRebuilt, rebuild } from '../support/rebuilding.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs on days in January, each loaded by itself. */
async function runOn(config: Config, day: string, records: object[], end = true): Promise<void> {
  const fetchedAt = new Date(`2026-01-${day}T12:00:01.500Z`);
  const started_at = `2026-01-${day}T12:00:00.000Z`;
  const part = await openPart(config.dataDir, recordOf({ run_id: `202601${day}-a`, started_at }));
  await landAnalytics(part, records, { fetchedAt });
  const linkedIn = { copy: 'Hello', assets: [{ id: 'm1', size: Number(day) }] };
  const details = { id: 'p1', title: `Title of the ${day}`, linkedIn };
  await landDetails(part, 'p1', details, { fetchedAt });
  await landDetails(part, 'p2', null, { fetchedAt });
  await part.landCheck({
    seq: 1,
    profile_id: profileId,
    start_date: '2026-01-01',
    end_date: '2026-01-30',
    kind: 'agreed',
    checked_at: fetchedAt.toISOString(),
    records_whole: 2,
    posts_whole: 2,
    posts_first_half: 1,
    posts_second_half: 1,
    posts_halves: 2,
    missing: 0,
  });
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
  const config = configOf(await temporaryFolder());
  await landRun(config, [analyticsRecord()]);
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
  expect(await compareWithRebuilt(without)).toMatchObject({ isSame: true });
});

test('a warehouse that is made anew from the archive is the same in every row of every table', async () => {
  const config = configOf(await temporaryFolder());
  await runOn(config, '15', [
    analyticsRecord(linked('p1', 'A')),
    analyticsRecord({ id: 'b', type: 7 }),
  ]);
  await spoolEvents(config, [deletionEvent({ id: 'p3' }), inviteEvent()]);
  await runOn(config, '16', [analyticsRecord({ ...linked('p1', 'B'), likeCount: null })], false);
  await spoolEvents(config, [deletionEvent(), deletionEvent({ deletedAt: 'soon' })]);
  await runOn(config, '17', [
    analyticsRecord({ likeCount: 12 }),
    analyticsRecord({ id: 'b', type: 7 }),
  ]);
  const original = await dumpTables(config);
  const check = await compareWithRebuilt(config);
  expect(check).toMatchObject({ isSame: true, damages: [], prunedSnapshots: 0 });
  expect(['schema_files', ...check.tables.map(({ table }) => table)].sort()).toEqual(
    Object.keys(original).sort(),
  );
  expect(check.tables.filter(({ rows }) => rows === 0).map(({ table }) => table)).toEqual([]);
  expect(await rebuild(config)).toMatchObject({ isPublished: true, runs: 3, responses: 9 });
  expect(await dumpTables(config)).toEqual(original);
  await rm(config.warehouse);
  await rebuild(config);
  expect(await dumpTables(config)).toEqual(original);
});
