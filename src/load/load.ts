import { linkedInPostTypes } from '../api/schemas/vocabulary.ts';
import type { Config, LakeConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { RunName } from '../store/run-folder.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import {
  changeWarehouse,
  readBeforeChange,
  withWarehouseLock,
  type StagingDatabase,
} from '../warehouse/warehouse.ts';
import { archiveLoaded } from './lake-archive.ts';
import { loadEvents, noEvents, readEvents, type EventOutcomes } from './load-events.ts';
import { loadRuns } from './load-runs.ts';
import { addSummaries, nothingNew, type LoadSummary } from './load-summary.ts';
import {
  isSameSettings,
  listPendingEvents,
  listPendingRuns,
  nothingLoaded,
  readLoadedState,
  settingsOf,
  type LoadedState,
  type PendingOptions,
  type PendingRun,
} from './pending.ts';
import { logDataWarnings } from './data-warnings.ts';
import type { ShardShare } from './shards.ts';

export interface LoadOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The caller's own run, which is still running: what is on disk of it is loaded. */
  readonly ownRunId?: string;
  /** Whose run folders are loaded where there is a warehouse; left out: all. */
  readonly workspaces?: readonly string[];
  /** How long to wait while another process loads; 0: not at all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of responses and events that were loaded since the last call. */
  readonly onProgress?: (count: number) => void;
}

/**
 * Loads what the raw store holds and the warehouse does not, published whole or not at all. Loading again
 * changes nothing, and the order in which responses and events arrive does not matter. Sends nothing to the API.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function load(options: LoadOptions): Promise<LoadSummary> {
  const { config, clock, waitMs, signal, log } = options;
  const { warehouse } = config;
  if (typeof warehouse !== 'string') return loadShards(warehouse, options);
  const access = { path: warehouse, clock, waitMs, signal, log };
  return withWarehouseLock(access, async () => {
    const { workspaces, ownRunId } = options;
    const readState = (published: Database) => readLoadedState(published, workspaces);
    const { value, before } = await readBeforeChange(access, readState);
    const state = value ?? nothingLoaded;
    const which = value === null ? { ownRunId } : { workspaces, ownRunId };
    const source = await findPending(config, state, which);
    if (source.isEmpty && isSameSettings(state.settings, settingsOf(config)))
      return { ...nothingNew, inProgress: source.inProgress() };
    const work = async (staging: StagingDatabase) => {
      const summary = await loadPending(staging, source, state, options);
      return { value: { ...summary, isPublished: true }, isChanged: true };
    };
    return changeWarehouse(access, work, before);
  });
}

async function loadShards(lake: LakeConfig, options: LoadOptions): Promise<LoadSummary> {
  const { inShards } = await import('./shards.ts');
  // the last attempt may have been committed without an answer
  const attempts = new Map<ShardShare, LoadSummary>();
  const summaries = await inShards(lake, options, async (staging, share) => {
    const { config } = share;
    const state = await readLoadedState(staging.database);
    const source = await findPending(config, state, { ...share, ownRunId: options.ownRunId });
    if (source.isEmpty && isSameSettings(state.settings, settingsOf(config)))
      return {
        value: attempts.get(share) ?? { ...nothingNew, inProgress: source.inProgress() },
        isChanged: false,
      };
    const whole: RunName[] = [];
    const runs = noteWhole(source.runs, whole);
    const loaded = await loadPending(staging, { ...source, runs }, state, { ...options, config });
    const { archive, shard } = share;
    const { events } = source;
    if (archive) await archiveLoaded(archive, config.dataDir, { shard, events, runs: whole });
    const summary = { ...loaded, isPublished: true };
    attempts.set(share, summary);
    return { value: summary, isChanged: true };
  });
  return summaries.reduce(addSummaries, nothingNew);
}

/** Notes the run folders from which nothing more comes. */
async function* noteWhole(
  runs: AsyncIterable<PendingRun>,
  whole: RunName[],
): AsyncGenerator<PendingRun> {
  for await (const run of runs) {
    const { workspace, run_id: runId, started_at: startedAt } = run.folder.record;
    if (run.status !== 'running') whole.push({ workspace, day: startedAt.slice(0, 10), runId });
    yield run;
  }
}

/** What is to be loaded; run folders are read one after another. */
interface PendingSource {
  readonly runs: AsyncIterable<PendingRun>;
  readonly events: readonly string[];
  readonly isEmpty: boolean;
  /** Counted while the run folders are read. */
  inProgress(): number;
}

export async function findPending(
  { dataDir }: Pick<Config, 'dataDir'>,
  state: LoadedState,
  which: Omit<PendingOptions, 'onInProgress'> & {
    /** Keys of those on disk; left out: all. */
    readonly events?: readonly string[];
  } = {},
): Promise<PendingSource> {
  let inProgress = 0;
  const onInProgress = () => (inProgress += 1);
  const runs = listPendingRuns(dataDir, state, { ...which, onInProgress });
  const first = await runs.next();
  const events = await listPendingEvents(dataDir, state, which.events);
  return {
    runs: startingWith(first, runs),
    events,
    isEmpty: first.done === true && events.length === 0,
    inProgress: () => inProgress,
  };
}

async function* startingWith<T>(
  first: IteratorResult<T, unknown>,
  rest: AsyncGenerator<T>,
): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** Loads into a staging database: the copy of the published one, or an empty one, which makes it a rebuild. */
export async function loadPending(
  staging: StagingDatabase,
  source: PendingSource,
  state: LoadedState,
  { config, log, onProgress }: LoadOptions,
): Promise<LoadSummary> {
  const { database } = staging;
  const settings = settingsOf(config);
  let damaged = 0;
  const onDamage = (error: Error) => {
    damaged += 1;
    log.warn({}, `${error.message}; it was skipped`);
  };
  await database.run(await readSql('load/begin.sql'));
  const areOtherSlugs = state.settings !== null && state.settings.slugs !== settings.slugs;
  const events =
    source.events.length > 0 || areOtherSlugs
      ? await loadEvents(staging, source.events, {
          config,
          log,
          onDamage,
          slugs: settings.slugs,
          onProgress,
        })
      : noEvents;
  const { mayHaveWarnings, ...loaded } = await loadRuns(staging, source.runs, {
    timezone: settings.timezone,
    isOtherTimezone: state.settings !== null && state.settings.timezone !== settings.timezone,
    areOtherSlugs,
    knownTypes: linkedInPostTypes,
    onDamage,
    onProgress,
  });
  await database.run(await readSql('load/profiles.sql'), {
    profiles: settings.profiles,
    all: state.settings?.profiles !== settings.profiles,
  });
  if (!isSameSettings(state.settings, settings))
    await database.run(await readSql('load/settings.sql'), { ...settings });
  // a first load or a rebuild would repeat old warnings
  const isWarned = state.settings !== null && mayHaveWarnings;
  const warnings = isWarned ? await logDataWarnings(database, config.warehouse, log) : [];
  logRecords(log, loaded);
  const inProgress = source.inProgress();
  const { outcomes, rejectedDeletions } = events;
  return {
    ...{ ...loaded, warnings, events: outcomes, rejectedDeletions },
    ...{ damaged, inProgress, isPublished: false },
  };
}

function logRecords(
  log: Log,
  { rejected, unknownTypes }: Pick<LoadSummary, 'rejected' | 'unknownTypes'>,
): void {
  if (rejected > 0)
    log.warn({ rejected }, 'some records were rejected; the table rejected_records says why');
  if (unknownTypes.length > 0)
    log.warn({ types: unknownTypes }, 'posts of undocumented types were kept as given');
}

export interface ReplaySummary extends EventOutcomes {
  /** Events that were read again; the outcomes are theirs. */
  readonly events: number;
  /** Of them, those with another outcome than before. */
  readonly changed: number;
}

/**
 * Reads loaded events again from their files, by the rules of this version. Doing it again changes nothing.
 * An event whose file is damaged stays as it was loaded.
 * @param isRejectedOnly only the events that were rejected; else all
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function replayEvents(
  options: LoadOptions,
  isRejectedOnly: boolean,
): Promise<ReplaySummary> {
  const { config, clock, waitMs, signal, log } = options;
  const { warehouse } = config;
  if (typeof warehouse !== 'string') {
    const { inShards } = await import('./shards.ts');
    const shards = { ...options, isWhole: true };
    const replayed = await inShards(warehouse, shards, async (staging, share) => ({
      value: await replay(staging, { ...options, config: share.config }, isRejectedOnly, share),
      isChanged: true,
    }));
    return replayed.reduce(addReplays, nothingReplayed);
  }
  const access = { path: warehouse, clock, waitMs, signal, log };
  return withWarehouseLock(access, () =>
    changeWarehouse(access, async (staging) => ({
      value: await replay(staging, options, isRejectedOnly),
      isChanged: true,
    })),
  );
}

const nothingReplayed: ReplaySummary = { ...noEvents.outcomes, events: 0, changed: 0 };

function addReplays(a: ReplaySummary, b: ReplaySummary): ReplaySummary {
  return {
    events: a.events + b.events,
    changed: a.changed + b.changed,
    applied: a.applied + b.applied,
    kept: a.kept + b.kept,
    rejected: a.rejected + b.rejected,
  };
}

async function replay(
  staging: StagingDatabase,
  options: LoadOptions,
  isRejectedOnly: boolean,
  share?: ShardShare,
): Promise<ReplaySummary> {
  const { config, log } = options;
  const { database } = staging;
  const { rows: loaded } = await database.query(
    `select event_key from webhook_events ${isRejectedOnly ? "where outcome = 'rejected'" : ''}`,
  );
  const keys = loaded.map(([key]) => String(key));
  const events = await readEvents(config.dataDir, keys, (error) =>
    log.warn({}, `${error.message}; its event stays as it was loaded`),
  );
  const read = events.map((event) => event.event_key);
  await database.run(await readSql('load/forget_events.sql'), { event_keys: read });
  const state = await readLoadedState(database);
  const pending = share && { ...share, events: [...new Set([...share.events, ...read])] };
  await loadPending(staging, await findPending(config, state, pending), state, options);
  const rows = await database.queryObjects(await readSql('load/replayed_events.sql'));
  const summary = { events: 0, changed: 0, applied: 0, kept: 0, rejected: 0 };
  for (const { outcome, events, changed } of rows) {
    summary[outcome as keyof EventOutcomes] += Number(events);
    summary.events += Number(events);
    summary.changed += Number(changed);
  }
  return summary;
}
