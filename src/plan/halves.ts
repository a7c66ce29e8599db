import { addDays, daysBetween } from '../core/calendar.ts';
import type { Window } from './plan.ts';

/** The later and the earlier half, which together hold each day once. @throws for a single day, which has none */
export function halvesOf({ start, end }: Window): [Window, Window] {
  const days = daysBetween(start, end) + 1;
  if (days < 2) throw new RangeError(`the window ${start} to ${end} cannot be halved`);
  const last = addDays(start, Math.ceil(days / 2) - 1);
  return [
    { start: addDays(last, 1), end },
    { start, end: last },
  ];
}

/**
 * The windows that are asked for in place of one: itself, or where that would be cut off its halves, and
 * theirs. They hold each of its days once, newest first.
 */
export function readableWindows(
  window: Window,
  isCutOff: (window: Window) => boolean,
): readonly Window[] {
  if (isSingleDay(window) || !isCutOff(window)) return [window];
  return halvesOf(window).flatMap((half) => readableWindows(half, isCutOff));
}

export function isSingleDay({ start, end }: Window): boolean {
  return start === end;
}

/** Whether every day of `inner` is one of `outer`. */
export function holds(outer: Window, inner: Window): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

/** Whether they have a day in common. */
export function touches(a: Window, b: Window): boolean {
  return a.start <= b.end && a.end >= b.start;
}
