import type { ProfileConfig } from '../config/config.ts';
import { dayOf, daysBetween, type Day } from '../core/calendar.ts';
import { coveredDays, gridAnchor, holds, lastDay, tileWindows, type Coverage } from './grid.ts';
import {
  clockSkewHours,
  cutOffHours,
  type PastCheck,
  type PastReading,
  type PlannedWindow,
  type Window,
  type WindowReason,
} from './plan.ts';
import { TruncationChecks } from './truncation.ts';

/** What decides which windows a run reads. */
export interface WindowsQuestion extends Coverage {
  /** Of any job; readings that do not touch the job's profiles are passed over. */
  readonly history: readonly PastReading[];
  /** What became of answers that looked cut off, of any job. */
  readonly checks: readonly PastCheck[];
  /** When the job's last finished run began; such a run may have left no reading in `history`. */
  readonly lastFinishedRunStart: Date | null;
  /** `--full`: all windows, however fresh. */
  readonly full: boolean;
}

/** An old window waits at least so long for its next reading, so that one run a day asks for few. */
const minIntervalDays = 7;

const cutOffMs = cutOffHours * 3_600_000;

const clockSkewMs = clockSkewHours * 3_600_000;

/**
 * The windows that a run of the job reads, newest first, the profiles taking turns in their order. One that
 * was found cut off, or that holds such a window, is read in halves.
 * @throws UsageError when the days asked for are not the job's
 */
export function planWindows(question: WindowsQuestion): PlannedWindow[] {
  const { job, timezone, now } = question;
  const windows = tileWindows(coveredDays(question), job.windows.sizeDays, gridAnchor(job.windows));
  const today = lastDay(now, timezone);
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
      const partOf = parts.length === 1 ? null : whole;
      return parts.flatMap((window) => {
        const reason = windowReason(window, readings, { ...question, today, checks });
        return reason === null ? [] : [{ profile, window, reason, partOf }];
      });
    }),
  );
}

/**
 * By profile, without readings of the future: taken at their word, they would keep their windows from
 * being read until the clock has caught up with them.
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
  // what was cut off had perhaps nothing of this window
  const successes = readings.filter(
    (past) =>
      past.status === 'succeeded' &&
      holds(past.window, window) &&
      !question.checks.isCutOff(past.profileId, past.window),
  );
  const last = latest(successes);
  const isUnchecked = last !== null && question.checks.isDue(last);
  if (!isUnchecked && successes.some((past) => isFromCutOffRun(past, question))) return null;
  if (question.asked !== null) return 'asked';
  const lastFailed = latest(
    readings.filter((past) => past.status === 'failed' && touches(past.window, window)),
  );
  if (lastFailed && !(last && last.fetchedAt >= lastFailed.fetchedAt)) return 'failed';
  if (isUnchecked) return 'unchecked';
  return last ? ageReason(window, last.fetchedAt, question) : 'never-read';
}

/**
 * Figures change ever more slowly as posts age, so an old window is read again when its last reading is
 * as old as half its age: at about 2, 4, 8 times the age at which it stopped being young, and no reading
 * is ever further behind than half of the window's life. A window that is over and was last read before is
 * read again at once. Counted in days of the calendar, since a daily run does not come at the same second.
 */
function ageReason(
  window: Window,
  lastRead: Date,
  { job, timezone, today }: Pick<WindowsQuestion, 'job' | 'timezone'> & { today: Day },
): WindowReason | null {
  const ageDays = daysBetween(window.end, today);
  const readOn = dayOf(lastRead, timezone);
  const isUnfinished = readOn <= window.end && window.end < today;
  if (ageDays < job.windows.refreshDays || isUnfinished) return 'young';
  const sinceReadDays = daysBetween(readOn, today);
  return sinceReadDays >= Math.max(minIntervalDays, ageDays / 2) ? 'aged' : null;
}

/** A run that was cut off goes on in the next one, which does not ask again for what it has just read. */
function isFromCutOffRun(past: PastReading, question: Omit<WindowsQuestion, 'checks'>): boolean {
  const { job, now, history, lastFinishedRunStart } = question;
  const ageMs = now.getTime() - past.fetchedAt.getTime();
  if (past.runFinished || past.job !== job.name || ageMs < 0 || ageMs >= cutOffMs) return false;
  const finishedStarts = history
    .filter((other) => other.job === job.name && other.runFinished)
    .map((other) => other.runStartedAt);
  return ![...finishedStarts, lastFinishedRunStart].some(
    (start) => start !== null && start > past.runStartedAt,
  );
}

/** Whether they have a day in common. */
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
