import { firstDay } from '../config/asked-days.ts';
import type { JobConfig, WindowsConfig } from '../config/config.ts';
import { addDays, dayOf, daysBetween, isDay, type Day } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type { Window } from './plan.ts';

/**
 * The day at which the grid begins for a job that gives `days`, so that the grid does not move from day to
 * day.
 */
const epoch = '1970-01-01';

/**
 * Returns the latest of today in `zones` and today in UTC, so that no date that the API may know, and that a
 * report needs, is left out.
 */
export function lastDay(now: Date, zones: readonly string[]): Day {
  return zones.map((zone) => dayOf(now, zone)).reduce(later, dayOf(now, 'UTC'));
}

/**
 * Returns the first day that the job reads. With `days` it depends on today, which is not the same day in all zones of
 * reports: each finds the first day that it asks for read.
 */
function firstCoveredDay(job: JobConfig, now: Date, zones: readonly string[]): Day {
  return firstDay(job.windows, zones.map((zone) => dayOf(now, zone)).reduce(earlier));
}

/**
 * Splits `range` into windows, newest first, that hold each of its days exactly once. The windows lie on a
 * grid of `sizeDays` that is anchored at `anchor`; the first and the last one are cut to the range. Days before
 * the anchor belong to the first window. An empty range has no windows.
 */
export function tileWindows(range: Window, sizeDays: number, anchor: Day): Window[] {
  const windows: Window[] = [];
  let { end } = range;
  while (end >= range.start) {
    const onGrid = addDays(end, -(daysBetween(anchor, end) % sizeDays));
    const start = onGrid <= anchor ? range.start : later(onGrid, range.start);
    windows.push({ start, end });
    end = addDays(start, -1);
  }
  return windows;
}

export function gridAnchor({ start }: WindowsConfig): Day {
  return start ?? epoch;
}

/** The days given with `--from` and `--to`. A flag that was not given is null. */
interface AskedDays {
  readonly from: Day | null;
  readonly to: Day | null;
}

/** The inputs that decide which days a run covers. */
export interface Coverage {
  readonly job: JobConfig;
  /** The time zones of reports: that of jobs.yaml and those of clients. */
  readonly zones: readonly string[];
  readonly now: Date;
  /** Null if the run covers all days of the job. */
  readonly asked: AskedDays | null;
}

/**
 * Returns the days that a run covers. Days asked for are cut to those that have come.
 * @throws UsageError if the days asked for are not a range within the job's days
 */
export function coveredDays({ job, zones, now, asked }: Coverage): Window {
  const end = lastDay(now, zones);
  const start = firstCoveredDay(job, now, zones);
  if (start > end) {
    throw new UsageError(
      `jobs.${job.name}.windows.start ${start} is in the future: today is ${end}; move it back, or set the machine's clock right`,
    );
  }
  if (asked === null) return { start, end };
  return askedRange(job, asked, { start, end });
}

/**
 * Returns the dates that a run has to read for the days that it covers. The dates of the service may be those of
 * another zone, in which a day lies on the date before or after, too. Each request asks for a day more (`requestEnd`).
 * @throws UsageError if the days asked for are not a range within the job's days
 */
export function requestedDates(coverage: Coverage): Window {
  const { start, end } = coveredDays(coverage);
  const last = lastDay(coverage.now, coverage.zones);
  return { start: addDays(start, -1), end: earlier(addDays(end, 1), last) };
}

/**
 * Returns the last date that is asked for to read a window. The specification does not say that it is inclusive, so that the
 * last date of an answer proves nothing.
 */
export function requestEnd({ end }: Window): Day {
  return addDays(end, 1);
}

function askedRange(job: JobConfig, asked: AskedDays, whole: Window): Window {
  const from = checkedDay('--from', asked.from, job, whole) ?? whole.start;
  const to = checkedDay('--to', asked.to, job, whole) ?? whole.end;
  if (from > whole.end) {
    throw new UsageError(`--from ${from} is in the future: today is ${whole.end}`);
  }
  if (from > to) throw new UsageError(`--from ${from} must not be after --to ${to}`);
  return { start: from, end: earlier(to, whole.end) };
}

function checkedDay(flag: string, day: Day | null, job: JobConfig, whole: Window): Day | null {
  if (day === null) return null;
  if (!isDay(day)) {
    throw new UsageError(`${flag} must be a day as YYYY-MM-DD, got ${JSON.stringify(day)}`);
  }
  if (day >= whole.start) return day;
  const remedy = job.windows.start === null ? 'raise' : 'move back';
  const key = `jobs.${job.name}.windows.${job.windows.start === null ? 'days' : 'start'}`;
  throw new UsageError(
    `${flag} ${day} is before ${whole.start}, the first day that the job ${job.name} reads; start from there, or ${remedy} ${key}`,
  );
}

export function isSingleDay({ start, end }: Window): boolean {
  return start === end;
}

/** Returns true if every day of `inner` lies in `outer`. */
export function containsWindow(outer: Window, inner: Window): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b;
}
