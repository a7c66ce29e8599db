import type { Config, JobConfig } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Progress } from '../core/progress.ts';

/** What all stages of a run are given. */
export interface RunTools {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Who is running. */
export interface RunIdentity {
  readonly runId: string;
  readonly job: JobConfig;
  readonly startedAt: Date;
}

/** What the user asks for beside what is due. */
export interface PlanRequest {
  /** Every window and every post's details, however fresh. */
  readonly full: boolean;
  /** Just these days; null: open. */
  readonly from: Day | null;
  readonly to: Day | null;
}

/** Keys of the workspaces that a job reads, in the order of its profiles. */
export function workspacesOf(job: JobConfig): string[] {
  return [...new Set(job.profiles.map((profile) => profile.workspace))];
}
