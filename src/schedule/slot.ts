import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format';
import type { JobConfig } from '../config/config.ts';
import { dayOf, isDay } from '../core/calendar.ts';
import { lastRunAt } from './cron-expression.ts';

/** The time that a job's work is for. It decides the periods of its reports. */
export interface Slot {
  /** The last scheduled time; now for a job without a schedule. */
  readonly at: Date;
  /** The scheduled time in ISO 8601, or the day of a job without a schedule. */
  readonly text: string;
  /** The same by the clock of the job's zone: a time that comes twice in a night is one slot. */
  readonly wallClock: string;
}

/** @param timezone the zone of jobs.yaml, in which jobs are scheduled */
export function slotOf(
  { schedule }: Pick<JobConfig, 'schedule'>,
  timezone: string,
  now: Date,
): Slot {
  // a run may begin within the same millisecond
  const at = schedule === null ? null : lastRunAt(schedule, timezone, new Date(now.getTime() + 1));
  if (at === null) {
    const day = dayOf(now, timezone);
    return { at: now, text: day, wallClock: day };
  }
  return scheduledSlot(at, timezone);
}

/** Returns the slot that {@link Slot.text} stands for. */
export function slotFromText(text: string, timezone: string): Slot {
  const at = new Date(text);
  return isDay(text) ? { at, text, wallClock: text } : scheduledSlot(at, timezone);
}

function scheduledSlot(at: Date, timezone: string): Slot {
  const wallClock = format(at, "yyyy-MM-dd'T'HH:mm", { in: tz(timezone) });
  return { at, text: at.toISOString(), wallClock };
}
