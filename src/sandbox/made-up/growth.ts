import { dayMs } from '../../core/calendar.ts';

/** The hour of the day, in UTC, at which the service reads LinkedIn's figures anew. */
const syncHour = 3;

/** The last time at or before `now` that the service read LinkedIn: daily, as the real one does. */
export function lastSyncBefore(now: Date): Date {
  const shiftMs = syncHour * 3_600_000;
  return new Date(Math.floor((now.getTime() - shiftMs) / dayMs) * dayMs + shiftMs);
}

/**
 * The part of a final figure that is reached at an age: nine tenths within the first week, the rest
 * over months. Grows with age, from 0 towards 1.
 */
export function grownShare(ageMs: number): number {
  const days = Math.max(0, ageMs) / dayMs;
  return 0.92 * (1 - Math.exp(-days / 2.2)) + 0.08 * (1 - Math.exp(-days / 70));
}
