import type { ProfileConfig } from '../config/config.ts';
import { addDays, dayOf, daysBetween, type Day } from '../core/calendar.ts';
import {
  gridAnchor,
  containsWindow,
  lastDay,
  requestedDates,
  tileWindows,
  type Coverage,
} from './grid.ts';
import {
  clockSkewHours,
  cutOffHours,
  lastingStatuses,
  type PastCheck,
  type PastReading,
  type PlannedWindow,
  type Window,
  type WindowReason,
} from './plan.ts';
import { TruncationChecks } from './truncation.ts';

/** The inputs that decide which windows a run reads. */
export interface WindowsQuestion extends Coverage {
  /** The readings of all jobs. Those of other profiles are ignored. */
  readonly history: readonly PastReading[];
  /** The checks of possibly truncated answers, of all jobs. */
  readonly checks: readonly PastCheck[];
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
   * True if only windows are read whose last reading failed, or was skipped after another failure, for a reason that
   * may have passed.
   */
  readonly onlyWaiting?: boolean;
}

/** The shortest time between two readings of an old window, so that a daily run asks for few. */
const minIntervalDays = 7;

/** The zone in which a day ends last. */
const lastZone = 'Etc/GMT+12';

const cutOffMs = cutOffHours * 3_600_000;

const clockSkewMs = clockSkewHours * 3_600_000;

/**
 * Returns the windows that a run of the job reads, newest first, with the profiles taking turns in their
 * order. A window whose answer was truncated, or that contains such a window, is read in halves.
 * @throws UsageError if the days asked for are not the job's
 */
export function planWindows(question: WindowsQuestion): PlannedWindow[] {
  const { job, zones, now } = question;
  const dates = requestedDates(question);
  const windows = tileWindows(dates, job.windows.sizeDays, gridAnchor(job.windows));
  const today = lastDay(now, zones);
  const history = credibleHistory(question);
  const profiles = job.profiles.map((profile) => ({
    profile,
    readings: history.get(profileKey(profile.workspace, profile.id)) ?? [],
    checks: new TruncationChecks(
      question.checks.filter(({ workspace }) => workspace === profile.workspace),
    ),
  }));
  return windows.flatMap((whole) =>
    profiles.flatMap(({ profile, readings, checks }) => {
      const parts = checks.split(profile.id, whole);
      const parentWindow = parts.length === 1 ? null : whole;
      return parts.flatMap((window) => {
        const reason = windowReason(window, readings, { ...question, today, checks });
        const isWanted = reason === 'failed' || !question.onlyWaiting;
        return reason === null || !isWanted ? [] : [{ profile, window, reason, parentWindow }];
      });
    }),
  );
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
  question: Omit<WindowsQuestion, 'checks'> & { today: Day; checks: TruncationChecks },
): WindowReason | null {
  if (question.full) return 'asked';
  // a truncated answer may contain nothing of this window
  const successes = readings.filter(
    (past) =>
      past.status === 'succeeded' &&
      containsWindow(past.window, window) &&
      !question.checks.isCutOff(past.profileId, past.window),
  );
  const last = latest(successes);
  const isUnchecked = last !== null && question.checks.isDue(last);
  if (!isUnchecked && successes.some((past) => isFromCutOffRun(past, question))) return null;
  if (question.asked !== null) return 'asked';
  const lastFailed = latest(
    readings.filter((past) => past.status === 'failed' && touches(past.window, window)),
  );
  if (lastFailed && !(last && last.fetchedAt >= lastFailed.fetchedAt))
    return question.onlyWaiting && isLasting(lastFailed) ? null : 'failed';
  if (isUnchecked) return 'unchecked';
  return last ? ageReason(window, last.fetchedAt, question) : 'never-read';
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
  { job, zones, now, today }: Pick<WindowsQuestion, 'job' | 'zones' | 'now'> & { today: Day },
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
function isFromCutOffRun(past: PastReading, question: Omit<WindowsQuestion, 'checks'>): boolean {
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

function latest(readings: readonly PastReading[]): PastReading | null {
  return readings.reduce<PastReading | null>(
    (last, reading) => (last && last.fetchedAt >= reading.fetchedAt ? last : reading),
    null,
  );
}

function profileKey(workspace: ProfileConfig['workspace'], id: ProfileConfig['id']): string {
  return `${workspace}/${id}`;
}
