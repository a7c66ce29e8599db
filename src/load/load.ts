import { linkedInPostTypes } from '../api/schemas/vocabulary.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import {
  changeWarehouse,
  readBeforeChange,
  withWarehouseLock,
  type StagingDatabase,
} from '../warehouse/warehouse.ts';
import { loadEvents, readEvents, type EventOutcomes } from './load-events.ts';
import { loadRuns, type LoadedRuns } from './load-runs.ts';
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
import { logDataWarnings, type DataWarning } from './data-warnings.ts';

export interface LoadOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The caller's own run, which is still running: what is on disk of it is loaded. */
  readonly ownRunId?: string;
  /** Whose run folders are loaded; left out: all. */
  readonly workspaces?: readonly string[];
  /** How long to wait while another process loads; 0: not at all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of responses and events that were loaded since the last call. */
  readonly onProgress?: (count: number) => void;
}

export interface LoadSummary extends Omit<LoadedRuns, 'mayHaveWarnings'> {
  /** New data warnings. */
  readonly warnings: readonly DataWarning[];
  readonly events: EventOutcomes;
  /** Files of the raw store that are missing, cannot be read, or are not what was written. */
  readonly damaged: number;
  /** Run folders left alone because another live process is writing them. */
  readonly inProgress: number;
  /** Whether there was anything new to publish. */
  readonly isPublished: boolean;
}

const noEvents: EventOutcomes = { applied: 0, kept: 0, rejected: 0 };

export const nothingNew: LoadSummary = {
  responses: 0,
  postsRead: 0,
  posts: { new: 0, changed: 0, unchanged: 0 },
  rejected: 0,
  unknownTypes: [],
  warnings: [],
  events: noEvents,
  damaged: 0,
  inProgress: 0,
  isPublished: false,
};

/**
 * Loads what the raw store holds and the warehouse does not, published whole or not at all. Loading again
 * changes nothing, and the order in which responses and events arrive does not matter. Sends nothing to the API.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function load(options: LoadOptions): Promise<LoadSummary> {
  const { config, clock, waitMs, signal, log } = options;
  const access = { path: config.warehouse, clock, waitMs, signal, log };
  return withWarehouseLock(access, async () => {
    const { workspaces, ownRunId } = options;
    const readState = (published: Database) => readLoadedState(published, workspaces);
    const { value, before } = await readBeforeChange(access, readState);
    const state = value ?? nothingLoaded;
    const source = await findPending(config, state, { workspaces, ownRunId });
    if (source.isEmpty && isSameSettings(state.settings, settingsOf(config)))
      return { ...nothingNew, inProgress: source.inProgress() };
    const work = async (staging: StagingDatabase) => {
      const summary = await loadPending(staging, source, state, options);
      return { value: { ...summary, isPublished: true }, isChanged: true };
    };
    return changeWarehouse(access, work, before);
  });
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
  which: Omit<PendingOptions, 'onInProgress'> = {},
): Promise<PendingSource> {
  let inProgress = 0;
  const onInProgress = () => (inProgress += 1);
  const runs = listPendingRuns(dataDir, state, { ...which, onInProgress });
  const first = await runs.next();
  const events = await listPendingEvents(dataDir, state);
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
  return { ...loaded, warnings, events, damaged, inProgress, isPublished: false };
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
  const access = { path: config.warehouse, clock, waitMs, signal, log };
  return withWarehouseLock(access, () =>
    changeWarehouse(access, async (staging) => {
      const { database } = staging;
      const { rows: loaded } = await database.query(
        `select event_key from webhook_events ${isRejectedOnly ? "where outcome = 'rejected'" : ''}`,
      );
      const events = await readEvents(
        config.dataDir,
        loaded.map(([key]) => String(key)),
        (error) => log.warn({}, `${error.message}; its event stays as it was loaded`),
      );
      await database.run(await readSql('load/forget_events.sql'), {
        event_keys: events.map((event) => event.event_key),
      });
      const state = await readLoadedState(database);
      await loadPending(staging, await findPending(config, state), state, options);
      const rows = await database.queryObjects(await readSql('load/replayed_events.sql'));
      const summary = { events: 0, changed: 0, applied: 0, kept: 0, rejected: 0 };
      for (const { outcome, events, changed } of rows) {
        summary[outcome as keyof EventOutcomes] += Number(events);
        summary.events += Number(events);
        summary.changed += Number(changed);
      }
      return { value: summary, isChanged: true };
    }),
  );
}
