import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode } from '../core/errors.ts';
import { cutOffHours } from '../plan/plan.ts';
import type { Cell } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { fileIdentity } from '../warehouse/published-file.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { listEventKeys } from '../store/event-store.ts';
import { readEventStatus, type EventStatus } from './event-status.ts';
import { listPendingRuns, nothingLoaded, readLoadedState, type PendingRun } from './pending.ts';
import { listHeldLocks, type HeldLock } from './status/held-locks.ts';
import { PartialReading, type StatusProblem } from './status/partial-reading.ts';
import { profileStatuses, unknownProfile, type ProfileStatus } from './status/profile-status.ts';
import { readWarnings, type DataWarning } from './data-warnings.ts';

/** Plain data, ready to be printed or written as JSON. Times are ISO 8601 in UTC. */
export interface Status {
  readonly warehouse: WarehouseStatus;
  /** Bytes that the disk of `data_dir` has left; null where it cannot be measured. */
  readonly free_bytes: number | null;
  /** What live processes hold, so that others wait for them. */
  readonly locks: readonly HeldLock[];
  /** Newest first, ten at most. */
  readonly runs: readonly RunStatus[];
  /** As the config has them, each with its newest run. */
  readonly jobs: readonly JobStatus[];
  /** Loaded runs that were cut off, and that the next run of their job goes on with. */
  readonly cut_off: readonly CutOffRun[];
  /** As the config has them. */
  readonly profiles: readonly ProfileStatus[];
  /** Run folders of which something is not loaded yet. */
  readonly pending: readonly PendingPart[];
  /** Damaged files among them, which the next load skips. */
  readonly damaged: number;
  /** Most frequent first. */
  readonly rejected: readonly RejectedReason[];
  readonly events: EventStatus;
  /** What was loaded and looks odd. */
  readonly warnings: readonly DataWarning[];
  /** What could not be read; what would come from it is empty above. */
  readonly problems: readonly StatusProblem[];
}

/** How things stand with the published file itself. */
export interface WarehouseStatus {
  readonly path: string;
  /** Null when there is none. */
  readonly bytes: number | null;
}

/** A run folder of which something is not loaded yet. */
export interface PendingPart {
  readonly workspace: string;
  readonly run_id: string;
  readonly job: string;
  readonly started_at: string;
  readonly responses: number;
  /** `running`: a live process writes it; the others wait for the next load. */
  readonly state: PendingRun['status'];
  /** Of an interrupted one: until then the next run of its job does not ask again for what it has. */
  readonly kept_until: string | null;
}

export interface RunStatus {
  readonly run_id: string;
  readonly job: string;
  readonly started_at: string;
  /** Null for a run that is under way or was cut off. */
  readonly finished_at: string | null;
  readonly status: string;
  readonly requests: number;
  readonly retries: number | null;
  readonly throttled: number | null;
  readonly posts_read: number;
  readonly rejected: number;
}

interface JobStatus {
  readonly job: string;
  /** Null where it never ran, or nobody knows. */
  readonly last_run: { readonly run_id: string; readonly status: string } | null;
}

interface CutOffRun {
  readonly run_id: string;
  readonly job: string;
  /** That the next run of the job does not ask for again … */
  readonly windows: number;
  /** … before this time. */
  readonly kept_until: string;
}

interface RejectedReason {
  readonly source: string;
  readonly reason: string;
  readonly records: number;
  readonly last_rejected_at: string;
}

const runsShown = 10;
const cutOffMs = cutOffHours * 3_600_000;

type Row = Record<string, Cell>;

/**
 * How things stand, from the published warehouse and the raw store. Changes nothing, asks the API nothing. What
 * cannot be read is named, and costs the rest nothing.
 */
export async function readStatus(config: Config, clock: Clock): Promise<Status> {
  const { dataDir, warehouse: path } = config;
  const reading = new PartialReading();
  // before the warehouse: an event that is loaded meanwhile is then in both, and not in neither
  const events = await reading.read('events', () => listEventKeys(dataDir), []);
  const freeBytes = await reading.read('disk', () => readFreeBytes(dataDir), null);
  const locks = await reading.read('locks', () => listHeldLocks(config), []);
  const database = await reading.read('warehouse', () => openIfPresent(path), null);
  try {
    const warehouse = await reading.read('warehouse', () => readWarehouse(path), {
      path,
      bytes: null,
    });
    const nothing = await readTables(config, clock, null, []);
    const unknown = {
      ...nothing,
      profiles: nothing.profiles.map(unknownProfile),
      events: { ...nothing.events, pending: { events: null } },
    };
    const tables = isWarehouseUnknown(reading)
      ? unknown
      : await reading.read('warehouse', () => readTables(config, clock, database, events), unknown);
    const nothingPending = { pending: [], damaged: 0 };
    const pending = isWarehouseUnknown(reading)
      ? nothingPending
      : await reading.read('raw store', () => readPending(config, clock, database), nothingPending);
    return {
      warehouse,
      free_bytes: freeBytes,
      locks,
      ...tables,
      ...pending,
      problems: reading.problems,
    };
  } finally {
    database?.close();
  }
}

/** Whether there is one, or may be one, that cannot be read. */
export function isWarehouseUnknown({ problems }: Pick<Status, 'problems'>): boolean {
  return problems.some(({ subject }) => subject === 'warehouse');
}

async function readWarehouse(path: string): Promise<WarehouseStatus> {
  const isThere = (await fileIdentity(path)) !== null;
  return { path, bytes: isThere ? (await stat(path)).size : null };
}

/** Of a folder that is not there yet, what the one above it has. */
async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT') || dirname(folder) === folder) throw error;
    return readFreeBytes(dirname(folder));
  }
}

async function readPending(
  { dataDir }: Config,
  clock: Clock,
  database: Database | null,
): Promise<Pick<Status, 'pending' | 'damaged'>> {
  const state = database ? await readLoadedState(database) : nothingLoaded;
  const pending: PendingPart[] = [];
  let damaged = 0;
  for await (const run of listPendingRuns(dataDir, state, { takesRunning: true })) {
    pending.push(describePending(run, clock.now()));
    damaged += run.folder.damages.length;
  }
  return { pending, damaged };
}

function describePending({ folder, status, responses }: PendingRun, now: Date): PendingPart {
  const { workspace, run_id, job, started_at } = folder.record;
  const fetchedMs = folder.responses.map(({ manifest }) => Date.parse(manifest.fetched_at));
  const keptUntil = new Date(Math.max(...fetchedMs) + cutOffMs);
  const isKept = status === 'interrupted' && keptUntil > now;
  return {
    workspace,
    run_id,
    job,
    started_at,
    responses: responses.length,
    state: status,
    kept_until: isKept ? keptUntil.toISOString() : null,
  };
}

/** @param database null where there is none */
async function readTables(
  config: Config,
  clock: Clock,
  database: Database | null,
  eventKeys: readonly string[],
) {
  const read = async (name: string, params = {}): Promise<Row[]> =>
    database ? database.queryObjects(await readSql(`status/${name}.sql`), params) : [];
  const since = new Date(clock.now().getTime() - cutOffMs);
  return {
    runs: (await read('last_runs', { limit: runsShown })).map(runStatus),
    jobs: jobStatuses(config, await read('newest_runs')),
    cut_off: (await read('cut_off_runs', { since })).map(cutOffRun),
    profiles: profileStatuses(
      config,
      clock,
      await read('window_readings', { timezone: config.timezone }),
      await read('profile_posts'),
    ),
    rejected: (await read('rejected_reasons')).map(rejectedReason),
    events: await readEventStatus(eventKeys, database),
    warnings: database ? await readWarnings(database, [...config.workspaces.keys()]) : [],
  };
}

function jobStatuses({ jobs }: Config, newest: readonly Row[]): JobStatus[] {
  return [...jobs.keys()].map((job) => {
    const row = newest.find((each) => each['job'] === job);
    const run = row && { run_id: String(row['run_id']), status: String(row['status']) };
    return { job, last_run: run ?? null };
  });
}

function cutOffRun(row: Row): CutOffRun {
  const lastReadMs = new Date(String(row['last_read_at'])).getTime();
  return {
    run_id: String(row['run_id']),
    job: String(row['job']),
    windows: Number(row['windows']),
    kept_until: new Date(lastReadMs + cutOffMs).toISOString(),
  };
}

function runStatus(row: Row): RunStatus {
  return {
    run_id: String(row['run_id']),
    job: String(row['job']),
    started_at: String(row['started_at']),
    finished_at: textOrNull(row['finished_at']),
    status: String(row['status']),
    requests: Number(row['requests']),
    retries: numberOrNull(row['retries']),
    throttled: numberOrNull(row['throttled']),
    posts_read: Number(row['posts_read']),
    rejected: Number(row['rejected']),
  };
}

function rejectedReason(row: Row): RejectedReason {
  return {
    source: String(row['source']),
    reason: String(row['reason']),
    records: Number(row['records']),
    last_rejected_at: String(row['last_rejected_at']),
  };
}

function textOrNull(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

function numberOrNull(cell: Cell | undefined): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}
