import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PostledgerError, UsageError } from '../core/errors.ts';
import { acquireLock, type Lock } from '../core/lock.ts';
import { Outbox } from '../deliver/outbox.ts';
import { rebuildWarehouse } from '../load/rebuild.ts';
import {
  eraseFromStore,
  surveyRawStore,
  type ErasedFiles,
  type Target,
} from '../store/erased-store.ts';
import {
  Eraser,
  hashOf,
  newErasure,
  profileSubject,
  readErasures,
  writeErasures,
  type ErasureRecord,
} from '../store/erasure.ts';
import { extractLockPath } from '../store/layout.ts';
import { readRetention } from '../store/retention.ts';
import { listRunNames } from '../store/run-folder.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { openWarehouse, warehouseOf } from '../warehouse/warehouse.ts';
import { writeReportIndexes } from './report-index.ts';
import type { RunTools } from './run-context.ts';
import { removeWritten } from './written-reports.ts';

/** What an erasure did beside what it took out of the raw store. */
export interface Erased extends ErasedFiles {
  /** Files of reports, which are rendered anew by the next runs. */
  readonly reports: number;
  /** Deliveries that waited, and were discarded. */
  readonly discarded: readonly string[];
}

class UnfinishedErasureError extends PostledgerError {
  readonly code = 'ERASURE_UNFINISHED';
  readonly recovery = 'fix-input';
}

/**
 * Finds what has to be erased, and changes nothing.
 * @param target null to erase again all that was erased before, as after a backup was restored
 * @returns what {@link erase} takes, and the files that it will change
 * @throws UsageError if there is nothing of the target, or jobs.yaml still reads it
 */
export async function planErasure(
  target: Target | null,
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
): Promise<{ record: ErasureRecord; files: ErasedFiles }> {
  const { dataDir } = config;
  if (typeof config.warehouse !== 'string') {
    throw new UsageError(
      'erase needs a warehouse in a file: a lake keeps snapshots, and its bucket keeps raw data (docs/operate.md)',
    );
  }
  const known = await readErasures(dataDir);
  if (target === null) {
    if (known.erasures.length > 0) return { record: known, files: await count(dataDir, known) };
    throw new UsageError('nothing was erased before; name --person or --profile');
  }
  refuseConfigured(target, config);
  const { texts, posts } = await surveyRawStore(dataDir, target);
  const carried = await surveyWarehouse(config, target);
  const subjects =
    target.kind === 'person' ? texts : [profileSubject(target.workspace, target.profileId)];
  const hash = (text: string) => hashOf(known.salt, text);
  const erasure = {
    ...newErasure(target.kind, clock.now()),
    subjects: subjects.map(hash),
    posts: (carried?.posts ?? posts).map(hash),
    removed: 0,
  };
  const files = await count(dataDir, { ...known, erasures: [erasure] });
  // what the warehouse alone has is looked at while it is filled anew
  if (files.removed + files.rewritten === 0 && carried === null) {
    throw new UsageError(
      target.kind === 'person'
        ? 'the raw store has nothing of this person; give an id or an address as the API has it'
        : 'the raw store has nothing of this profile; give it as <workspace>/<profile id>',
    );
  }
  const own = { ...erasure, removed: files.removed };
  return { record: { ...known, erasures: [...known.erasures, own] }, files };
}

/**
 * Erases what the record says from raw data, warehouse, outbox and reports. It can be stopped anywhere:
 * {@link finishErasures} goes on.
 * @throws BusyError while a run is under way for longer than `waitMs`
 */
export async function erase(
  record: ErasureRecord,
  waitMs: number,
  tools: RunTools,
): Promise<Erased> {
  const { config, clock, signal } = tools;
  const { dataDir } = config;
  return withoutRuns(waitMs, tools, async () => {
    const begun = { ...record, erasures: record.erasures.map(unfinished) };
    await writeErasures(dataDir, begun);
    const eraser = new Eraser(begun);
    const files = await eraseFromStore(dataDir, eraser);
    const discarded = await Outbox.with(dataDir, { clock, signal, waitMs }, (outbox) =>
      outbox.erase((json) => eraser.redactText(json) !== null),
    );
    const reports = await removeWritten(config);
    await writeReportIndexes(tools);
    await rm(join(dataDir, 'notify'), { recursive: true, force: true });
    await rebuild(begun, files, waitMs, tools);
    const finishedAt = clock.now().toISOString();
    const finished = begun.erasures.map((each) => ({ ...each, finished_at: finishedAt }));
    await writeErasures(dataDir, { ...begun, erasures: finished });
    return { ...files, reports, discarded };
  });
}

/** Goes on with what a killed process began to erase. */
export async function finishErasures(waitMs: number, tools: RunTools): Promise<void> {
  const record = await readErasures(tools.config.dataDir);
  if (record.erasures.every(({ finished_at: at }) => at !== null)) return;
  tools.log.warn({}, 'an erasure was interrupted; it is finished first');
  await erase(record, waitMs, tools);
}

function unfinished<T extends object>(erasure: T): T & { finished_at: null } {
  return { ...erasure, finished_at: null };
}

function count(dataDir: string, record: ErasureRecord): Promise<ErasedFiles> {
  return eraseFromStore(dataDir, new Eraser(record), { isDryRun: true });
}

/** @returns null if raw data have all that was loaded; else the posts that the profile alone has published */
async function surveyWarehouse(
  { dataDir, warehouse }: RunTools['config'],
  target: Target,
): Promise<{ posts: readonly string[] } | null> {
  const { runs_before: runs, events_before: events } = await readRetention(dataDir);
  if (runs === null && events === null) return null;
  if (target.kind === 'person') return { posts: [] };
  const database = await openWarehouse(warehouse);
  try {
    const { workspace, profileId } = target;
    const params = { workspace, profile_id: profileId };
    const { rows } = await database.query(await readSql('rebuild/posts_of_profile.sql'), params);
    return { posts: rows.map(([id]) => String(id)) };
  } finally {
    database.close();
  }
}

function refuseConfigured(target: Target, { workspaces }: RunTools['config']): void {
  if (target.kind === 'person') return;
  const { workspace, profileId } = target;
  const profiles = workspaces.get(workspace)?.profiles ?? [];
  if (profiles.some(({ id }) => id === profileId)) {
    throw new UsageError(
      `jobs.yaml still has ${workspace}/${profileId}, and the next run would read it again; remove it there first`,
    );
  }
}

/** Fills a new file from what is left, and removes those of before. */
async function rebuild(
  { erasures }: ErasureRecord,
  { removed }: ErasedFiles,
  waitMs: number,
  tools: RunTools,
): Promise<void> {
  const erased = removed + erasures.reduce((sum, each) => sum + each.removed, 0);
  const { lost } = await rebuildWarehouse({ ...tools, waitMs, erased });
  if (lost > erased) {
    throw new UnfinishedErasureError(
      `the raw store lacks ${lost - erased} responses and events of the warehouse besides; \`postledger verify\` names them: restore them from a backup, or move the warehouse away, and run \`postledger erase\``,
    );
  }
  for (const path of warehouseOf(tools.config.warehouse).files) await removeEarlier(path);
}

/** Files of the warehouse that an upgrade or a load kept under other names. */
async function removeEarlier(path: string): Promise<void> {
  const isEarlier = /^\.(?:\d{4}_\w+|unreadable-\w+)$/;
  for (const name of await readdir(dirname(path)))
    if (name.startsWith(basename(path)) && isEarlier.test(name.slice(basename(path).length)))
      await rm(join(dirname(path), name), { force: true });
}

/** Does the work while no process reads for any workspace. */
async function withoutRuns<T>(
  waitMs: number,
  { config, clock, signal }: RunTools,
  work: () => Promise<T>,
): Promise<T> {
  const workspaces = new Set(config.workspaces.keys());
  for await (const { workspace } of listRunNames(config.dataDir)) workspaces.add(workspace);
  const locks: Lock[] = [];
  try {
    for (const workspace of [...workspaces].sort()) {
      const path = extractLockPath(config.dataDir, workspace);
      locks.push(await acquireLock(path, { purpose: 'erasing', waitMs, clock, signal }));
    }
    return await work();
  } finally {
    for (const lock of locks) await lock.release();
  }
}
