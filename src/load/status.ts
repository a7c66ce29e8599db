import { stat } from 'node:fs/promises';
import type { Config, JobConfig, ProfileConfig } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode } from '../core/errors.ts';
import { isLockHeld } from '../core/lock.ts';
import { listLanding } from '../landing/landed-part.ts';
import { extractLockPath } from '../landing/layout.ts';
import type { Window } from '../plan/plan.ts';
import type { Cell } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { readEventStatus, type EventStatus } from './events/event-status.ts';
import { readWaiting } from './events/waiting-events.ts';
import { subtractWindows } from './uncovered-days.ts';
import { readWarnings, type DataWarning } from './warnings/data-warnings.ts';

/** Plain data, ready to be printed or written as JSON. Times are ISO 8601 in UTC. */
export interface Status {
  readonly warehouse: {
    readonly path: string;
    /** Null when nothing has been loaded yet. */
    readonly bytes: number | null;
  };
  /** Newest first, ten at most. */
  readonly runs: readonly RunStatus[];
  /** As the config has them. */
  readonly profiles: readonly ProfileStatus[];
  /** What has landed and is not loaded and archived yet. */
  readonly pending: readonly PendingPart[];
  /** Most frequent first. */
  readonly rejected: readonly RejectedReason[];
  readonly events: EventStatus;
  /** What was loaded and looks odd. */
  readonly warnings: readonly DataWarning[];
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

export interface ProfileStatus {
  readonly workspace: string;
  readonly profile_id: string;
  readonly name: string;
  readonly posts: number;
  /** The newest successful reading of any window. */
  readonly last_read_at: string | null;
  /** Days up to yesterday that its jobs ask for and no successful reading has covered yet. */
  readonly never_read: readonly Window[];
  /** Windows whose newest reading failed. */
  readonly failed_windows: readonly FailedWindow[];
}

interface FailedWindow extends Window {
  readonly failed_at: string;
  readonly error: string | null;
}

interface PendingPart {
  readonly workspace: string;
  readonly run_id: string;
  readonly job: string;
  readonly started_at: string;
  readonly responses: number;
  /** `running`: a live process writes it; the others wait for the next load. */
  readonly state: 'running' | 'finished' | 'interrupted';
}

interface RejectedReason {
  readonly source: string;
  readonly reason: string;
  readonly records: number;
  readonly last_rejected_at: string;
}

const runsShown = 10;

type Row = Record<string, Cell>;

/** How things stand, from the published warehouse, the landing folder and the inbox. Changes nothing, asks the API nothing. */
export async function readStatus(config: Config, clock: Clock): Promise<Status> {
  // before the warehouse: what is loaded in the meantime is then in both, and not in neither
  const pending = await listPendingParts(config.dataDir);
  const waiting = await readWaiting(config.dataDir);
  const database = await openIfPresent(config.warehouse);
  try {
    const read = async (name: string, params = {}): Promise<Row[]> =>
      database ? database.queryObjects(await readSql(`status/${name}.sql`), params) : [];
    return {
      warehouse: { path: config.warehouse, bytes: await sizeOf(config.warehouse, database) },
      runs: (await read('last_runs', { limit: runsShown })).map(runStatus),
      profiles: profileStatuses(
        config,
        clock,
        await read('window_readings', { timezone: config.timezone }),
        await read('profile_posts'),
      ),
      pending,
      rejected: (await read('rejected_reasons')).map(rejectedReason),
      events: await readEventStatus(waiting, database),
      warnings: database ? await readWarnings(database) : [],
    };
  } finally {
    database?.close();
  }
}

function profileStatuses(
  config: Config,
  clock: Clock,
  readings: readonly Row[],
  posts: readonly Row[],
): ProfileStatus[] {
  const yesterday = addDays(dayOf(clock.now(), config.timezone), -1);
  const profiles = [...config.workspaces.values()].flatMap((workspace) => workspace.profiles);
  return profiles.map((profile) => {
    const isOwn = (row: Row) =>
      row['workspace'] === profile.workspace && row['profile_id'] === profile.id;
    const own = readings.filter(isOwn);
    return {
      workspace: profile.workspace,
      profile_id: profile.id,
      name: profile.name,
      posts: Number(posts.find(isOwn)?.['posts'] ?? 0),
      last_read_at: own.map((row) => textOrNull(row['read_at'])).reduce(later, null),
      never_read: neverRead(config, profile, own, yesterday),
      failed_windows: own.filter((row) => row['last_status'] === 'failed').map(failedWindow),
    };
  });
}

function neverRead(
  config: Config,
  profile: ProfileConfig,
  readings: readonly Row[],
  until: Day,
): Window[] {
  const read = readings
    .filter((row) => row['read_until'] !== null)
    .map((row) => ({ start: String(row['start_date']), end: String(row['read_until']) }));
  const starts = [...config.jobs.values()]
    .filter((job) =>
      job.profiles.some((each) => each.workspace === profile.workspace && each.id === profile.id),
    )
    .map((job) => firstDay(job, until));
  const start = starts.sort()[0];
  return start === undefined || start > until ? [] : subtractWindows({ start, end: until }, read);
}

function firstDay({ windows }: JobConfig, yesterday: Day): Day {
  return windows.start ?? addDays(yesterday, 2 - (windows.days ?? 1));
}

function failedWindow(row: Row): FailedWindow {
  return {
    start: String(row['start_date']),
    end: String(row['end_date']),
    failed_at: String(row['last_asked_at']),
    error: textOrNull(row['last_error']),
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

async function listPendingParts(dataDir: string): Promise<PendingPart[]> {
  const pending: PendingPart[] = [];
  for (const { record, finish, responses } of (await listLanding(dataDir)).parts) {
    const isHeld = await isLockHeld(extractLockPath(dataDir, record.workspace));
    pending.push({
      workspace: record.workspace,
      run_id: record.run_id,
      job: record.job,
      started_at: record.started_at,
      responses: responses.length,
      state: finish ? 'finished' : isHeld ? 'running' : 'interrupted',
    });
  }
  return pending;
}

async function sizeOf(path: string, database: Database | null): Promise<number | null> {
  if (!database) return null;
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function textOrNull(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

function numberOrNull(cell: Cell | undefined): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}

/** ISO times compare as instants, whatever decimals they have. */
function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return new Date(a) < new Date(b) ? b : a;
}
