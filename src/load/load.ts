import type { Config } from '../config/config.ts';
import { UsageError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RunName } from '../store/run-folder.ts';
import { eraseFromStore } from '../store/erased-store.ts';
import { Eraser, type ErasureRecord } from '../store/erasure.ts';
import type { LockOptions, StagingDatabase } from '../warehouse/access.ts';
import { readSql } from '../warehouse/sql-file.ts';
import {
  appendEvents,
  decideEvents,
  noEvents,
  readEvents,
  type EventOutcomes,
} from './load-events.ts';
import { appendRuns, deriveTables } from './load-runs.ts';
import { addSummaries, nothingNew, type LoadSummary } from './load-summary.ts';
import {
  isSameSettings,
  listPendingEvents,
  listPendingRuns,
  listUnloadedRuns,
  nothingLoaded,
  readLoadedState,
  settingsOf,
  type LoadedState,
  type PendingOptions,
  type PendingRun,
} from './pending.ts';
import { logDataWarnings } from './data-warnings.ts';
import { changeShares, type Share } from './shares.ts';

/** With `isDryRun`, which a lake refuses with a UsageError, everything is loaded into a copy. */
export interface LoadOptions extends Omit<LockOptions, 'dataDir' | 'purpose'> {
  readonly config: Config;
  /** The caller's own run, which is still running: what is on disk of it is loaded. */
  readonly ownRunId?: string;
  /** An earlier run of this process that no longer reads these workspaces, although it still holds its lock. */
  readonly endedRunId?: string | undefined;
  /** The workspaces whose run folders are loaded, if there is a warehouse; left out: all. */
  readonly workspaces?: readonly string[];
  /** The readings, about, whose posts are derived at once; left out: as many as fit into memory. */
  readonly readingsAtOnce?: number;
  /** Called with the number of responses and events that were loaded since the last call. */
  readonly onProgress?: (count: number) => void;
}

/**
 * Loads what the raw store holds and the warehouse does not, published whole or not at all. Loading again
 * changes nothing, and the order in which responses and events arrive does not matter. Sends nothing to the API.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function load(options: LoadOptions): Promise<LoadSummary> {
  const { ownRunId, endedRunId, isDryRun } = options;
  if (isDryRun && typeof options.config.warehouse !== 'string') {
    throw new UsageError(
      'a lake is loaded in transactions of its own; --dry-run needs a warehouse in a file',
    );
  }
  const summaries = await changeShares(options, async (share, published) => {
    const { config, workspaces, events } = share;
    const state = published ? await readLoadedState(published, workspaces) : nothingLoaded;
    const own = { ownRunId, endedRunId };
    const scope = published ? { workspaces, events, ...own } : own;
    const which = { ...scope, erased: isDryRun ? null : await share.erasures() };
    const source = await findPending(config, state, which);
    // a run makes no empty warehouse before it reads: its last load has at least its run folder
    const isBeforeReading = published === null && ownRunId !== undefined;
    const isSame = async () =>
      isSameSettings(state.settings, await settingsOf(config, state.settings));
    if (source.isEmpty && (isBeforeReading || (await isSame())))
      return { done: { ...nothingNew, inProgress: source.inProgress() } };
    return {
      change: async (staging) => {
        const whole: RunName[] = [];
        const runs = collectWhole(source.runs, whole);
        const loaded = await loadPending(staging, { ...source, runs }, state, {
          ...options,
          config,
        });
        await share.archive({ runs: whole, events: source.events });
        // an upgrade derives everything again, and is told of by its own message
        const isUpgrade = published !== null && state.settings === null && source.isEmpty;
        return { ...loaded, isPublished: !isUpgrade };
      },
    };
  });
  return summaries.reduce(addSummaries, nothingNew);
}

/** Collects the names of the run folders to which nothing more is written. */
async function* collectWhole(
  runs: AsyncIterable<PendingRun>,
  whole: RunName[],
): AsyncGenerator<PendingRun> {
  for await (const run of runs) {
    const { workspace, run_id: runId, started_at: startedAt } = run.folder.record;
    if (run.status !== 'running') whole.push({ workspace, day: startedAt.slice(0, 10), runId });
    yield run;
  }
}

/** The run folders and events to be loaded. Run folders are read one after another. */
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
    readonly events?: readonly string[] | undefined;
    /** Null if the raw store stays as it is. */
    readonly erased: ErasureRecord | null;
  },
): Promise<PendingSource> {
  if (which.erased) await eraseAgain(dataDir, state, new Eraser(which.erased), which);
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

/** Takes what was erased before out of what comes again: in an answer, an event that is sent again, or a backup. */
async function eraseAgain(
  dataDir: string,
  state: LoadedState,
  eraser: Eraser,
  {
    workspaces,
    events,
  }: { workspaces?: readonly string[] | undefined; events?: readonly string[] | undefined },
): Promise<void> {
  if (eraser.isEmpty) return;
  const pending = {
    runs: listUnloadedRuns(dataDir, state, workspaces),
    events: await listPendingEvents(dataDir, state, events),
  };
  await eraseFromStore(dataDir, eraser, pending);
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
  { config, log, readingsAtOnce, onProgress }: LoadOptions,
): Promise<LoadSummary> {
  const { database } = staging;
  const settings = await settingsOf(config, state.settings, (error) =>
    log.warn({}, `${error.message}; the view own_figures stays as it was`),
  );
  let damaged = 0;
  const onDamage = (error: Error) => {
    damaged += 1;
    log.warn({}, `${error.message}; it was skipped`);
  };
  for (const name of ['address', 'unreadable']) await database.run(await readSql(`${name}.sql`));
  await database.run(await readSql('load/begin.sql'));
  await database.run(await readSql('load/configured_profiles.sql'), {
    profiles: settings.profiles,
  });
  const areAllDerived = state.settings === null;
  const areOtherSlugs = state.settings?.slugs !== settings.slugs;
  const areOtherProfiles = state.settings?.profiles !== settings.profiles;
  await appendEvents(staging, source.events, { config, onDamage, onProgress });
  const appended = await appendRuns(staging, source.runs, { onDamage, onProgress });
  const areDecided = source.events.length > 0 || areOtherSlugs;
  const events =
    areDecided || appended.responses > 0
      ? await decideEvents(staging, { log, slugs: settings.slugs, areAllDecided: areOtherSlugs })
      : noEvents;
  if (areOtherProfiles && !areAllDerived)
    await database.run(await readSql('load/derived_posts.sql'), {
      profiles_before: state.settings.profiles,
    });
  const { mayHaveWarnings, ...loaded } = await deriveTables(staging, appended, {
    isTouched: areDecided || areOtherProfiles,
    areAllDerived,
    readingsAtOnce,
  });
  await database.run(await readSql('load/profiles.sql'), { all: areOtherProfiles });
  if (!isSameSettings(state.settings, settings))
    await database.run(await readSql('load/settings.sql'), { ...settings });
  // a first load or a rebuild would repeat old warnings
  const isWarned = state.settings !== null && mayHaveWarnings;
  const warnings = isWarned ? await logDataWarnings(database, config.warehouse, log) : [];
  logRecords(log, loaded);
  const inProgress = source.inProgress();
  const { outcomes, rejectedDeletions } = events;
  return {
    ...loaded,
    warnings,
    events: outcomes,
    rejectedDeletions,
    damaged,
    inProgress,
    isPublished: false,
  };
}

function logRecords(
  log: Log,
  {
    rejected,
    unreadable,
    textNumbers,
    unknownTypes,
  }: Pick<LoadSummary, 'rejected' | 'unreadable' | 'textNumbers' | 'unknownTypes'>,
): void {
  if (rejected > 0)
    log.warn({ rejected }, 'some records were rejected; the table rejected_records says why');
  if (unreadable > 0)
    log.warn(
      { values: unreadable },
      'some values could not be read and count as unknown; the table rejected_records has each with its field',
    );
  if (textNumbers.length > 0)
    log.warn({ fields: textNumbers }, 'numbers that were given as text were read as numbers');
  if (unknownTypes.length > 0)
    log.warn({ types: unknownTypes }, 'posts of undocumented types were kept as given');
}

export interface ReplaySummary extends EventOutcomes {
  /** Events that were read again; the outcomes are theirs. */
  readonly events: number;
  /** The events that have another outcome than before. */
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
  const replayed = await changeShares({ ...options, isWhole: true }, (share) =>
    Promise.resolve({ change: (staging) => replay(staging, options, isRejectedOnly, share) }),
  );
  return replayed.reduce(addSummaries, nothingReplayed);
}

const nothingReplayed = { ...noEvents.outcomes, events: 0, changed: 0 };

async function replay(
  staging: StagingDatabase,
  options: LoadOptions,
  isRejectedOnly: boolean,
  share: Share,
): Promise<ReplaySummary> {
  const { log } = options;
  const { config, workspaces } = share;
  const { database } = staging;
  const { rows: loaded } = await database.query(
    `select event_key from webhook_events ${isRejectedOnly ? "where outcome = 'rejected'" : ''}`,
  );
  const loadedKeys = loaded.map(([key]) => String(key));
  const events = await readEvents(config.dataDir, loadedKeys, (error) =>
    log.warn({}, `${error.message}; its event stays as it was loaded`),
  );
  const read = events.map((event) => event.event_key);
  await database.run(await readSql('load/forget_events.sql'), { event_keys: read });
  const state = await readLoadedState(database);
  const keys = share.events && [...new Set([...share.events, ...read])];
  const erased = await share.erasures();
  const source = await findPending(config, state, { workspaces, events: keys, erased });
  await loadPending(staging, source, state, { ...options, config });
  const rows = await database.queryObjects(await readSql('load/replayed_events.sql'));
  const summary = { ...nothingReplayed };
  for (const { outcome, events, changed } of rows) {
    summary[outcome as keyof EventOutcomes] += Number(events);
    summary.events += Number(events);
    summary.changed += Number(changed);
  }
  return summary;
}
