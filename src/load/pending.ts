import { pricesOf } from '../config/prices-schema.ts';
import { figuresFiles, workspacesBySlug, type Config } from '../config/config.ts';
import { readLockHolder } from '../core/lock.ts';
import { listEventKeys } from '../store/event-store.ts';
import { runLockPath } from '../store/layout.ts';
import { listRunNames, readRunFolder, type RunFolder, type RunName } from '../store/run-folder.ts';
import type { Database } from '../warehouse/database.ts';
import { FiguresFileError, ownFigureRow, readOwnFigures } from '../warehouse/own-figures.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** The run folders, responses and events that a warehouse has loaded. */
export interface LoadedState {
  /** Run folders of which nothing more can come, as `<workspace>/<run_id>`. */
  readonly completeRuns: ReadonlySet<string>;
  /** The loaded responses of the other run folders, by sequence number. */
  readonly responses: ReadonlyMap<string, ReadonlySet<number>>;
  readonly events: ReadonlySet<string>;
  /** The settings with which it was loaded; null before the first load. */
  readonly settings: LoadSettings | null;
}

/** The part of the config on which derived tables rest; lists are JSON. */
export interface LoadSettings {
  readonly timezone: string;
  readonly profiles: string;
  /** The workspace's key by its slug. */
  readonly slugs: string;
  /** Each price of each list. */
  readonly prices: string;
  /** The rows of all files of figures. */
  readonly figures: string;
}

export const nothingLoaded: LoadedState = {
  completeRuns: new Set(),
  responses: new Map(),
  events: new Set(),
  settings: null,
};

/** @param workspaces those whose run folders are asked for; left out: all */
export async function readLoadedState(
  database: Database,
  workspaces?: readonly string[],
): Promise<LoadedState> {
  const read = async (name: string) =>
    (await database.query(await readSql(`load/${name}.sql`), { workspaces: workspaces ?? null }))
      .rows;
  const responses = new Map<string, Set<number>>();
  for (const [run, seq] of await read('incomplete_responses')) {
    const loaded = responses.get(String(run)) ?? new Set();
    responses.set(String(run), loaded.add(Number(seq)));
  }
  // one of an older schema has fewer columns
  const [settings = null] =
    await database.queryObjects<Record<string, string>>('from load_settings');
  return {
    completeRuns: new Set((await read('complete_runs')).map(([run]) => String(run))),
    responses,
    events: new Set((await read('event_keys')).map(([key]) => String(key))),
    settings: settings as LoadSettings | null,
  };
}

/**
 * @param before the settings of the last load, whose figures are kept if a file cannot be read
 * @param warn is called with the error of such a file
 */
export async function settingsOf(
  config: Config,
  before: LoadSettings | null,
  warn?: (error: FiguresFileError) => void,
): Promise<LoadSettings> {
  const { timezone, workspaces } = config;
  const profiles = [...workspaces.values()].flatMap(({ key, profiles: own }) =>
    own.map(({ id, name, cpm, until, prices }) => {
      return { workspace: key, profile_id: id, name, cpm, until, prices };
    }),
  );
  return {
    timezone,
    prices: JSON.stringify([...config.prices.values()].flatMap(pricesOf)),
    figures: await figuresIn(config).catch((error: unknown) => {
      if (!(error instanceof FiguresFileError)) throw error;
      warn?.(error);
      return before?.figures ?? '[]';
    }),
    profiles: JSON.stringify(profiles),
    slugs: JSON.stringify(Object.fromEntries(workspacesBySlug(config))),
  };
}

/** @throws FiguresFileError */
async function figuresIn(config: Config): Promise<string> {
  const rows: object[] = [];
  for (const { path, file, profiles } of figuresFiles(config)) {
    const [kind, owner] = path;
    for (const row of await readOwnFigures(file, profiles, config.workspaces))
      rows.push({ [kind === 'clients' ? 'client' : 'job']: owner, ...ownFigureRow(row) });
  }
  return JSON.stringify(rows);
}

export function isSameSettings(a: LoadSettings | null, b: LoadSettings): boolean {
  return Object.entries(b).every(([name, value]) => a?.[name as keyof LoadSettings] === value);
}

/** A run folder with what of it is not loaded yet. */
export interface PendingRun {
  readonly folder: RunFolder;
  /** `running`: a live process is writing it; `interrupted`: it was stopped, or has no end and no writer. */
  readonly status: 'finished' | 'interrupted' | 'running';
  /** The responses that are not loaded, ordered by `seq`. */
  readonly responses: RunFolder['responses'];
}

export interface PendingOptions {
  /** The workspaces whose run folders are listed; left out: all. */
  readonly workspaces?: readonly string[] | undefined;
  /** The caller's own run, which is still running: what is on disk of it is loaded. */
  readonly ownRunId?: string | undefined;
  /** An earlier run of this process that no longer reads these workspaces, although it still holds its lock. */
  readonly endedRunId?: string | undefined;
  /** True if runs of other live processes are listed as well. */
  readonly takesRunning?: boolean;
  /** Called for each run folder that another live process is writing; the next load takes it. */
  readonly onInProgress?: (name: RunName) => void;
}

/** The names of the run folders of which something may not be loaded yet. */
export async function* listUnloadedRuns(
  dataDir: string,
  { completeRuns }: LoadedState,
  workspaces?: readonly string[],
): AsyncGenerator<RunName> {
  for await (const name of listRunNames(dataDir, workspaces))
    if (!completeRuns.has(`${name.workspace}/${name.runId}`)) yield name;
}

/** Run folders of which something is not loaded yet, one at a time: by workspace, day and run. */
export async function* listPendingRuns(
  dataDir: string,
  state: LoadedState,
  { workspaces, ownRunId, endedRunId, takesRunning = false, onInProgress }: PendingOptions,
): AsyncGenerator<PendingRun> {
  for await (const name of listUnloadedRuns(dataDir, state, workspaces)) {
    const key = `${name.workspace}/${name.runId}`;
    const found = await readRunFolder(dataDir, name);
    if (found === null) continue;
    const isOwn = name.runId === ownRunId;
    const isEnded = found.finish !== null || name.runId === endedRunId;
    const isWritten = !isEnded && (await isLive(dataDir, found));
    if (isWritten && !isOwn && !takesRunning) {
      onInProgress?.(name);
      continue;
    }
    // its writer may have finished before its lock was found free
    const folder = (found.finish ? found : await readRunFolder(dataDir, name)) ?? found;
    const loaded = state.responses.get(key);
    yield {
      folder,
      status: folder.finish ? 'finished' : isOwn || isWritten ? 'running' : 'interrupted',
      responses: folder.responses.filter(({ manifest }) => !loaded?.has(manifest.seq)),
    };
  }
}

async function isLive(dataDir: string, { record }: RunFolder): Promise<boolean> {
  return (await readLockHolder(runLockPath(dataDir, record))) !== null;
}

/** Keys of the events that are on disk and not loaded. @param stored those on disk, where they are known */
export async function listPendingEvents(
  dataDir: string,
  state: LoadedState,
  stored?: readonly string[],
): Promise<string[]> {
  return (stored ?? (await listEventKeys(dataDir))).filter((key) => !state.events.has(key));
}
