import type { Config, JobConfig } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import type { Window } from '../plan/plan.ts';

export interface ProfileStatus {
  readonly workspace: string;
  readonly profile_id: string;
  readonly name: string;
  /** Null when the warehouse cannot be read; then nothing is known of the windows either. */
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

/** A row of sql/status/window_readings.sql. */
export interface WindowReading {
  readonly workspace: string;
  readonly profile_id: string;
  readonly start_date: Day;
  readonly end_date: Day;
  readonly read_at: string | null;
  readonly read_until: Day | null;
  readonly last_status: string;
  readonly last_asked_at: string;
  readonly last_error: string | null;
}

/** A row of sql/status/profile_posts.sql. */
interface ProfilePosts {
  readonly workspace: string;
  readonly profile_id: string;
  readonly posts: number;
}

export function profileStatuses(
  config: Config,
  clock: Clock,
  readings: readonly WindowReading[],
  posts: readonly ProfilePosts[],
): ProfileStatus[] {
  const yesterday = addDays(dayOf(clock.now(), config.timezone), -1);
  const profiles = [...config.workspaces.values()].flatMap((workspace) => workspace.profiles);
  const starts = firstDays(config, yesterday);
  const readingsOf = new Map<string, WindowReading[]>();
  for (const row of readings) {
    const own = readingsOf.get(keyOf(row));
    if (own) own.push(row);
    else readingsOf.set(keyOf(row), [row]);
  }
  const postsOf = new Map(posts.map((row) => [keyOf(row), row.posts]));
  return profiles.map((profile) => {
    const key = keyOf({ workspace: profile.workspace, profile_id: profile.id });
    const own = readingsOf.get(key) ?? [];
    return {
      workspace: profile.workspace,
      profile_id: profile.id,
      name: profile.name,
      posts: postsOf.get(key) ?? 0,
      last_read_at: own.map(({ read_at: readAt }) => readAt).reduce(later, null),
      never_read: neverRead(starts.get(key), own, yesterday),
      failed_windows: own.filter((row) => isOpenFailure(row, own)).map(failedWindow),
    };
  });
}

function keyOf(row: Pick<WindowReading, 'workspace' | 'profile_id'>): string {
  return `${row.workspace}/${row.profile_id}`;
}

export function unknownProfile(profile: ProfileStatus): ProfileStatus {
  return { ...profile, posts: null, never_read: [], failed_windows: [] };
}

/** @param start undefined for a profile of no job */
function neverRead(
  start: Day | undefined,
  readings: readonly WindowReading[],
  until: Day,
): Window[] {
  const read = readings.flatMap(({ start_date: start, read_until: end }) =>
    end === null ? [] : [{ start, end }],
  );
  return start === undefined || start > until ? [] : subtractWindows({ start, end: until }, read);
}

/** By profile: the first day that one of its jobs asks for. */
function firstDays({ jobs }: Config, yesterday: Day): Map<string, Day> {
  const starts = new Map<string, Day>();
  for (const job of jobs.values()) {
    const day = firstDay(job, yesterday);
    for (const { workspace, id } of job.profiles) {
      const key = keyOf({ workspace, profile_id: id });
      const known = starts.get(key);
      if (known === undefined || day < known) starts.set(key, day);
    }
  }
  return starts;
}

function firstDay({ windows }: JobConfig, yesterday: Day): Day {
  return windows.start ?? addDays(yesterday, 2 - (windows.days ?? 1));
}

/** A window that failed is open until its days were read, be it in longer windows or in halves. */
function isOpenFailure(row: WindowReading, own: readonly WindowReading[]): boolean {
  if (row.last_status !== 'failed') return false;
  const failedAt = Date.parse(row.last_asked_at);
  const readSince = own.filter(
    ({ read_at: readAt }) => readAt !== null && Date.parse(readAt) > failedAt,
  );
  return subtractWindows(windowOf(row), readSince.map(windowOf)).length > 0;
}

function windowOf({ start_date: start, end_date: end }: WindowReading): Window {
  return { start, end };
}

function failedWindow(row: WindowReading): FailedWindow {
  return { ...windowOf(row), failed_at: row.last_asked_at, error: row.last_error };
}

/** ISO times compare as instants, whatever decimals they have. */
function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return new Date(a) < new Date(b) ? b : a;
}

/** The days of `range` that no window covers, as windows, oldest first. All ends are inclusive. */
export function subtractWindows(range: Window, windows: readonly Window[]): Window[] {
  const gaps: Window[] = [];
  let next = range.start;
  for (const { start, end } of [...windows].sort((a, b) => (a.start < b.start ? -1 : 1))) {
    if (end < next) continue;
    if (start > range.end) break;
    if (start > next) gaps.push({ start: next, end: addDays(start, -1) });
    next = addDays(end, 1);
  }
  if (next <= range.end) gaps.push({ start: next, end: range.end });
  return gaps;
}
