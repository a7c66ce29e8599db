import { addDays, daysBetween } from '../core/calendar.ts';
import { containsWindow, isSingleDay } from './grid.ts';
import type { PastReading, Window } from './plan.ts';

/**
 * Returns the parts in which the window was last read, newest first, since it failed as a whole or its answer lacked
 * posts. The window may have grown since: its newest part grows with it. Returns the window itself if it was last read whole.
 * @param readings those of the window's profile
 */
export function lastParts(window: Window, readings: readonly PastReading[]): Window[] {
  const wholes = readings.filter((past) => isWhole(past, window));
  const since = latest(wholes.filter(({ status }) => status === 'succeeded'))?.fetchedAt;
  const parts = readings.filter(
    ({ partOf, window: part, fetchedAt }) =>
      partOf === window.start &&
      containsWindow(window, part) &&
      (since === undefined || fetchedAt > since),
  );
  // a part that ended with the window is followed by none
  const divided = latest(wholes)?.window.end ?? window.start;
  const starts = new Set([window.start]);
  for (const { window: part } of parts) {
    starts.add(part.start);
    if (part.end < divided) starts.add(addDays(part.end, 1));
  }
  const ordered = [...starts].toSorted().reverse();
  return ordered.map((start, index) => {
    const next = ordered[index - 1];
    return { start, end: next === undefined ? window.end : addDays(next, -1) };
  });
}

/** Returns when the window was last asked for as a whole, with whatever result; null if it never was. */
export function wholeTriedAt(window: Window, readings: readonly PastReading[]): Date | null {
  return latest(readings.filter((past) => isWhole(past, window)))?.fetchedAt ?? null;
}

function isWhole({ partOf, window: read }: PastReading, window: Window): boolean {
  return partOf === null && read.start === window.start && read.end <= window.end;
}

/** Returns true for an answer with a round number of records of which not all days were asked for again, in parts. */
export function isUnchecked(past: PastReading, readings: readonly PastReading[]): boolean {
  const { window, reason } = past;
  if (reason !== 'round_count' || isSingleDay(window)) return false;
  const parts = readings.filter((other) => isPartAfter(other, past)).map((part) => part.window);
  let unasked = window.start;
  for (const { start, end } of parts.toSorted((a, b) => (a.start < b.start ? -1 : 1)))
    if (start <= unasked && end >= unasked) unasked = addDays(end, 1);
  return unasked <= window.end;
}

/** Returns true for an answer that may have been cut off, since parts of it are read instead. */
export function isCutOff(past: PastReading, readings: readonly PastReading[]): boolean {
  if (past.reason !== 'round_count') return false;
  return readings.some((other) => other.partOf !== null && isPartAfter(other, past));
}

/** Returns true if the same run asked for a part of what it had asked for. */
function isPartAfter(part: PastReading, { window, fetchedAt, runStartedAt }: PastReading): boolean {
  return (
    part.fetchedAt > fetchedAt &&
    part.runStartedAt.getTime() === runStartedAt.getTime() &&
    containsWindow(window, part.window) &&
    !isSameWindow(window, part.window)
  );
}

export function isSameWindow(a: Window, b: Window): boolean {
  return a.start === b.start && a.end === b.end;
}

/** Returns the later and the earlier half, which together hold each day once; a single day has none. */
export function halvesOf({ start, end }: Window): Window[] {
  const days = daysBetween(start, end) + 1;
  if (days < 2) return [];
  const last = addDays(start, Math.ceil(days / 2) - 1);
  return [
    { start: addDays(last, 1), end },
    { start, end: last },
  ];
}

export function latest(readings: readonly PastReading[]): PastReading | null {
  return readings.reduce<PastReading | null>(
    (last, reading) => (last && last.fetchedAt >= reading.fetchedAt ? last : reading),
    null,
  );
}
