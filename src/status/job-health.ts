import type { JobTimes } from '../schedule/schedule.ts';
import { openProblems } from './open-problems.ts';
import type { JobStatus, Status } from './status.ts';

/** A scheduled job, as `/health` shows it. */
export type JobHealth = ReturnType<typeof judgeJobs>[number];

/** A run may wait this long for another one of its workspace before it is overdue. */
const overdueMs = 3_600_000;

/** Judges the scheduled jobs by their last runs. */
export function judgeJobs(
  jobs: readonly JobTimes[],
  { jobs: known }: Pick<Status, 'jobs'>,
  now: Date,
) {
  return jobs.map((times) => {
    const { job, schedule, isRunning, nextStart } = times;
    const lastRun = known.find((status) => status.job === job)?.last_run ?? null;
    const dueAt = times.startAfter(lastRun && new Date(lastRun.started_at));
    const isOverdue = dueAt !== null && now.getTime() - dueAt.getTime() > overdueMs;
    const problems = openProblems({
      runs: [{ job, run_id: null, started_at: null, status: lastStatus(times, lastRun) }],
      overdue: isOverdue ? [{ job, dueAt }] : [],
    });
    return {
      job,
      schedule,
      is_running: isRunning,
      /** The newest run, by whatever started it; null if there is none. */
      last_run: lastRun,
      next_run_at: nextStart?.toISOString() ?? null,
      /** The reasons why the job is not healthy; empty if it is. */
      problems: problems.map(({ message }) => `the ${message}`),
    };
  });
}

/** Returns the status of the last run. The schedule knows more than the raw store: a load or a report may have failed. */
function lastStatus({ lastEnd }: JobTimes, lastRun: JobStatus['last_run']): string {
  const isLater = lastRun !== null && lastEnd !== null && new Date(lastRun.started_at) > lastEnd.at;
  return (lastEnd === null || isLater ? lastRun?.status : lastEnd.status) ?? 'none';
}
