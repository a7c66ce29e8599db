import type { Config, JobConfig, ProfileConfig } from '../../config/config.ts';
import { addDays, dayOf, type Day } from '../../core/calendar.ts';
import type { Clock } from '../../core/clock.ts';
import type { Window } from '../../plan/plan.ts';
import type { Cell } from '../../warehouse/cell.ts';
import { subtractWindows } from '../uncovered-days.ts';

export interface ProfileStatus {
  readonly workspace: string;
  readonly profile_id: string;
  readonly name: string;
  /** Null where nobody knows, as the warehouse cannot be read; then nothing is known of the windows either. */
  readonly posts: number | null;
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

type Row = Record<string, Cell>;

/** @param readings rows of status/window_readings.sql @param posts rows of status/profile_posts.sql */
export function profileStatuses(
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
      failed_windows: own.filter((row) => isOpenFailure(row, own)).map(failedWindow),
    };
  });
}

export function unknownProfile(profile: ProfileStatus): ProfileStatus {
  return { ...profile, posts: null, never_read: [], failed_windows: [] };
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

/** A window that failed is open until its days were read, be it in longer windows or in halves. */
function isOpenFailure(row: Row, own: readonly Row[]): boolean {
  if (row['last_status'] !== 'failed') return false;
  const failedAt = Date.parse(String(row['last_asked_at']));
  const since = own.filter(
    ({ read_at: readAt }) => readAt !== null && Date.parse(String(readAt)) > failedAt,
  );
  const days = { start: String(row['start_date']), end: String(row['end_date']) };
  const read = since.map((each) => ({
    start: String(each['start_date']),
    end: String(each['end_date']),
  }));
  return subtractWindows(days, read).length > 0;
}

function failedWindow(row: Row): FailedWindow {
  return {
    start: String(row['start_date']),
    end: String(row['end_date']),
    failed_at: String(row['last_asked_at']),
    error: textOrNull(row['last_error']),
  };
}

function textOrNull(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

/** ISO times compare as instants, whatever decimals they have. */
function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return new Date(a) < new Date(b) ? b : a;
}
