import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { prunePart } from '../../src/archive/prune-part.ts';
import { readPart } from '../../src/landing/landed-part.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { pruneArchive, type PruneOptions, type PruneSummary } from '../../src/load/prune.ts';
import { findingsIn } from '../support/archived-data.ts';
import { deletionEvent, spoolEvents } from '../support/inbox-segments.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landDetails,
  landRun,
  load,
  recordOf,
} from '../support/landed-run.ts';
import { response } from '../support/made-up-responses.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { compareWithRebuilt, rebuild } from '../support/rebuilding.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function prune(config: Config, change: Partial<PruneOptions> = {}): Promise<PruneSummary> {
  return pruneArchive({
    config,
    clock: new ManualClock('2026-01-21T12:00:00Z'),
    log: silentLog,
    progress: silentProgress,
    keepDays: 2,
    isDryRun: false,
    waitMs: 0,
    ...change,
  });
}

/** A run on each of these days of January, of the same post. */
async function runDaily(config: Config, days: readonly number[]): Promise<void> {
  for (const day of days) {
    const date = `2026-01-${String(day).padStart(2, '0')}`;
    const record = { run_id: `run-${day}`, started_at: `${date}T06:00:00.000Z` };
    await landRun(
      config,
      [analyticsRecord({ likeCount: day })],
      { fetchedAt: new Date(`${date}T06:00:01.500Z`) },
      record,
    );
    await load(config);
  }
}

async function bodies(config: Config): Promise<string[]> {
  const names = await readdir(join(config.dataDir, 'archive'), { recursive: true });
  return names.filter((name) => name.endsWith('.body.gz')).sort();
}

test('bodies of old days go when nothing but snapshots rests on them, and a rebuild gives all else', async () => {
  const config = configOf(await temporaryFolder());
  await runDaily(config, [15, 16, 17, 20, 21]);
  await spoolEvents(config, [deletionEvent()]);
  await load(config);
  const before = await dumpTables(config);
  const archive = join(config.dataDir, 'archive');
  const left = await readdir(archive, { recursive: true });
  const plan = await prune(config, { isDryRun: true });
  expect(plan).toMatchObject({ keep_from: '2026-01-20', responses: 2, needed: 1, snapshots: 2 });
  expect(await readdir(archive, { recursive: true })).toEqual(left);
  expect(await prune(config)).toEqual({ ...plan, is_dry_run: false });
  expect(await bodies(config)).toEqual([
    'acme/2026-01-15/run-15/000001.body.gz',
    'acme/2026-01-20/run-20/000001.body.gz',
    'acme/2026-01-21/run-21/000001.body.gz',
  ]);
  expect(await prune(config)).toMatchObject({ responses: 0, bytes: 0, needed: 1 });
  expect(await rebuild(config)).toMatchObject({
    refusal: 'pruned',
    isPublished: false,
    losses: { snapshots: 2, days: { first: '2026-01-16', last: '2026-01-17' } },
  });
  expect(await dumpTables(config)).toEqual(before);
  expect(await compareWithRebuilt(config)).toMatchObject({ isSame: false, prunedSnapshots: 2 });
  expect(await compareWithRebuilt(config, { acceptsPruned: true })).toMatchObject({ isSame: true });
  expect(await rebuild(config, { acceptsPruned: true })).toMatchObject({ isPublished: true });
  const { linkedin_post_snapshots: snapshots, ...tables } = await dumpTables(config);
  const { linkedin_post_snapshots: all, ...original } = before;
  expect(tables).toEqual(original);
  expect(snapshots).toHaveLength(3);
  expect(all).toEqual(expect.arrayContaining(snapshots as unknown[]));
});

test('whatever was read when, pruning leaves a rebuild all tables but snapshots, and those of kept days', async () => {
  const root = await temporaryFolder();
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(response, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('2026-01-16T12:00:00Z', '2026-01-17T12:00:00Z', '2026-03-01T12:00:00Z'),
      fc.integer({ min: 1, max: 2 }),
      async (runs, now, keepDays) => {
        nth += 1;
        const config = configOf(join(root, String(nth)), { timezone: 'Europe/Berlin' });
        for (const [index, responses] of runs.entries()) {
          await landResponses(config, `run-${index}`, responses);
          await load(config);
        }
        const before = await dumpTables(config);
        const { keep_from } = await prune(config, { clock: new ManualClock(now), keepDays });
        await rm(config.warehouse);
        expect(await rebuild(config)).toMatchObject({ isPublished: true, damages: [] });
        const { linkedin_post_snapshots: snapshots, ...tables } = await dumpTables(config);
        const { linkedin_post_snapshots: all, ...original } = before;
        expect(tables).toEqual(original);
        expect(since(snapshots, keep_from)).toEqual(since(all, keep_from));
      },
    ),
    {
      numRuns: Number(process.env['PROPERTY_RUNS'] ?? 4),
      // shrinking stops in time to tell of the smallest case so far
      interruptAfterTimeLimit: 40_000,
      markInterruptAsFailure: false,
    },
  );
});

test('a rebuild without the warehouse that alone had snapshots of pruned responses tells of it', async () => {
  const config = configOf(await temporaryFolder());
  await runDaily(config, [15, 16, 17, 20, 21]);
  await prune(config);
  await rm(config.warehouse);
  expect(await rebuild(config)).toMatchObject({ isPublished: true, prunedUnseen: 2 });
  expect(await rebuild(config)).toMatchObject({ isPublished: true, prunedUnseen: 0 });
});

test('what was not archived with a part stays foreign when the part is pruned', async () => {
  const config = configOf(await temporaryFolder());
  await runDaily(config, [15, 16, 17, 20, 21]);
  // as an earlier version left it
  await rm(join(config.dataDir, 'archive/ledger.ndjson'));
  const unlisted = join(config.dataDir, 'archive/acme/2026-01-17/run-17');
  await rm(join(unlisted, 'contents.json'));
  const places = ['2026-01-16/run-16', '2026-01-17/run-17'].map((part) => `archive/acme/${part}`);
  const foreign = places.map((place) => ['foreign', `${place}/notes.txt`]);
  for (const [, path = ''] of foreign) await writeFile(join(config.dataDir, path), 'foreign');
  const ledger = ['missing', 'archive/ledger.ndjson'];
  expect(await findingsIn(config)).toEqual([...foreign, ledger]);
  expect(await prune(config)).toMatchObject({ responses: 2 });
  expect(await bodies(config)).toHaveLength(3);
  const found = await findingsIn(config);
  // the other parts of a ledger that is gone
  expect(found.filter(([kind]) => kind !== 'unlisted')).toEqual(foreign);
});

test('what changes between a proof of a part and its pruning is found afterwards', async () => {
  const config = configOf(await temporaryFolder());
  await runDaily(config, [15, 16, 17, 20, 21]);
  const folder = join(config.dataDir, 'archive/acme/2026-01-16/run-16');
  const part = await readPart(folder, []);
  if (!part) throw new Error('there is no part');
  await writeFile(join(folder, 'finish.json'), '{"version":1}');
  await prunePart(config.dataDir, part, [{ seq: 1, posts_read: 1, rejected: 0, mentions: {} }]);
  expect(await findingsIn(config)).toEqual([
    ['damaged', 'archive/acme/2026-01-16/run-16/finish.json'],
  ]);
});

async function landResponses(
  config: Config,
  runId: string,
  responses: readonly Response[],
): Promise<void> {
  const part = await openPart(config.dataDir, recordOf({ run_id: runId }));
  for (const { answer, fetchedAt } of responses) {
    if (answer.kind === 'analytics') await landAnalytics(part, answer.records, { fetchedAt });
    else {
      const post = answer.post && { id: answer.postId, ...answer.post };
      await landDetails(part, answer.postId, post, { fetchedAt });
    }
  }
  await part.finish(finishOf());
}

type Response = typeof response extends fc.Arbitrary<infer T> ? T : never;

/** Snapshots of these days. */
function since(snapshots: unknown, day: string): unknown[] {
  return (snapshots as string[][]).filter(([, , capturedOn]) => String(capturedOn) >= day);
}
