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
