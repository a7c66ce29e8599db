import type { Config } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { resolvePeriod } from '../report/period.ts';
import { nextRunAt } from './cron-expression.ts';

/** Finds jobs that run before a client's period is over, whose reports a later run sends. */
export function scheduleDoubts({ jobs, timezone }: Config, clock: Clock): string[] {
  return [...jobs.values()].flatMap(({ name, schedule, reports }) => {
    const at = schedule && nextRunAt(schedule, timezone, clock.now());
    if (!at) return [];
    const early = reports.flatMap(({ client, period }) => {
      const { to, isOver } = resolvePeriod(period, at, timezone);
      const isEarly = client && to !== null && isOver && dayOf(at, client.timezone) <= to;
      return isEarly ? [`${client.key} (${client.timezone})`] : [];
    });
    if (early.length === 0) return [];
    const clients = [...new Set(early)].join(', ');
    return `jobs.${name}.schedule: at its next time the last day of the period is not over for ${clients}; the report is held until it is, and sent by catch-up; schedule the job later to send it at once`;
  });
}
