import type { Config, JobConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError, PostledgerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { machineProblem, problemText } from '../core/machine-problem.ts';
import { listSchedules, nextRunAt } from './cron-expression.ts';

export interface ScheduleTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the schedule: no further job is started, and running jobs are asked to stop. */
  readonly signal: AbortSignal;
  /** Runs a job to its end. An error that it throws is logged, and the schedule continues. */
  readonly runJob: (job: JobConfig, signal: AbortSignal) => Promise<void>;
}

/**
 * The longest time between two looks at the clock. It is short because a machine may sleep and a clock may be
 * set.
 */
const longestSleepMs = 30_000;

/**
 * A clock that is set back by less than this repeats no run. If it is set back by more, it was wrong before.
 */
const repeatedMs = 3_600_000;

/** A scheduled job. */
interface Entry {
  readonly job: JobConfig;
  readonly schedule: string;
  isRunning: boolean;
}

/**
 * Runs the config's jobs on their schedules until the signal aborts, then waits for the running ones. A job
 * that is still running at its next time is not started a second time. Jobs that share a workspace take
 * turns, since only one job can use a workspace at a time. Runs that a sleeping machine missed are made up
 * for by one run when it wakes.
 * @throws UsageError if no job has a schedule
 */
export async function runSchedule(config: Config, tools: ScheduleTools): Promise<void> {
  const { clock, log, signal } = tools;
  const entries = listSchedules(config).map((entry): Entry => ({ ...entry, isRunning: false }));
  const queue = new JobQueue(tools);
  let seen = clock.now();
  for (const entry of entries) logNext(entry, config, seen, log);
  while (!signal.aborted) {
    await pause(msUntilNext(entries, config, seen, clock.now()), tools);
    const now = clock.now();
    if (now.getTime() < seen.getTime() - repeatedMs) seen = now;
    if (isStopped(signal) || now <= seen) continue;
    for (const entry of dueEntries(entries, config, seen, now)) {
      queue.start(entry);
      logNext(entry, config, now, log);
    }
    seen = now;
  }
  log.info({}, 'stopping: no further job is started');
  await queue.end();
}

function dueEntries(
  entries: readonly Entry[],
  { timezone }: Config,
  seen: Date,
  now: Date,
): Entry[] {
  return entries.filter(({ schedule }) => {
    const next = nextRunAt(schedule, timezone, seen);
    return next !== null && next <= now;
  });
}

function msUntilNext(
  entries: readonly Entry[],
  { timezone }: Config,
  seen: Date,
  now: Date,
): number {
  const waits = entries.map(({ schedule }) => {
    const next = nextRunAt(schedule, timezone, seen);
    return next === null ? longestSleepMs : next.getTime() - now.getTime();
  });
  return Math.max(0, Math.min(longestSleepMs, ...waits));
}

async function pause(ms: number, { clock, signal }: ScheduleTools): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
  }
}

/**
 * Reads the flag in a function because TypeScript takes a checked flag for constant, but it changes during a
 * wait.
 */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

function logNext({ job, schedule }: Entry, { timezone }: Config, from: Date, log: Log): void {
  const next = nextRunAt(schedule, timezone, from);
  if (next === null) return;
  log.info({ job: job.name, next: next.toISOString() }, `next run of ${job.name}`);
}

/** The running jobs and the order in which they wait for each other. */
class JobQueue {
  readonly #tools: ScheduleTools;
  /** A promise for each workspace that settles when the last job started for it has ended. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(tools: ScheduleTools) {
    this.#tools = tools;
  }

  start(entry: Entry): void {
    const { job } = entry;
    if (entry.isRunning) {
      this.#tools.log.warn({ job: job.name }, `${job.name} is still running; this run is skipped`);
      return;
    }
    entry.isRunning = true;
    const workspaces = [...new Set(job.profiles.map(({ workspace }) => workspace))];
    const before = workspaces.flatMap((workspace) => this.#last.get(workspace) ?? []);
    const run = this.#runAfter(before, entry);
    for (const workspace of workspaces) this.#last.set(workspace, run);
  }

  async end(): Promise<void> {
    await Promise.all(this.#last.values());
  }

  async #runAfter(before: readonly Promise<void>[], entry: Entry): Promise<void> {
    await Promise.all(before);
    await this.#run(entry.job);
    entry.isRunning = false;
  }

  async #run(job: JobConfig): Promise<void> {
    const { log, signal, runJob } = this.#tools;
    if (signal.aborted) return;
    try {
      log.info({ job: job.name }, `starting ${job.name}`);
      await runJob(job, signal);
    } catch (error) {
      if (error instanceof InterruptedError && isStopped(signal)) {
        log.info({ job: job.name }, `${job.name} was stopped: ${error.message}`);
      } else {
        log.error(
          { job: job.name, ...traceOf(error) },
          `${job.name} failed: ${problemText(error)}`,
        );
      }
    }
  }
}

/** Returns the stack of a bug. Errors of known classes and refusals by the machine explain themselves. */
function traceOf(error: unknown): { stack?: string } {
  const isKnown = error instanceof PostledgerError || machineProblem(error) !== null;
  return error instanceof Error && !isKnown && error.stack !== undefined
    ? { stack: error.stack }
    : {};
}
