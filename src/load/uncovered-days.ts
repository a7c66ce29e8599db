import { addDays } from '../core/calendar.ts';
import type { Window } from '../plan/plan.ts';

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
