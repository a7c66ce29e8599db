import type { ProfileConfig } from '../config/config.ts';
import { addDays, dayMs, dayOf, daysBetween, type Day } from '../core/calendar.ts';
import {
  gridAnchor,
  containsWindow,
  isSingleDay,
  lastDay,
  requestedDates,
  tileWindows,
  type Coverage,
} from './grid.ts';
import { isCutOff, isSameWindow, isUnchecked, lastParts, latest, wholeTriedAt } from './parts.ts';
import {
  clockSkewHours,
  cutOffHours,
  lastingStatuses,
  type PastReading,
  type PlannedWindow,
  type ReadUntil,
  type Window,
  type WindowReason,
} from './plan.ts';

/** The inputs that decide which windows a run reads. */
export interface WindowsQuestion extends Coverage {
  /** The readings of all jobs. Those of other profiles are ignored. */
  readonly history: readonly PastReading[];
  /** To which day each profile was read, by `<workspace>/<profile id>`. */
  readonly readUntil: ReadonlyMap<string, ReadUntil>;
  /** The start of the job's last finished run, which may have left no reading in `history`. */
  readonly lastFinishedRunStart: Date | null;
  /**
   * The scheduled time of a run that machines share. What a run of the job has read since then is not read again.
   * Left out: the run is not shared.
   */
  readonly sharedSince?: Date | undefined;
  /** Set by `--full`: all windows are read, however fresh they are. */
  readonly full: boolean;
  /**
   * True if only windows are read whose last reading failed, proved less than it was asked or was skipped after another
   * failure, for a reason that may have passed. The pauses between attempts grow to a day.
   */
  readonly onlyWaiting?: boolean;
}

/** The shortest time between two readings of an old window, so that a daily run asks for few. */
const minIntervalDays = 7;

/** The zone in which a day ends last. */
const lastZone = 'Etc/GMT+12';

const cutOffMs = cutOffHours * 3_600_000;

const clockSkewMs = clockSkewHours * 3_600_000;

/** A window that is read in parts is tried whole again after this time. */
const wholeAgainMs = 7 * dayMs;

/**
 * Returns the windows that a run of the job reads, newest first, with the profiles taking turns in their
 * order. A window that was last read in parts is read in these, and tried whole once a week.
 * @throws UsageError if the days asked for are not the job's
 */
export function planWindows(question: WindowsQuestion): PlannedWindow[] {
  const { job, zones, now } = question;
  const dates = requestedDates(question);
  const windows = tileWindows(dates, job.windows.sizeDays, gridAnchor(job.windows));
  const today = lastDay(now, zones);
  const history = credibleHistory(question);
  const profiles = job.profiles.map((profile) => {
    const key = profileKey(profile.workspace, profile.id);
    return { profile, readings: history.get(key) ?? [], known: question.readUntil.get(key) };
  });
  const asked = profiles.filter((each) => question.full || !hasEnded(each));
  return windows.flatMap((whole) =>
    asked.flatMap(({ profile, readings }) => {
      const window = upToEnd(whole, profile);
      return planWindow(window, readings, { ...question, today }).map((planned) => ({
        profile,
        ...planned,
      }));
    }),
  );
}

/** Returns the days of the window that count, and the date after, on which the last one lies in some time zones. */
function upToEnd({ start, end }: Window, { until }: ProfileConfig): Window {
  const last = until === null ? end : addDays(until, 1);
  return { start, end: last < end ? last : end };
}

/** Returns true for a profile that the service no longer has, once all of its days were read that count. */
function hasEnded({ profile, readings, known }: KnownProfile): boolean {
  if (profile.until === null || !known?.isWhole) return false;
  const status = latest(readings)?.httpStatus ?? null;
  return status === 404 || status === 403;
}

interface KnownProfile {
  readonly profile: ProfileConfig;
  readonly readings: readonly PastReading[];
  readonly known: ReadUntil | undefined;
}

type TodaysQuestion = WindowsQuestion & { readonly today: Day };

/** Plans the window, or the parts in which it was last read. */
function planWindow(
  whole: Window,
  readings: readonly PastReading[],
  question: TodaysQuestion,
): Omit<PlannedWindow, 'profile'>[] {
  if (whole.end < whole.start) return [];
  const parts = lastParts(whole, readings);
  const dueParts = parts.flatMap((window) => {
    const reason = windowReason(window, readings, question);
    return reason === null ? [] : [{ window, reason }];
  });
  const [first] = dueParts;
  if (!first) return [];
  const isDivided = parts.length > 1;
  const triedAt = wholeTriedAt(whole, readings);
  const isTriedWhole =
    !triedAt || question.full || question.now.getTime() - triedAt.getTime() >= wholeAgainMs;
  if (isDivided && isTriedWhole) {
    const trial = { parentWindow: null, parts, isTrial: true, confirmedRecords: null };
    return [{ window: whole, reason: first.reason, ...trial }];
  }
  return dueParts.map(({ window, reason }) => ({
    window,
    reason,
    parentWindow: isDivided ? whole : null,
    parts: [],
    isTrial: isSingleDay(window) && reason === 'failed' && hasFailed(window, readings),
    confirmedRecords: confirmedRecords(window, readings),
  }));
}

/** Returns true if the window itself was asked for and failed. */
function hasFailed(window: Window, readings: readonly PastReading[]): boolean {
  return readings.some((past) => past.status !== 'succeeded' && isSameWindow(past.window, window));
}

/** Returns the round number of records that the window had when its halves had no more of them. */
function confirmedRecords(window: Window, readings: readonly PastReading[]): number | null {
  const last = latest(
    readings.filter((past) => past.status === 'succeeded' && isSameWindow(past.window, window)),
  );
  const isConfirmed =
    last?.reason === 'round_count' && !isUnchecked(last, readings) && !isCutOff(last, readings);
  return isConfirmed ? last.records : null;
}

/**
 * Returns the readings of each profile without those that lie in the future. If they were trusted, their
 * windows would not be read until the clock has caught up with them.
 */
function credibleHistory({ history, now }: WindowsQuestion): Map<string, PastReading[]> {
  const byProfile = new Map<string, PastReading[]>();
  for (const reading of history) {
    if (reading.fetchedAt.getTime() > now.getTime() + clockSkewMs) continue;
    const key = profileKey(reading.workspace, reading.profileId);
    const readings = byProfile.get(key);
    if (readings) readings.push(reading);
    else byProfile.set(key, [reading]);
  }
  return byProfile;
}

function windowReason(
  window: Window,
  readings: readonly PastReading[],
  question: TodaysQuestion,
): WindowReason | null {
  const reason = anyReason(window, readings, question);
  return reason === 'failed' || !question.onlyWaiting ? reason : null;
}

function anyReason(
  window: Window,
  readings: readonly PastReading[],
  question: TodaysQuestion,
): WindowReason | null {
  if (question.full) return 'asked';
  // an answer that was cut off may contain nothing of this window
  const successes = readings.filter(
    (past) =>
      past.status === 'succeeded' &&
      containsWindow(past.window, window) &&
      !isCutOff(past, readings),
  );
  const last = latest(successes);
  const isLastUnchecked = last !== null && isUnchecked(last, readings);
  if (!isLastUnchecked && successes.some((past) => isFromCutOffRun(past, question))) return null;
  if (question.asked !== null) return 'asked';
  const failures = readings.filter(
    (past) =>
      past.status !== 'succeeded' &&
      touches(past.window, window) &&
      !(last && last.fetchedAt >= past.fetchedAt),
  );
  if (failures.length > 0) return waitsLonger(failures, question) ? null : 'failed';
  if (isLastUnchecked) return 'unchecked';
  return last ? ageReason(window, last.fetchedAt, question) : 'never-read';
}

/**
 * Returns true if a window that failed is not asked for between scheduled times: the reason lasts, or less time has gone by
 * since the last attempt than between it and the first failure, at most a day.
 */
function waitsLonger(
  failures: readonly PastReading[],
  { onlyWaiting, now }: WindowsQuestion,
): boolean {
  const last = latest(failures);
  if (!onlyWaiting || !last) return false;
  const firstMs = Math.min(...failures.map(({ fetchedAt }) => fetchedAt.getTime()));
  const lastMs = last.fetchedAt.getTime();
  return isLasting(last) || now.getTime() - lastMs < Math.min(lastMs - firstMs, dayMs);
}

/** A request that is wrong, and a profile that does not exist, stay so until somebody changes jobs.yaml or the service. */
function isLasting({ httpStatus }: PastReading): boolean {
  return httpStatus !== null && lastingStatuses.includes(httpStatus);
}

/**
 * Decides by age whether a window is read again. Figures change more slowly as posts age, so an old window is
 * read again when its last reading is as old as half its age: at about 2, 4 and 8 times the age at which it
 * stopped being young. No reading is ever further behind than half of the window's life. A window that was
 * last read before the day after its end was over everywhere is read again on a later day: that day may have
 * begun on the window's last date. Ages are counted in calendar days, since a daily run does not start at the
 * same second every day.
 */
function ageReason(
  window: Window,
  lastRead: Date,
  { job, zones, now, today }: TodaysQuestion,
): WindowReason | null {
  const ageDays = daysBetween(window.end, today);
  const earliest = dayOf(lastRead, lastZone);
  const isUnfinished = earliest <= addDays(window.end, 1) && earliest < dayOf(now, lastZone);
  if (ageDays < job.windows.refreshDays || isUnfinished) return 'young';
  const sinceReadDays = daysBetween(lastDay(lastRead, zones), today);
  return sinceReadDays >= Math.max(minIntervalDays, ageDays / 2) ? 'aged' : null;
}

/**
 * Returns true for a reading by an interrupted run, or by a machine that shares this one, which this run continues
 * without asking again.
 */
function isFromCutOffRun(past: PastReading, question: WindowsQuestion): boolean {
  const { job, now, history, lastFinishedRunStart, sharedSince } = question;
  const ageMs = now.getTime() - past.fetchedAt.getTime();
  if (past.job !== job.name || ageMs < 0 || ageMs >= cutOffMs) return false;
  if (sharedSince && past.runStartedAt >= sharedSince) return true;
  if (past.runFinished) return false;
  const finishedStarts = history
    .filter((other) => other.job === job.name && other.runFinished)
    .map((other) => other.runStartedAt);
  return ![...finishedStarts, lastFinishedRunStart].some(
    (start) => start !== null && start > past.runStartedAt,
  );
}

/** Returns true if the windows have a day in common. */
function touches(a: Window, b: Window): boolean {
  return a.start <= b.end && a.end >= b.start;
}

function profileKey(workspace: ProfileConfig['workspace'], id: ProfileConfig['id']): string {
  return `${workspace}/${id}`;
}
