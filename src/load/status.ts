import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { cutOffHours } from '../plan/plan.ts';
import type { Cell } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { readEventStatus, type EventStatus } from './events/event-status.ts';
import { readWaiting, type WaitingEvents } from './events/waiting-events.ts';
import { readDiskStatus, type DiskStatus } from './status/disk-status.ts';
import { listHeldLocks, type HeldLock } from './status/held-locks.ts';
import { PartialReading, type StatusProblem } from './status/partial-reading.ts';
import { readPendingParts, type PendingPart, type PendingStatus } from './status/pending-parts.ts';
import { profileStatuses, unknownProfile, type ProfileStatus } from './status/profile-status.ts';
import { readWarehouseStatus, type WarehouseStatus } from './status/warehouse-status.ts';
import { readWarnings, type DataWarning } from './warnings/data-warnings.ts';

/** Plain data, ready to be printed or written as JSON. Times are ISO 8601 in UTC. */
export interface Status {
  readonly warehouse: WarehouseStatus;
  /** Null where it cannot be measured. */
  readonly disk: DiskStatus | null;
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
  /** What has landed and is not loaded and archived yet. */
  readonly pending: readonly PendingPart[];
  /** Damaged landed files that the next load sets aside. */
  readonly damaged: number;
  /** Most frequent first. */
  readonly rejected: readonly RejectedReason[];
  readonly events: EventStatus;
  /** What was loaded and looks odd. */
  readonly warnings: readonly DataWarning[];
  /** What could not be read; what would come from it is empty above. */
  readonly problems: readonly StatusProblem[];
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

const nothingPending: PendingStatus = { parts: [], damaged: 0 };
const nothingWaits: WaitingEvents = new Map();

/**
 * How things stand, from the published warehouse, the landing folder and the inbox. Changes nothing, asks the API
 * nothing. What cannot be read is told of, and the rest all the same.
 */
export async function readStatus(config: Config, clock: Clock): Promise<Status> {
  const { dataDir } = config;
  const reading = new PartialReading();
  // before the warehouse: what is loaded in the meantime is then in both, and not in neither
  const pending = await reading.read(
    'landing',
    () => readPendingParts(dataDir, clock.now()),
    nothingPending,
  );
  const waiting = await reading.read('inbox', () => readWaiting(dataDir), nothingWaits);
  const disk = await reading.read('disk', () => readDiskStatus(dataDir), null);
  const locks = await reading.read('locks', () => listHeldLocks(config), []);
  const database = await reading.read('warehouse', () => openIfPresent(config.warehouse), null);
  try {
    const warehouse = await readWarehouse(config, clock, database, reading);
    const nothing = await readTables(config, clock, null, waiting);
    const unknown = { ...nothing, profiles: nothing.profiles.map(unknownProfile) };
    const told = isWarehouseUnknown(reading)
      ? unknown
      : await reading.read(
          'warehouse',
          () => readTables(config, clock, database, waiting),
          unknown,
        );
    const { parts, damaged } = pending;
    return { warehouse, disk, locks, ...told, pending: parts, damaged, problems: reading.problems };
  } finally {
    database?.close();
  }
}

/** Whether there is one, or may be one, that cannot be read. */
export function isWarehouseUnknown({ problems }: Pick<Status, 'problems'>): boolean {
  return problems.some(({ subject }) => subject === 'warehouse');
}

async function readWarehouse(
  config: Config,
  clock: Clock,
  database: Database | null,
  reading: PartialReading,
): Promise<WarehouseStatus> {
  const unknown: WarehouseStatus = {
    path: config.warehouse,
    bytes: null,
    provenance: 'missing',
    foreign_since: null,
    missing_runs: 0,
    future_runs: [],
    former_workspaces: [],
  };
  return reading.read(
    'warehouse',
    () => readWarehouseStatus(config, database, clock.now()),
    unknown,
  );
}

/** @param database null where there is none */
async function readTables(
  config: Config,
  clock: Clock,
  database: Database | null,
  waiting: WaitingEvents,
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
    events: await readEventStatus(waiting, database),
    warnings: database ? await readWarnings(database) : [],
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
