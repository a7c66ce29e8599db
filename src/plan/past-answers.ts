import type { PastAnswers, PastCheck, PastReading } from './plan.ts';

/** What one workspace has answered so far, and what checks of its answers found. */
export function pastAnswers(
  { history, checks }: { history: readonly PastReading[]; checks: readonly PastCheck[] },
  workspace: string,
): PastAnswers {
  const isOwn = (each: { workspace: string }) => each.workspace === workspace;
  return {
    answers: history.filter((reading) => isOwn(reading) && reading.status === 'succeeded'),
    checks: checks.filter(isOwn),
  };
}
