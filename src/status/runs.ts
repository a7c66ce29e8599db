import { group } from 'd3-array';
import type { Config } from '../config/config.ts';
import {
  listPendingRuns,
  nothingLoaded,
  readLoadedState,
  type PendingRun,
} from '../load/pending.ts';
import { listOpenRuns, type OpenRun } from '../store/run-lock.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { warehouseOf, withPublished } from '../warehouse/warehouse.ts';

export interface RunStatus {
  readonly run_id: string;
  readonly job: string;
  readonly started_at: string;
  /** The end; null for a run that is running or was interrupted. */
  readonly finished_at: string | null;
  readonly status: string;
  readonly requests: number;
  readonly retries: number | null;
  readonly throttled: number | null;
  readonly posts_read: number;
  readonly rejected: number;
}

/** The statuses of runs whose folders say more than the warehouse. */
const openStatuses = ['running', 'interrupted'];

/** Reads all runs of the config's workspaces and jobs, newest first, loaded or not. @throws if the warehouse cannot be read */
export async function readRuns(config: Config): Promise<RunStatus[]> {
  const openRuns = await listOpenRunsOf(config);
  return withPublished(config.warehouse, async (database) => {
    const loaded = database ? await readLoadedRuns(database, null) : [];
    const pending = await readPending(config, database);
    return mergeRuns(loaded, pending, openRuns, !warehouseOf(config.warehouse).isShared);
  });
}

/** @param limit how many of the newest runs are read beside the newest of each job; null for all */
export async function readLoadedRuns(
  database: Database,
  limit: number | null,
): Promise<RunStatus[]> {
  return database.queryObjects<RunStatus>(await readSql('status/last_runs.sql'), { limit });
}

/** Reads the run folders that are not loaded whole, those of live processes too. @param workspaces left out: of all */
export async function readPending(
  { dataDir }: Pick<Config, 'dataDir'>,
  database: Database | null,
  workspaces?: readonly string[],
): Promise<PendingRun[]> {
  const state = database ? await readLoadedState(database, workspaces) : nothingLoaded;
  const pending: PendingRun[] = [];
  const which = { workspaces, takesRunning: true };
  for await (const run of listPendingRuns(dataDir, state, which)) pending.push(run);
  return pending;
}

export async function listOpenRunsOf({ dataDir, jobs }: Config): Promise<OpenRun[]> {
  const runs = [...jobs.keys()].map((job) => listOpenRuns(dataDir, job));
  return (await Promise.all(runs)).flat();
}

/**
 * Runs as they are: the run folders know more than the warehouse, which has no run before its first load and calls one
 * running until the next. One that has read all may still have reports to send.
 * @param isAllHere whether no other machine has run folders
 */
export function mergeRuns(
  loaded: readonly RunStatus[],
  pending: readonly PendingRun[],
  openRuns: readonly OpenRun[],
  isAllHere: boolean,
): RunStatus[] {
  const folders = group(pending, ({ folder }) => folder.record.run_id);
  const known = new Set(loaded.map(({ run_id: id }) => id));
  const unloaded = [...folders].filter(([id]) => !known.has(id));
  const lost = isAllHere ? 'interrupted' : 'running';
  const open = new Map(openRuns.map(({ runId, isLive }) => [runId, isLive]));
  return [
    ...loaded.map((run) => {
      const own = folders.get(run.run_id);
      const rest = openStatuses.includes(run.status) ? [] : [run.status];
      if (own) return { ...run, status: statusOf([...own.map(stateOf), ...rest]) };
      return run.status === 'running' ? { ...run, status: lost } : run;
    }),
    ...unloaded.map(([id, own]) => unloadedRun(id, own)),
  ]
    .map((run) => {
      const isLive = open.get(run.run_id);
      return isLive === undefined ? run : { ...run, status: isLive ? 'running' : 'interrupted' };
    })
    .sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
}

function orderOf({ started_at: at, run_id: id }: RunStatus): string {
  return `${new Date(at).toISOString()} ${id}`;
}

function stateOf({ status, folder }: PendingRun): string {
  return folder.finish?.status ?? status;
}

/** The status of a run by those of its parts, as sql/load/run_totals.sql has it. */
function statusOf(states: readonly string[]): string {
  const open = openStatuses.find((status) => states.includes(status));
  const [first = ''] = states;
  return open ?? (states.every((state) => state === first) ? first : 'partial');
}

function unloadedRun(runId: string, folders: readonly PendingRun[]): RunStatus {
  const sum = (count: (run: PendingRun) => number) =>
    folders.reduce((all, run) => all + count(run), 0);
  const finishes = folders.map(({ folder }) => folder.finish);
  const isFinished = finishes.every((finish) => finish !== null);
  const manifests = ({ folder }: PendingRun) => folder.responses.map(({ manifest }) => manifest);
  return {
    run_id: runId,
    job: folders[0]?.folder.record.job ?? '',
    started_at: folders.map(({ folder }) => folder.record.started_at).sort()[0] ?? '',
    finished_at: isFinished
      ? (finishes
          .map((finish) => finish.finished_at)
          .sort()
          .at(-1) ?? null)
      : null,
    status: statusOf(folders.map(stateOf)),
    requests: sum(
      (run) =>
        run.folder.finish?.requests ??
        manifests(run).reduce((all, { requests }) => all + requests, 0),
    ),
    retries: isFinished ? sum(({ folder }) => folder.finish?.retries ?? 0) : null,
    throttled: isFinished ? sum(({ folder }) => folder.finish?.throttled ?? 0) : null,
    posts_read: sum((run) => manifests(run).reduce((all, { records }) => all + (records ?? 0), 0)),
    // the load looks at each record
    rejected: 0,
  };
}
