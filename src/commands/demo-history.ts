import type { JobConfig } from '../config/config.ts';
import { dayMs } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { silentProgress } from '../core/progress.ts';
import { runJob, type RunOptions, type RunOutcome } from '../pipeline.ts';
import type { RunTools } from '../pipeline/workspace-run.ts';
import { quietLog } from './quiet-log.ts';

/** Another clock, some days of 24 hours behind it. */
export class EarlierClock implements Clock {
  readonly #clock: Clock;
  #days: number;

  constructor(clock: Clock, days: number) {
    this.#clock = clock;
    this.#days = days;
  }

  /** With 0 the time is that of the other clock. */
  setBack(days: number): void {
    this.#days = days;
  }

  now(): Date {
    return new Date(this.#clock.now().getTime() - this.#days * dayMs);
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }
}

/**
 * Runs a job once for each of so many days before today and then today, as cron would have: so that posts have
 * a reading at every age. The clock stands at now in the end. Warnings are told, each run's own lines are not.
 */
export async function runDaily(
  days: number,
  job: JobConfig,
  options: RunOptions,
  { clock, ...tools }: Omit<RunTools, 'clock'> & { readonly clock: EarlierClock },
): Promise<RunOutcome[]> {
  const quiet = { ...tools, clock, log: quietLog(tools.log), progress: silentProgress };
  const task = tools.progress.task('daily runs', days + 1, 'days');
  const outcomes: RunOutcome[] = [];
  for (let day = days; day >= 0; day -= 1) {
    clock.setBack(day);
    outcomes.push(await runJob(job, options, quiet));
    task.advance();
  }
  task.finish();
  return outcomes;
}
