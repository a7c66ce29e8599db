import type { RateLimit } from '../config/config.ts';
import { dayOf, daysBetween } from '../core/calendar.ts';
import { lastDay } from './grid.ts';
import type { PastReading, PlannedWindow, WorkspacePlan } from './plan.ts';
import { planDetails, type DetailsQuestion } from './plan-details.ts';
import { planWindows, type WindowsQuestion } from './plan-windows.ts';

export interface JobQuestion extends WindowsQuestion, DetailsQuestion {
  /** True if the history lacks what only the warehouse has: windows are read that are due whatever that is. */
  readonly isWithoutWarehouse?: boolean;
}

/**
 * Plans what a run of the job reads now, for each of its workspaces in the job's order, also for those with
 * nothing to read.
 * @throws UsageError if the days asked for are not the job's
 */
export function planJob(question: JobQuestion): WorkspacePlan[] {
  const windows = planWindows(question).filter(
    (planned) => !question.isWithoutWarehouse || isSurelyDue(planned, question),
  );
  const details = planDetails(question);
  const workspaces = new Set(question.job.profiles.map(({ workspace }) => workspace));
  return [...workspaces].map((workspace) => {
    const own = windows.filter(({ profile }) => profile.workspace === workspace);
    return {
      workspace,
      windows: own,
      details: details.filter((detail) => detail.workspace === workspace),
      endsToday: !question.full && refusesDatesToCome(workspace, question),
      readUntil: ofWorkspace(workspace, question.readUntil),
    };
  });
}

function ofWorkspace(workspace: string, readUntil: JobQuestion['readUntil']) {
  const own = [...readUntil].filter(([key]) => key.startsWith(`${workspace}/`));
  return new Map(own.map(([key, known]) => [key.slice(workspace.length + 1), known]));
}

/** Returns true if the last range of the workspace that ended after its day in UTC was asked for to that day alone. */
function refusesDatesToCome(workspace: string, { history }: JobQuestion): boolean {
  const last = history
    .filter((past) => past.workspace === workspace && past.status === 'succeeded')
    .filter(
      ({ reason, window, fetchedAt }) =>
        reason === 'ends_today' || window.end >= dayOf(fetchedAt, 'UTC'),
    )
    .reduce<PastReading | null>(
      (newest, past) => (newest && newest.fetchedAt >= past.fetchedAt ? newest : past),
      null,
    );
  return last?.reason === 'ends_today';
}

/** Returns true for a window that the user asked for, or that is young. */
function isSurelyDue({ window, reason }: PlannedWindow, { job, zones, now }: JobQuestion): boolean {
  const ageDays = daysBetween(window.end, lastDay(now, zones));
  return reason === 'asked' || reason === 'young' || ageDays < job.windows.refreshDays;
}

export type PlanCost = ReturnType<typeof planCost>;

/** The cost of a plan if no request has to be retried. */
export function planCost(
  plan: Pick<WorkspacePlan, 'workspace' | 'windows' | 'details'>,
  rateLimit: RateLimit,
) {
  const windows = plan.windows.length;
  const details = plan.details.length;
  const requests = windows + details;
  // the rate limit decides the time from the first request to the last
  const seconds = limitSeconds(requests, rateLimit);
  return { workspace: plan.workspace, requests, windows, details, seconds };
}

/**
 * Returns the seconds that the limit of `requests` per interval adds: further requests can leave once the
 * first ones are an interval old.
 */
function limitSeconds(count: number, { requests, perSeconds }: RateLimit): number {
  return count === 0 ? 0 : Math.floor((count - 1) / requests) * perSeconds;
}
