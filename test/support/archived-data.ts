import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Finding } from '../../src/archive/finding.ts';
import { sealArchive } from '../../src/archive/seal-archive.ts';
import { findingsOf, verifyArchive, type Verification } from '../../src/archive/verify-archive.ts';
import type { Config } from '../../src/config/config.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { recoverSlugs } from '../../src/load/events/recover-slugs.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { deletionEvent, inviteEvent, spoolEvents } from './inbox-segments.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landDetails,
  load,
  recordOf,
} from './landed-run.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Two parts of one run each and two segments of events, loaded and archived. */
export async function archivedData(): Promise<Config> {
  const config = configOf(await temporaryFolder());
  await landTwoRuns(config);
  await spoolEvents(config, [deletionEvent(), inviteEvent()]);
  await spoolEvents(config, [deletionEvent({ id: 'p2' })]);
  await load(config);
  return config;
}

export async function landTwoRuns(config: Config): Promise<void> {
  const first = await openPart(config.dataDir, recordOf());
  await landAnalytics(first, [analyticsRecord()]);
  await landDetails(first, 'p1', { id: 'p1', title: 'T' });
  await landDetails(first, 'p2', null);
  await first.finish(finishOf({ requests: 3 }));
  const second = await openPart(
    config.dataDir,
    recordOf({ run_id: 'cut-off', started_at: '2026-01-16T12:00:00.000Z' }),
  );
  await landAnalytics(second, [analyticsRecord({ likeCount: 11 })]);
}

export function verify({ dataDir }: Config): Promise<Verification> {
  const { signal } = new AbortController();
  return verifyArchive({ dataDir, progress: silentProgress, signal });
}

/** What is wrong, with paths below the folder of data. */
export async function findingsIn(config: Config): Promise<[Finding['kind'], string][]> {
  return findingsOf(await verify(config)).map(({ kind, path }) => [
    kind,
    relative(config.dataDir, path),
  ]);
}

export async function seal(config: Config): Promise<void> {
  await sealArchive(config.dataDir, await verify(config));
}

/** As `archive verify --seal` does where there is a warehouse. @returns of how many segments slugs were recovered */
export async function sealBeside(config: Config): Promise<number> {
  await seal(config);
  const database = await openWarehouse(config.warehouse);
  try {
    return await recoverSlugs(config, database);
  } finally {
    database.close();
  }
}

/** All files of the archive, below its folder. */
export async function archivedFiles({ dataDir }: Config): Promise<string[]> {
  const root = join(dataDir, 'archive');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .sort();
}
