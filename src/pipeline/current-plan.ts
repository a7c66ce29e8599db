import type { JobConfig } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';
import { planJob } from '../plan/plan-job.ts';
import type { WorkspacePlan } from '../plan/plan.ts';
import { readHistory } from '../warehouse/history.ts';
import { workspacesOf } from './job-workspaces.ts';
import { readPendingHistory, withPendingDetails } from './pending-history.ts';
import type { RunTools } from './workspace-run.ts';

/** What the user asks for beside what is due. */
export interface PlanWishes {
  /** Every window and every post's details, however fresh. */
  readonly full: boolean;
  /** Just these days; null: open. */
  readonly from: Day | null;
  readonly to: Day | null;
}

/**
 * What a run of the job would ask for now, by what the warehouse and the raw store hold.
 * @throws UsageError when the days asked for are not the job's
 */
export async function planNow(
  job: JobConfig,
  { full, from, to }: PlanWishes,
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
): Promise<WorkspacePlan[]> {
  const history = await readHistory(config.warehouse, workspacesOf(job));
  const pending = await readPendingHistory(config);
  return planJob({
    job,
    timezone: config.timezone,
    now: clock.now(),
    asked: from === null && to === null ? null : { from, to },
    history: [...history.readings, ...pending.readings],
    checks: [...history.checks, ...pending.checks],
    lastFinishedRunStart: history.lastFinishedRuns.get(job.name) ?? null,
    posts: withPendingDetails([...history.posts.values()].flat(), pending),
    full,
  });
}
