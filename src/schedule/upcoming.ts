import { Cron } from 'croner';

/**
 * When the expression comes next after `instant`; null when it never does. A time that a change of the
 * clocks skips comes at the end of the gap, one that comes twice counts once (a job at one time a day).
 * @param expression five cron fields, as the config has checked them
 * @param timezone IANA
 */
export function nextRunAt(expression: string, timezone: string, instant: Date): Date | null {
  return new Cron(expression, { mode: '5-part', paused: true, timezone }).nextRun(instant);
}
