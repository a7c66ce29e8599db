import type { Config, JobConfig } from '../config/config.ts';
import { isWarehouseUnknown, type Status } from '../load/status.ts';
import { describeWarnings } from '../load/data-warnings.ts';
import { longestGapMs } from '../schedule/cron-expression.ts';
import { plural, shortTime } from './wording.ts';

export const verdictNames = ['stale', 'warning', 'failed'] as const;

/** A sentence for each reason why it holds: none where it does not, null where that is unknown. */
export type Verdicts = Readonly<Record<(typeof verdictNames)[number], readonly string[] | null>>;

export function statusVerdicts(status: Status, config: Config, now: Date): Verdicts {
  if (isWarehouseUnknown(status)) return { stale: null, warning: null, failed: null };
  return {
    stale: [...config.jobs.values()].flatMap((job) => staleProfiles(job, status, config, now)),
    warning: warnings(status),
    failed: failures(status),
  };
}

/** A sentence for each profile of the job that was not read for too long. */
export function staleProfiles(job: JobConfig, status: Status, config: Config, now: Date): string[] {
  const limitMs = staleAfterMs(job, now);
  if (limitMs === null) return [];
  return job.profiles.flatMap(({ workspace, id, name }) => {
    const known = status.profiles.find(
      (profile) => profile.workspace === workspace && profile.profile_id === id,
    );
    const readAt = known?.last_read_at ?? null;
    const profile = `${job.name}: ${workspace}/${name}`;
    if (readAt === null) return [`${profile} was never read`];
    if (now.getTime() - Date.parse(readAt) <= limitMs) return [];
    return [
      `${profile} was last read ${shortTime(readAt, config.timezone)}, more than ${duration(limitMs)} ago`,
    ];
  });
}

/** Null for a job that is never stale. */
function staleAfterMs({ staleAfterMs, schedule }: JobConfig, now: Date) {
  if (staleAfterMs !== null || schedule === null) return staleAfterMs;
  const gapMs = longestGapMs(schedule, now);
  return gapMs === null ? null : 2 * gapMs;
}

function duration(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours < 2) return plural(Math.round(hours * 60), 'minute');
  return hours < 72 ? plural(Math.round(hours), 'hour') : plural(Math.round(hours / 24), 'day');
}

function failures({ jobs, profiles }: Status): string[] {
  const runs = jobs.flatMap(({ job, last_run: run }) =>
    run !== null && ['partial', 'failed', 'interrupted'].includes(run.status)
      ? [`${job}: its last run, ${run.run_id}, is ${run.status}`]
      : [],
  );
  const windows = profiles.flatMap((profile) =>
    profile.failed_windows.map((window) => {
      const days = `${profile.workspace}/${profile.name} ${window.start} to ${window.end}`;
      return `${days}: ${window.error ?? 'no reason known'}`;
    }),
  );
  return [...runs, ...windows];
}

function warnings({ warnings: data, damaged }: Status): string[] {
  return [
    ...(damaged > 0
      ? [`${plural(damaged, 'damaged file')} in the raw store; \`postledger verify\` names them`]
      : []),
    ...describeWarnings(data).map(
      ({ workspace, profile, text }) => `${workspace}/${profile}: ${text}`,
    ),
  ];
}
