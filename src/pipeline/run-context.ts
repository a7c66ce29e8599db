import { randomBytes } from 'node:crypto';
import type { JobConfig } from '../config/config.ts';
import type { RunTools } from '../config/run-tools.ts';
import type { Day } from '../core/calendar.ts';
import { createRunId } from '../store/layout.ts';
import { holdRun } from '../store/run-lock.ts';

/** The run's id, job and start. */
export interface RunIdentity {
  readonly runId: string;
  readonly job: JobConfig;
  readonly startedAt: Date;
  /** True if it sends reports. */
  readonly delivers: boolean;
}

/** A request for more or less than what is due. */
export interface PlanRequest {
  /** True if every date range and every post's details are read, however fresh. */
  readonly full: boolean;
  /**
   * True if only that is read which an earlier run should have read: what it left when it was cut off, date ranges that
   * failed or were skipped for a reason that may have passed, and the details of posts that are new or changed.
   */
  readonly onlyWaiting?: boolean;
  /** The first and the last day to read; null: open. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** True if the warehouse is out of reach: only what is due whatever it holds is read. */
  readonly isWithoutWarehouse?: boolean;
  /** The scheduled time, if machines share the run; what any of them has read for it is not read again. */
  readonly sharedSince?: Date | undefined;
}

/** Lists the keys of the workspaces that a job reads, in the order of its profiles. */
export function workspacesOf(job: JobConfig): string[] {
  return [...new Set(job.profiles.map((profile) => profile.workspace))];
}

export function newRun(job: JobConfig, { clock }: RunTools, delivers: boolean): RunIdentity {
  const startedAt = clock.now();
  const runId = createRunId(startedAt, randomBytes(3).toString('hex'));
  return { runId, job, startedAt, delivers };
}

/** Does the work as a run that others can see, and that is known to have ended early if the process is killed. */
export function asRun<T>(
  { runId, job }: RunIdentity,
  { config, clock }: RunTools,
  work: () => Promise<T>,
  isLoaded: (result: T) => boolean = () => true,
): Promise<T> {
  const run = { job: job.name, run_id: runId };
  return holdRun(run, { dataDir: config.dataDir, clock }, work, isLoaded);
}
