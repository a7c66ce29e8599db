import type { RateLimit } from '../config/config.ts';
import type { WorkspacePlan } from './plan.ts';
import { expectDetails, planDetails, type DetailsQuestion } from './plan-details.ts';
import { planWindows, type WindowsQuestion } from './plan-windows.ts';

/**
 * What a run of the job asks for now, for each of its workspaces in the job's order, also where that is
 * nothing. @throws UsageError when the days asked for are not the job's
 */
export function planJob(question: WindowsQuestion & DetailsQuestion): WorkspacePlan[] {
  const windows = planWindows(question);
  const details = planDetails(question);
  const workspaces = new Set(question.job.profiles.map(({ workspace }) => workspace));
  return [...workspaces].map((workspace) => {
    const own = windows.filter(({ profile }) => profile.workspace === workspace);
    return {
      workspace,
      windows: own,
      details: details.filter((detail) => detail.workspace === workspace),
      expectedDetails: expectDetails(workspace, own, question),
      checks: question.checks.filter((check) => check.workspace === workspace),
    };
  });
}

/** What a plan costs when nothing has to be asked twice. */
export interface PlanCost {
  readonly workspace: string;
  readonly requests: number;
  readonly windows: number;
  readonly details: number;
  /** From the first request to the last, as far as the limit alone makes it take. */
  readonly seconds: number;
  /** An estimate of the details that are not known to be due yet; null: nothing is known. */
  readonly expectedDetails: number | null;
  /** As `seconds`, with these. */
  readonly expectedSeconds: number;
}

export function planCost(plan: Omit<WorkspacePlan, 'checks'>, rateLimit: RateLimit): PlanCost {
  const windows = plan.windows.length;
  const details = plan.details.length;
  const requests = windows + details;
  const { expectedDetails } = plan;
  return {
    workspace: plan.workspace,
    requests,
    windows,
    details,
    seconds: limitSeconds(requests, rateLimit),
    expectedDetails,
    expectedSeconds: limitSeconds(requests + (expectedDetails ?? 0), rateLimit),
  };
}

/** At most `requests` in any interval: the next ones can leave when the first ones are an interval old. */
function limitSeconds(count: number, { requests, perSeconds }: RateLimit): number {
  return count === 0 ? 0 : Math.floor((count - 1) / requests) * perSeconds;
}
