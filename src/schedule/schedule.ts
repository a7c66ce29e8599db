import { createHash } from 'node:crypto';
import type { Config, JobConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError, PostledgerError, UnreachableError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { machineProblem, problemText } from '../core/machine-problem.ts';
import { listSchedules, nextRunAt } from './cron-expression.ts';

export interface ScheduleOptions {
  /**
   * The longest time by which a job starts later than its schedule says. The delay of a job is always the same on
   * one machine, and differs between machines and jobs.
   */
  readonly jitterMs: number;
  /** The identity of this machine and installation, from which delays are derived. */
  readonly machine: string;
  /** True if a job whose time was missed runs once as soon as it can. Otherwise it waits for its next time. */
  readonly catchUp: boolean;
}

export interface ScheduleTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the schedule: no further job is started, and running jobs are asked to stop. */
  readonly signal: AbortSignal;
  /**
   * Runs a job to its end, and returns whether all of it was done. An error that it throws is logged, and the schedule
   * continues.
   */
  readonly runJob: (
    job: JobConfig,
    config: Config,
    signal: AbortSignal,
  ) => Promise<'succeeded' | 'partial'>;
  /** Does what waits between scheduled times. */
  readonly catchUp: (config: Config, signal: AbortSignal) => Promise<void>;
}

/** The end of a job's run. */
interface RunEnd {
  readonly at: Date;
  readonly status: 'succeeded' | 'partial' | 'failed';
}

/** What the schedule knows of a job. */
export type JobTimes = ReturnType<Schedule['jobs']>[number];

/**
 * The longest time between two looks at the clock. It is short because a machine may sleep and a clock may be
 * set.
 */
const longestSleepMs = 30_000;

/** A start that is later than this, because the machine slept, has missed its time. */
const onTimeMs = 300_000;

/** The first and the longest pause before what waits between scheduled times is done. */
const catchUpMs = { first: 300_000, longest: 3_600_000 };

/** The time after which a job is tried again if what it needs could not be reached. */
const retryMs = 60_000;

/**
 * A clock that is set back by less than this repeats no run. If it is set back by more, it was wrong before.
 */
const repeatedMs = 3_600_000;

/** A scheduled job, with the config that it is from. */
interface Entry {
  readonly job: JobConfig;
  readonly config: Config;
  readonly schedule: string;
  /** The delay of each start. */
  readonly delayMs: number;
  /** A run is expected at each time from this one on: the job's last run, or its first appearance in the schedule. */
  readonly expectedFrom: Date;
  /** Times up to this one have been handled. */
  since: Date;
}

/**
 * Runs the jobs of a config on their schedules. A job that is still running at its next time is not started a
 * second time. Jobs that share a workspace take turns, since only one job can use a workspace at a time.
 */
export class Schedule {
  readonly #options: ScheduleOptions;
  readonly #tools: ScheduleTools;
  readonly #queue: ReturnType<typeof createJobQueue>;
  readonly #catchUps: ReturnType<typeof createCatchUps>;
  #config: Config;
  #entries: readonly Entry[];

  /**
   * @param lastStarts the start of each job's last run, for the jobs that have one
   * @throws UsageError if no job has a schedule
   */
  constructor(
    config: Config,
    options: ScheduleOptions,
    tools: ScheduleTools,
    lastStarts: ReadonlyMap<string, Date>,
  ) {
    this.#options = options;
    this.#tools = tools;
    this.#catchUps = createCatchUps(tools);
    this.#queue = createJobQueue(tools, this.#catchUps.beginAgain);
    this.#config = config;
    this.#entries = this.#entriesOf(config, (name, now) => {
      const expectedFrom = lastStarts.get(name) ?? now;
      return { expectedFrom, since: options.catchUp ? expectedFrom : now };
    });
  }

  /** The config whose jobs are started. */
  get config(): Config {
    return this.#config;
  }

  /** Lists the scheduled jobs. */
  jobs() {
    return this.#entries.map((entry) => ({
      job: entry.job.name,
      schedule: entry.schedule,
      nextStart: nextStart(entry, this.#tools.clock.now()),
      ...this.#queue.stateOf(entry.job.name),
      /** The first start after that of the job's last run, which may be in the past; null if there is none. */
      startAfter: (lastStart: Date | null) => {
        const { expectedFrom: from } = entry;
        return nextStart(entry, lastStart !== null && lastStart > from ? lastStart : from);
      },
    }));
  }

  /** Runs jobs until the signal aborts, then waits for the running ones. */
  async run(): Promise<void> {
    const { clock, log, signal } = this.#tools;
    while (!signal.aborted) {
      await pause(this.#msUntilNext(), this.#tools);
      if (isStopped(signal)) break;
      for (const entry of this.#entries) this.#startIfDue(entry, clock.now());
      if (!this.#queue.isBusy()) this.#catchUps.startIfDue(this.#config);
    }
    log.info({}, 'stopping: no further job is started');
    await Promise.all([this.#queue.end(), this.#catchUps.end()]);
  }

  /**
   * Schedules the jobs of another config from now on. Running jobs end with the config that they have.
   * @throws UsageError if no job has a schedule; nothing is changed then
   */
  replaceConfig(config: Config): void {
    const before = new Map(this.#entries.map((entry) => [entry.job.name, entry]));
    this.#entries = this.#entriesOf(config, (name, now, schedule) => {
      const known = before.get(name);
      return known?.schedule === schedule ? known : { expectedFrom: now, since: now };
    });
    this.#config = config;
  }

  #entriesOf(
    config: Config,
    stateOf: (job: string, now: Date, schedule: string) => Pick<Entry, 'expectedFrom' | 'since'>,
  ): Entry[] {
    const now = this.#tools.clock.now();
    const { machine, jitterMs } = this.#options;
    const entries = listSchedules(config).map(({ job, schedule }): Entry => {
      const { expectedFrom, since } = stateOf(job.name, now, schedule);
      const delayMs = Math.floor(fractionOf(machine, job.name) * jitterMs);
      return { job, config, schedule, delayMs, expectedFrom, since };
    });
    for (const entry of entries) this.#logNext(entry, now);
    return entries;
  }

  #startIfDue(entry: Entry, now: Date): void {
    const { job, since } = entry;
    if (now.getTime() < since.getTime() - repeatedMs) entry.since = now;
    if (now <= entry.since) return;
    const due = nextStart(entry, entry.since);
    const lately = nextStart(entry, new Date(Math.max(since.getTime(), now.getTime() - onTimeMs)));
    entry.since = now;
    if (due === null || due > now) return;
    const isMissed = lately === null || lately > now;
    if (isMissed) {
      const action = this.#options.catchUp ? 'runs now' : 'waits for its next time';
      const message = `${job.name} missed its time, ${due.toISOString()}, and ${action}`;
      this.#tools.log.warn({ job: job.name }, message);
    }
    if (!isMissed || this.#options.catchUp) this.#queue.start(entry);
    this.#logNext(entry, now);
  }

  #msUntilNext(): number {
    const nowMs = this.#tools.clock.now().getTime();
    const waits = this.#entries.map((entry) => {
      const next = nextStart(entry, entry.since);
      return next === null ? longestSleepMs : next.getTime() - nowMs;
    });
    return Math.max(0, Math.min(longestSleepMs, ...waits));
  }

  #logNext(entry: Entry, from: Date): void {
    const next = nextStart(entry, from);
    if (next === null) return;
    const { name } = entry.job;
    this.#tools.log.info({ job: name, next: next.toISOString() }, `next run of ${name}`);
  }
}

/** Returns the first start after `instant`, with the job's delay, or null if there is none. */
function nextStart({ schedule, config, delayMs }: Entry, instant: Date): Date | null {
  const next = nextRunAt(schedule, config.timezone, new Date(instant.getTime() - delayMs));
  return next && new Date(next.getTime() + delayMs);
}

/** Returns a number from 0 to 1, always the same for the same machine and job. */
function fractionOf(machine: string, job: string): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([machine, job]))
    .digest();
  return hash.readUInt32BE() / 2 ** 32;
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

/** Does what waits between scheduled times, with growing pauses since the last run of a job. */
function createCatchUps({ catchUp, clock, log, signal }: ScheduleTools) {
  let pauseMs = catchUpMs.first;
  let sinceMs = clock.monotonicMs();
  let running: Promise<void> | null = null;
  const run = async (config: Config) => {
    try {
      await catchUp(config, signal);
    } catch (error) {
      if (error instanceof InterruptedError) return;
      log.error(traceOf(error), `what waits could not be done: ${problemText(error)}`);
    }
  };
  return {
    /** Begins with the shortest pause. */
    beginAgain: () => {
      pauseMs = catchUpMs.first;
      sinceMs = clock.monotonicMs();
    },
    startIfDue: (config: Config) => {
      if (running || clock.monotonicMs() - sinceMs < pauseMs) return;
      running = run(config).finally(() => {
        running = null;
        pauseMs = Math.min(2 * pauseMs, catchUpMs.longest);
        sinceMs = clock.monotonicMs();
      });
    },
    end: () => running,
  };
}

/**
 * Keeps the running jobs and the order in which they wait for each other.
 * @param onEnd is called when a job has ended
 */
function createJobQueue(tools: ScheduleTools, onEnd: () => void) {
  // a promise for each workspace that settles when the last job started for it has ended
  const last = new Map<string, Promise<void>>();
  // the jobs that run or wait for others, and whether a run of theirs was skipped meanwhile
  const running = new Map<string, { hasSkipped: boolean }>();
  const lastEnds = new Map<string, RunEnd>();
  const runAfter = async (before: readonly Promise<void>[], entry: Entry) => {
    await Promise.all(before);
    const status = await runUntilReached(entry, tools);
    lastEnds.set(entry.job.name, { at: tools.clock.now(), status });
    running.delete(entry.job.name);
    onEnd();
  };
  return {
    isBusy: () => running.size > 0,
    start: (entry: Entry) => {
      const { name, profiles } = entry.job;
      const known = running.get(name);
      if (known) {
        // a job may run for many of its times
        if (!known.hasSkipped)
          tools.log.warn(
            { job: name },
            `${name} is still running; its runs until it ends are skipped`,
          );
        known.hasSkipped = true;
        return;
      }
      running.set(name, { hasSkipped: false });
      const workspaces = [...new Set(profiles.map(({ workspace }) => workspace))];
      const run = runAfter(
        workspaces.flatMap((workspace) => last.get(workspace) ?? []),
        entry,
      );
      for (const workspace of workspaces) last.set(workspace, run);
    },
    /** Its last end is null before the first run that this schedule started. */
    stateOf: (job: string) => ({
      isRunning: running.has(job),
      lastEnd: lastEnds.get(job) ?? null,
    }),
    end: () => Promise.all(last.values()),
  };
}

/** Tries again while what the job needs cannot be reached, until the job's next time. */
async function runUntilReached(entry: Entry, tools: ScheduleTools): Promise<RunEnd['status']> {
  const { clock, log } = tools;
  const { name } = entry.job;
  for (;;) {
    const status = await runOnce(entry, tools);
    if (status !== 'unreachable') return status;
    const next = nextStart(entry, clock.now());
    if (next !== null && next.getTime() <= clock.now().getTime() + retryMs) return 'failed';
    log.info({ job: name }, `${name} is tried again in ${retryMs / 1000} s`);
    await pause(retryMs, tools);
  }
}

async function runOnce(
  { job, config }: Entry,
  { log, signal, runJob }: ScheduleTools,
): Promise<RunEnd['status'] | 'unreachable'> {
  if (signal.aborted) return 'failed';
  try {
    log.info({ job: job.name }, `starting ${job.name}`);
    return await runJob(job, config, signal);
  } catch (error) {
    if (error instanceof InterruptedError && isStopped(signal)) {
      log.info({ job: job.name }, `${job.name} was stopped: ${error.message}`);
    } else {
      log.error({ job: job.name, ...traceOf(error) }, `${job.name} failed: ${problemText(error)}`);
    }
    return error instanceof UnreachableError ? 'unreachable' : 'failed';
  }
}

/** Returns the stack of a bug. Errors of known classes and refusals by the machine explain themselves. */
function traceOf(error: unknown): { stack?: string } {
  const isKnown = error instanceof PostledgerError || machineProblem(error) !== null;
  return error instanceof Error && !isKnown && error.stack !== undefined
    ? { stack: error.stack }
    : {};
}
