import type { Config, JobConfig } from '../config/config.ts';
import { isWarehouseUnknown, type Status } from './status.ts';
import { describeWarnings } from '../load/data-warnings.ts';
import { longestGapMs } from '../schedule/cron-expression.ts';
import { shownValue } from '../core/shown-value.ts';
import { plural, shortTime } from '../core/wording.ts';

export const verdictNames = ['stale', 'warning', 'failed'] as const;

/** A sentence for each reason why it holds: none where it does not, null where that is unknown. */
export type Verdicts = Readonly<Record<(typeof verdictNames)[number], readonly string[] | null>>;

/** @param failedAlerts a sentence for each alert that failed when it was last run */
export function statusVerdicts(
  status: Status,
  config: Config,
  now: Date,
  failedAlerts: readonly string[],
): Verdicts {
  const others = [
    ...deliveryFailures(status),
    ...failedAlerts.map((problem) => `an alert failed: ${problem}`),
  ];
  if (isWarehouseUnknown(status))
    return { stale: null, warning: null, failed: others.length > 0 ? others : null };
  return {
    stale: [...config.jobs.values()].flatMap((job) => staleProfiles(job, status, config, now)),
    warning: warnings(status),
    failed: [...failures(status), ...others],
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
    if (known?.has_ended) return [];
    const readAt = known?.last_read_at ?? null;
    const profile = `${job.name}: ${workspace}/${name}`;
    if (readAt === null) return [`${profile} was never read`];
    if (now.getTime() - Date.parse(readAt) <= limitMs) return [];
    return [
      `${profile} was last read ${shortTime(readAt, config.timezone)}, more than ${duration(limitMs)} ago`,
    ];
  });
}

/** Returns null for a job that is never stale. */
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
  return [...lastRuns(jobs, ['partial', 'failed', 'interrupted']), ...failedWindows(profiles)];
}

/** A delivery that was refused, or that nobody knows of, is a failure. */
function deliveryFailures({ deliveries: { failed, unknown } }: Status): string[] {
  if (failed + unknown === 0) return [];
  return [
    `deliveries that failed or may not have arrived: ${failed + unknown}; see: postledger deliver list`,
  ];
}

/** A sentence where the job's last run was stopped or killed. */
export function interruptedRuns({ jobs }: Status, name: string): string[] {
  return lastRuns(
    jobs.filter(({ job }) => job === name),
    ['interrupted'],
  );
}

function lastRuns(jobs: Status['jobs'], states: readonly string[]): string[] {
  return jobs.flatMap(({ job, last_run: run }) =>
    run !== null && states.includes(run.status)
      ? [`${job}: its last run is ${run.status}; see: postledger runs show ${run.run_id}`]
      : [],
  );
}

function failedWindows(profiles: Status['profiles']): string[] {
  return reasonSentences(
    profiles.flatMap(({ workspace, name, failed_windows: windows }) =>
      windows.map(({ start, end, error }) => {
        return { workspace, subject: `${workspace}/${name} ${start} to ${end}`, error };
      }),
    ),
    'date range',
  );
}

interface Failed {
  readonly workspace: string;
  readonly subject: string;
  readonly error: string | null;
}

/** A sentence for each reason in a workspace: a refused key is one mistake, however many requests it costs. */
export function reasonSentences(failed: readonly Failed[], noun: string): string[] {
  const reasons = new Map<string, { subject: string; reason: string; count: number }>();
  for (const { workspace, subject, error } of failed) {
    // the subject already names the request
    const reason = error?.replace(/^GET \S+: /, '') ?? 'no reason known';
    const key = JSON.stringify([workspace, reason]);
    const known = reasons.get(key) ?? { subject, reason, count: 0 };
    reasons.set(key, { ...known, count: known.count + 1 });
  }
  return [...reasons.values()].map(({ subject, reason, count }) => {
    const more = count > 1 ? ` and ${plural(count - 1, `more ${noun}`)}` : '';
    return `${subject}${more}: ${reason}`;
  });
}

function warnings({ warnings: data, damaged, events, profiles }: Status): string[] {
  const { rejected_deletions: deletions, kept_deletions: kept } = events;
  return [
    ...(deletions > 0
      ? [
          `${plural(deletions, 'deletion')} rejected and not applied; \`postledger webhooks list --outcome rejected\` says why`,
        ]
      : []),
    ...kept.map(
      ({ workspace_slug: slug, deletions: count }) =>
        `${plural(count, 'deletion')} kept and not applied, although the posts are known: no workspace in jobs.yaml has the slug ${shownValue(slug)}; add it to the slugs of its workspace (workspaces.<key>.slug) and run \`postledger load\`, or end it with \`postledger webhooks discard\` (\`postledger webhooks list --outcome kept\` has the keys)`,
    ),
    ...(damaged > 0
      ? [`${plural(damaged, 'damaged file')} in the raw store; \`postledger verify\` names them`]
      : []),
    ...profiles.flatMap(({ workspace, name, read_ahead_at: at }) =>
      at === undefined
        ? []
        : [
            `${workspace}/${name}: a reading is of ${at}, later than now, and wins over all until then; see "A clock that was days ahead" in docs/failures.md`,
          ],
    ),
    ...profiles.flatMap(({ workspace, name, unreadable }) =>
      unreadable.length === 0
        ? []
        : [
            `${workspace}/${name}: could not be read: ${unreadable.map(({ noun, posts }) => `${noun} of ${plural(posts, 'post')}`).join(', ')}; the table rejected_records has the values, and a reading that has them ends it`,
          ],
    ),
    ...describeWarnings(data).map(
      ({ workspace, profile, text }) => `${workspace}/${profile}: ${text}`,
    ),
  ];
}
