import { Cron } from 'croner';

const dayMs = 86_400_000;

/**
 * The longest time between two of the expression's times within a year from `instant`, or of its next 500.
 * @returns null where there are fewer than two
 */
export function longestGapMs(expression: string, timezone: string, instant: Date): number | null {
  const times = new Cron(expression, { mode: '5-part', paused: true, timezone })
    .nextRuns(500, instant)
    .map((time) => time.getTime());
  const gaps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? time))
    .filter((_, index) => index === 0 || (times[index] ?? 0) < instant.getTime() + 365 * dayMs);
  return gaps.length === 0 ? null : Math.max(...gaps);
}

/**
 * When the expression comes next after `instant`; null when it never does. A time that a change of the
 * clocks skips comes at the end of the gap, one that comes twice counts once (a job at one time a day).
 * @param expression five cron fields, as the config has checked them
 * @param timezone IANA
 */
export function nextRunAt(expression: string, timezone: string, instant: Date): Date | null {
  return new Cron(expression, { mode: '5-part', paused: true, timezone }).nextRun(instant);
}
