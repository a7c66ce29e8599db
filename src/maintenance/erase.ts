import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { Outbox } from '../deliver/outbox.ts';
import { fetchMissingEvents, fetchRuns, sharedErasures, withArchive } from '../load/raw-bucket.ts';
import { rebuildWarehouse } from '../load/rebuild.ts';
import {
  eraseFromStore,
  readIntact,
  removeRemains,
  surveyRawStore,
  type ErasedFiles,
  type Target,
} from '../store/erased-store.ts';
import {
  Eraser,
  hashOf,
  isUnfinished,
  newErasure,
  profileSubject,
  readErasures,
  UnfinishedErasureError,
  writeErasures,
  type ErasureRecord,
} from '../store/erasure.ts';
import { eventPath, listEventKeys, replaceEvent } from '../store/event-store.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { listRunNames, type RunName } from '../store/run-folder.ts';
import { withWorkspaces } from '../store/run-lock.ts';
import { openIfPresent, warehouseOf } from '../warehouse/warehouse.ts';
import type { RunTools } from '../config/run-tools.ts';

/** What an erasure did. */
export type Erased = Awaited<ReturnType<typeof eraseHere>>;

/**
 * Finds what has to be erased, and changes nothing.
 * @param target null to erase again all that was erased before, as after a backup was restored
 * @returns what {@link erase} takes, and the files that it will change; null if there is nothing of the target
 * @throws UsageError if jobs.yaml still reads it
 */
export async function planErasure(
  target: Target | null,
  tools: RunTools,
): Promise<{ record: ErasureRecord; files: ErasedFiles } | null> {
  const { config, clock } = tools;
  const { dataDir } = config;
  const { isShared, rawBucket } = warehouseOf(config.warehouse);
  if (isShared && rawBucket === null) {
    throw new UsageError(
      'erase needs warehouse.lake.raw, the bucket in which one machine finds the raw data of all (docs/lake.md)',
    );
  }
  const known = await withArchive(tools, (bucket) => fetchAll(bucket, tools));
  if (target === null) {
    if (known.erasures.length > 0) return { record: known, files: await count(dataDir, known) };
    throw new UsageError('nothing was erased before; name --person or --profile');
  }
  refuseConfigured(target, config);
  const { texts, posts } = await surveyRawStore(dataDir, target);
  const subjects =
    target.kind === 'person' ? texts : [profileSubject(target.workspace, target.profileId)];
  const hash = (text: string) => hashOf(known.salt, text);
  const erasure = {
    ...newErasure(target.kind, clock.now()),
    subjects: subjects.map(hash),
    posts: posts.map(hash),
    removed: 0,
  };
  const files = await count(dataDir, { ...known, erasures: [erasure] });
  if (files.removed + files.rewritten === 0) return null;
  const own = { ...erasure, removed: files.removed };
  return { record: { ...known, erasures: [...known.erasures, own] }, files };
}

/**
 * Erases what the record says from raw data, warehouse, outbox and reports. It can be stopped anywhere:
 * {@link finishErasures} continues.
 * @throws BusyError while a run is under way for longer than `waitMs`, or others read the lake
 */
export async function erase(
  record: ErasureRecord,
  waitMs: number,
  tools: RunTools,
): Promise<Erased> {
  const { dataDir } = tools.config;
  return withoutRuns(waitMs, tools, () =>
    withArchive(tools, async (bucket) => {
      const begun = { ...record, erasures: record.erasures.map(unfinished) };
      await writeErasures(dataDir, begun);
      // the loads of other machines must not bring it again
      await bucket?.writeErasures(begun);
      await fetchAll(bucket, tools);
      await removeRemains(dataDir);
      await removeDamaged(tools);
      const erased = await eraseHere(begun, waitMs, tools);
      await rebuild(begun, erased, waitMs, tools);
      if (bucket) await eraseFromBucket(bucket, new Eraser(begun), tools);
      const { config, clock, log, signal } = tools;
      const lock = { dataDir, clock, log, signal, waitMs, purpose: 'erasing' };
      await warehouseOf(config.warehouse).removeEarlier(lock);
      const ended = finished(begun, tools);
      await bucket?.writeErasures(ended);
      await writeErasures(dataDir, ended);
      return erased;
    }),
  );
}

/**
 * Finishes what a killed process began to erase, and takes from this machine what others have erased.
 * @returns what was finished; null if nothing had been begun
 */
export async function finishErasures(waitMs: number, tools: RunTools): Promise<Erased | null> {
  const { dataDir } = tools.config;
  const own = await readErasures(dataDir);
  if (isUnfinished(own)) {
    tools.log.warn({}, 'an erasure was interrupted; it is finished first');
    return erase(own, waitMs, tools);
  }
  await withArchive(tools, async (bucket) => {
    const all = await sharedErasures(bucket, dataDir);
    if (all.erasures.length === own.erasures.length) return;
    tools.log.warn({}, 'another machine has erased something; it is erased here, too');
    await withoutRuns(waitMs, tools, () => eraseHere(all, waitMs, tools));
    await writeErasures(dataDir, finished(all, tools));
  });
  return null;
}

/** True if all of the target was erased before. */
export async function isErased(
  target: Target | null,
  { dataDir }: Pick<RunTools['config'], 'dataDir'>,
): Promise<boolean> {
  const eraser = new Eraser(await readErasures(dataDir));
  if (target?.kind === 'profile') return eraser.hasProfile(target.workspace, target.profileId);
  return target?.texts.every((text) => eraser.hasText(text)) ?? true;
}

/**
 * Writes events whose files are damaged again as the warehouse has them. One that it does not have either is removed: no load
 * takes it, and nobody can say whom it names.
 */
async function removeDamaged({ config: { dataDir, warehouse }, log }: RunTools): Promise<void> {
  const damaged: string[] = [];
  for (const key of await listEventKeys(dataDir))
    if ((await readIntact(dataDir, key)) === null) damaged.push(key);
  if (damaged.length === 0) return;
  const database = await openIfPresent(warehouse);
  for (const key of damaged) {
    const sql = 'select received_at, payload, problem from webhook_events where event_key = $key';
    const [row] = (await database?.queryObjects(sql, { key })) ?? [];
    if (row === undefined) {
      const path = eventPath(dataDir, key);
      await rm(path, { force: true });
      log.warn({}, `${path} was damaged, so that nobody could say whom it names; it was removed`);
      continue;
    }
    const receivedAt = new Date(String(row['received_at']));
    // only an event that was ingested may discard another
    const via = row['problem'] === null ? 'ingest' : 'http';
    await replaceEvent(dataDir, { key, receivedAt, via, bodyText: String(row['payload']) });
  }
  database?.close();
}

/** Erases from the files of this machine. @returns also the files of reports, and the deliveries that waited */
async function eraseHere(record: ErasureRecord, waitMs: number, tools: RunTools) {
  const { config, clock, signal } = tools;
  const { dataDir } = config;
  const eraser = new Eraser(record);
  const files = await eraseFromStore(dataDir, eraser);
  const discarded = await Outbox.withNoneSending(dataDir, { clock, signal, waitMs }, (outbox) =>
    outbox.erase((json) => eraser.redactText(json) !== null),
  );
  const reports = await removeReports(tools);
  await rm(join(dataDir, 'notify'), { recursive: true, force: true });
  return { ...files, reports, discarded };
}

/** Brings what the bucket has, and this machine lacks, into the raw store. @returns what was erased before */
async function fetchAll(
  bucket: RawArchive | null,
  { config, log }: RunTools,
): Promise<ErasureRecord> {
  if (bucket) {
    await fetchRuns(bucket, config, log);
    await fetchMissingEvents(bucket, await bucket.listEvents(null), config, log);
  }
  return sharedErasures(bucket, config.dataDir);
}

/**
 * Takes what was erased from this machine, which has all runs of the bucket, out of the bucket, too. What others put there
 * since the lake was rebuilt holds nothing of what was erased.
 */
async function eraseFromBucket(
  bucket: RawArchive,
  eraser: Eraser,
  { config, log }: RunTools,
): Promise<void> {
  const { dataDir } = config;
  const archived = new Set((await bucket.listRuns()).map(runKey));
  for await (const name of listRunNames(dataDir))
    if (archived.has(runKey(name))) await bucket.putRun(dataDir, name, true);
  const paths = await bucket.listEvents(null);
  const before = new Set(await listEventKeys(dataDir));
  await fetchMissingEvents(bucket, paths, config, log);
  const events = (await listEventKeys(dataDir)).filter((key) => !before.has(key));
  await eraseFromStore(dataDir, eraser, { runs: listRunNames(dataDir, []), events });
  for (const [key, path] of paths)
    if ((await readIntact(dataDir, key))?.isErased) await bucket.replaceEvent(dataDir, key, path);
}

function runKey({ workspace, day, runId }: RunName): string {
  return `${workspace}/${day}/${runId}`;
}

function finished(record: ErasureRecord, { clock }: RunTools): ErasureRecord {
  const finishedAt = clock.now().toISOString();
  return {
    ...record,
    erasures: record.erasures.map((each) => ({
      ...each,
      finished_at: each.finished_at ?? finishedAt,
    })),
  };
}

/** Removes what was rendered, and returns how many files that were. Other commands start sooner without this code. */
async function removeReports(tools: RunTools): Promise<number> {
  const { removeWritten } = await import('../output/written-reports.ts');
  const { writeReportIndexes } = await import('../output/report-index.ts');
  const reports = await removeWritten(tools.config, tools.log);
  await writeReportIndexes(tools);
  return reports;
}

function unfinished<T extends object>(erasure: T): T & { finished_at: null } {
  return { ...erasure, finished_at: null };
}

function count(dataDir: string, record: ErasureRecord): Promise<ErasedFiles> {
  return eraseFromStore(dataDir, new Eraser(record), { isDryRun: true });
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

/** Rebuilds the warehouse from what is left. */
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
}

/** Does the work while no process reads for any workspace. */
async function withoutRuns<T>(
  waitMs: number,
  { config, clock, signal }: RunTools,
  work: () => Promise<T>,
): Promise<T> {
  const workspaces = new Set(config.workspaces.keys());
  for await (const { workspace } of listRunNames(config.dataDir)) workspaces.add(workspace);
  const { dataDir } = config;
  return withWorkspaces(
    workspaces,
    { dataDir, purpose: 'erasing for', waitMs, clock, signal },
    work,
  );
}
