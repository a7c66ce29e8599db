import { firstDay } from '../config/asked-days.ts';
import type { JobConfig, WindowsConfig } from '../config/config.ts';
import { addDays, dayOf, daysBetween, isDay, type Day } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type { Window } from './plan.ts';

/** Where the grid begins for a job that says `days`, so that it does not move from day to day. */
const epoch = '1970-01-01';

/** The later of today in `timezone` and today in UTC: no day that the API may know of is left out. */
export function lastDay(now: Date, timezone: string): Day {
  return later(dayOf(now, timezone), dayOf(now, 'UTC'));
}

/**
 * Windows that hold each day of `range` exactly once, newest first. They lie on a grid of `sizeDays` that
 * is anchored at `anchor`; the first and the last are cut to the range. None when the range is empty.
 */
export function tileWindows(range: Window, sizeDays: number, anchor: Day): Window[] {
  const windows: Window[] = [];
  let { end } = range;
  while (end >= range.start) {
    const offset = daysBetween(anchor, end) % sizeDays;
    const start = later(addDays(end, -((offset + sizeDays) % sizeDays)), range.start);
    windows.push({ start, end });
    end = addDays(start, -1);
  }
  return windows;
}

/** The anchor of the job's grid. */
export function gridAnchor({ start }: WindowsConfig): Day {
  return start ?? epoch;
}

/** Days that the user asked for with `--from` and `--to`; null where not given. */
interface AskedDays {
  readonly from: Day | null;
  readonly to: Day | null;
}

/** What a run covers depends on the job, the zone, the clock, and what the user asked for. */
export interface Coverage {
  readonly job: JobConfig;
  readonly timezone: string;
  readonly now: Date;
  /** Null for all of the job's days. */
  readonly asked: AskedDays | null;
}

/**
 * The days that a run covers, with those asked for cut to those that have come.
 * @throws UsageError when they are no range of days within the job's
 */
export function coveredDays({ job, timezone, now, asked }: Coverage): Window {
  const end = lastDay(now, timezone);
  const start = firstDay(job.windows, end);
  if (start > end) {
    throw new UsageError(
      `jobs.${job.name}.windows.start ${start} is in the future: today is ${end}; move it back, or set the machine's clock right`,
    );
  }
  if (asked === null) return { start, end };
  return askedRange(job, asked, { start, end });
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
    `${flag} ${day} is before ${whole.start}, the first day that the job ${job.name} reads; ask from there, or ${remedy} ${key}`,
  );
}

/** Whether every day of `inner` is one of `outer`. */
export function holds(outer: Window, inner: Window): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b;
}
