import type { Config, JobConfig } from '../config/config.ts';
import { endOfDay } from '../core/calendar.ts';
import { shownValue } from '../core/shown-value.ts';
import { plural, shortTime } from '../core/wording.ts';
import { describeWait, waitsForPerson, type Delivery } from '../deliver/delivery.ts';
import type { DataWarning } from '../load/data-warnings.ts';
import { longestGapMs } from '../schedule/cron-expression.ts';
import type { ProfileStatus } from './profile-status.ts';
import type { WarehouseProblem } from './warehouse-problems.ts';

/** Something that is wrong, or that waits, now. Times are ISO 8601 in UTC. */
export interface OpenProblem {
  /** The job, `workspace/profile`, run, delivery or other thing that has the problem. */
  readonly subject: string;
  readonly kind: ProblemKind;
  /**
   * `failed`, `stale` and `warning` are the verdicts of `status`. `undone`: a run, `catch-up` or a person has to do it yet.
   * `expected`: it waits for a person or for the end of a day, as jobs.yaml asks.
   */
  readonly severity: 'failed' | 'stale' | 'warning' | 'undone' | 'expected';
  /** What is wrong, without the subject. */
  readonly message: string;
  /** Null if it does not belong to one job. */
  readonly job: string | null;
  readonly workspace: string | null;
  /** When it began. Null if that is not known. */
  readonly since: string | null;
  /** The time before which `catch-up` does nothing about it. Null if there is none. */
  readonly until: string | null;
  /** The command that ends or explains it, without `postledger`. Null if there is none. */
  readonly remedy: string | null;
}

export type ProblemKind =
  | 'unread_source'
  | 'failed_run'
  | 'interrupted_run'
  | 'overdue_run'
  | 'cut_off_run'
  | 'failed_workspace'
  | 'waiting_ranges'
  | 'failed_report'
  | 'not_loaded'
  | 'damaged_files'
  | 'stale_profile'
  | WarehouseProblem['kind']
  | DataWarning['kind']
  | DeliveryProblemKind
  | 'sent_unread'
  | 'failed_alert';

type DeliveryProblemKind =
  | 'failed_delivery'
  | 'unknown_delivery'
  | 'queued_delivery'
  | 'held_for_approval'
  | 'held_for_change'
  | 'held_for_comment'
  | 'held_for_days'
  | 'held_for_recipient';

/** What is known. What is left out has no problems. */
export interface KnownFacts {
  /** What was not done, and what `catch-up` does unless it says otherwise. */
  readonly undone?: readonly (Pick<OpenProblem, 'kind' | 'subject' | 'message'> & Optional)[];
  /** The newest run of each job. */
  readonly runs?: readonly LastRun[];
  /** The times at which a job should have run by now, and did not. */
  readonly overdue?: readonly { readonly job: string; readonly dueAt: Date }[];
  readonly failedReports?: readonly FailedReport[];
  readonly pending?: readonly PendingFolder[];
  /** The number of damaged files in the raw store. */
  readonly damaged?: number;
  /** Those of a load, where the warehouse was not asked. */
  readonly rejectedDeletions?: number;
  readonly warehouse?: readonly WarehouseProblem[];
  /** The configured profiles. What the warehouse knows of others is left out. */
  readonly profiles?: readonly KnownProfile[];
  readonly warnings?: readonly DataWarning[];
  readonly deliveries?: readonly Delivery[];
  /** All deliveries, oldest first, for what was sent as complete. */
  readonly allDeliveries?: readonly Delivery[];
  /** A sentence for each alert that failed when it was last run. */
  readonly failedAlerts?: readonly string[];
}

interface LastRun {
  readonly job: string;
  /** Null if nothing is known of it but its outcome. */
  readonly run_id: string | null;
  readonly status: string;
  readonly started_at: string | null;
}

interface FailedReport {
  readonly job: string;
  readonly report: string;
  readonly error: string;
  /** The time that it is of. */
  readonly slotAt: Date;
  readonly attemptedAt: Date;
}

interface PendingFolder {
  readonly workspace: string;
  readonly run_id: string;
  readonly job: string;
  readonly started_at: string;
  /** The number of responses that are not loaded. */
  readonly responses: number;
  readonly state: 'finished' | 'interrupted' | 'running';
}

type KnownProfile = Pick<ProfileStatus, 'workspace' | 'profile_id' | 'name' | 'last_read_at'> &
  Partial<Pick<ProfileStatus, 'has_ended' | 'gaps'>>;

/** Where and when the problems are looked at. */
export interface ProblemSite {
  readonly config: Pick<Config, 'jobs' | 'clients' | 'timezone'>;
  readonly now: Date;
}

/**
 * Decides what is wrong, or waits, by what is known.
 * @param site null: no profile is stale, and no delivery waits for a time
 */
export function openProblems(facts: KnownFacts, site: ProblemSite | null = null): OpenProblem[] {
  const { undone = [], runs = [], overdue = [], failedReports = [], pending = [] } = facts;
  const { profiles = [], warehouse = [], rejectedDeletions = 0, damaged = 0 } = facts;
  const { warnings = [], deliveries = [], allDeliveries = [], failedAlerts = [] } = facts;
  const byKey = new Map(profiles.map((each) => [`${each.workspace}/${each.profile_id}`, each]));
  return [
    ...undone.map(({ kind, subject, message, ...more }) =>
      forCatchUp(kind, subject, message, more),
    ),
    ...runs.flatMap(runProblem),
    ...overdue.map(({ job, dueAt }) => {
      const since = dueAt.toISOString();
      return problem('overdue_run', 'failed', job, `run of ${since} is overdue`, { job, since });
    }),
    ...failedReports.map(reportProblem),
    ...pending.flatMap(pendingProblem),
    ...(site ? staleProblems(profiles, site) : []),
    ...warehouse.flatMap((row) => warehouseProblem(row, byKey)),
    ...(rejectedDeletions > 0 ? [deletionProblem(rejectedDeletions, null)] : []),
    ...(damaged > 0 ? [damageProblem(damaged)] : []),
    ...warnings.map(warningProblem),
    ...deliveries.flatMap((delivery) => deliveryProblem(delivery, site)),
    ...sentUnread(allDeliveries, byKey),
    ...failedAlerts.map((text) => problem('failed_alert', 'failed', 'alert', text)),
  ];
}

/** Returns true if something is wrong, or left to do, that jobs.yaml does not ask to wait for. */
export function hasUnexpected(problems: readonly OpenProblem[]): boolean {
  return problems.some(({ severity }) => severity !== 'expected');
}

type Optional = Partial<Pick<OpenProblem, 'job' | 'workspace' | 'since' | 'until' | 'remedy'>>;

function problem(
  kind: ProblemKind,
  severity: OpenProblem['severity'],
  subject: string,
  message: string,
  { job = null, workspace = null, since = null, until = null, remedy = null }: Optional = {},
): OpenProblem {
  return { subject, kind, severity, message, job, workspace, since, until, remedy };
}

/** A problem that `catch-up` ends. */
function forCatchUp(kind: ProblemKind, subject: string, message: string, more: Optional = {}) {
  return problem(kind, 'undone', subject, message, { remedy: 'catch-up', ...more });
}

function runProblem({ job, run_id: id, status, started_at: since }: LastRun): OpenProblem[] {
  if (!['partial', 'failed', 'interrupted'].includes(status)) return [];
  const kind = status === 'interrupted' ? 'interrupted_run' : 'failed_run';
  const remedy = id === null ? null : `runs show ${id}`;
  return [problem(kind, 'failed', job, `last run is ${status}`, { job, since, remedy })];
}

/** The pauses between attempts grow: each is as long as the time from the slot to the last attempt. */
function reportProblem({ job, report, error, slotAt, attemptedAt }: FailedReport): OpenProblem {
  const until = new Date(2 * attemptedAt.getTime() - slotAt.getTime()).toISOString();
  const since = slotAt.toISOString();
  return forCatchUp('failed_report', report, error, { job, since, until });
}

/** Events that are not loaded. */
export function pendingEvents(count: number): NonNullable<KnownFacts['undone']> {
  const subject = 'events';
  return count > 0 ? [{ kind: 'not_loaded', subject, message: plural(count, 'event') }] : [];
}

/** A folder that a live process writes, or that has nothing more to load, waits for nothing. */
function pendingProblem({ workspace, run_id: id, ...run }: PendingFolder): OpenProblem[] {
  const { job, started_at: since, responses, state } = run;
  if (state === 'running' || (state === 'interrupted' && responses === 0)) return [];
  const message = `${plural(responses, 'response')}, ${state}`;
  return [forCatchUp('not_loaded', id, message, { job, workspace, since })];
}

/** One for each job and profile. */
function staleProblems(
  profiles: readonly KnownProfile[],
  { config: { jobs, timezone }, now }: ProblemSite,
): OpenProblem[] {
  return [...jobs.values()].flatMap((job) => {
    const limitMs = staleAfterMs(job, now);
    if (limitMs === null) return [];
    return profiles.flatMap(({ workspace, profile_id, name, last_read_at: since, has_ended }) => {
      const isAsked = job.profiles.some(
        (asked) => asked.workspace === workspace && asked.id === profile_id,
      );
      const isFresh = since !== null && now.getTime() - Date.parse(since) <= limitMs;
      if (!isAsked || isFresh || has_ended) return [];
      const message =
        since === null
          ? 'was never read'
          : `was last read ${shortTime(since, timezone)}, more than ${duration(limitMs)} ago`;
      const more = { job: job.name, workspace, since, remedy: `run ${job.name}` };
      return [problem('stale_profile', 'stale', `${workspace}/${name}`, message, more)];
    });
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

function warehouseProblem(
  { kind, workspace, since, ...row }: WarehouseProblem,
  profiles: ReadonlyMap<string, KnownProfile>,
): OpenProblem[] {
  const known = profiles.get(`${workspace}/${row.profile_id}`);
  if (row.profile_id !== null && !known) return [];
  const profile = `${workspace}/${known?.name}`;
  const count = row.records ?? 0;
  switch (kind) {
    case 'failed_range': {
      const subject = `${profile} ${row.start_date} to ${row.end_date}`;
      const more = { workspace, since, remedy: 'catch-up' };
      return [problem(kind, 'failed', subject, reasonOf(row.reason), more)];
    }
    case 'rejected_deletions':
      return [deletionProblem(count, since)];
    case 'kept_deletions': {
      const slug = shownValue(row.workspace_slug);
      const message = `${plural(count, 'deletion')} kept and not applied, although the posts are known: no workspace in jobs.yaml has the slug ${slug}`;
      return [problem(kind, 'warning', slug, message, { since, remedy: 'load' })];
    }
    case 'later_reading':
      return [problem(kind, 'warning', profile, `a reading is of ${since}`, { workspace, since })];
    case 'unreadable_values': {
      const message = `${row.noun} of ${plural(count, 'post')}`;
      return [problem(kind, 'warning', profile, message, { workspace, since })];
    }
  }
}

/** Why a request failed. The subject already names the request. */
export function reasonOf(error: string | null): string {
  return error?.replace(/^GET \S+: /, '') ?? 'no reason known';
}

function deletionProblem(count: number, since: string | null): OpenProblem {
  const message = `${plural(count, 'deletion')} rejected and not applied`;
  const remedy = 'webhooks list --outcome rejected';
  return problem('rejected_deletions', 'warning', 'deletions', message, { since, remedy });
}

function damageProblem(count: number): OpenProblem {
  const message = plural(count, 'damaged file');
  return problem('damaged_files', 'warning', 'raw store', message, { remedy: 'verify' });
}

function warningProblem(warning: DataWarning): OpenProblem {
  const { kind, workspace, profile, text, seen_at: since } = warning;
  return problem(kind, 'warning', `${workspace}/${profile}`, text, { workspace, since });
}

/** Finds what readers have as complete although days of it count as unread now. The last one of the same reports counts. */
function sentUnread(
  deliveries: readonly Delivery[],
  profiles: ReadonlyMap<string, KnownProfile>,
): OpenProblem[] {
  const sent = deliveries.filter(
    ({ record, status }) => record.is_closed && ['sent', 'unknown'].includes(status.state),
  );
  const last = new Map(
    sent.map(({ record, status }) => {
      const ids = record.profiles.map(({ workspace, id }) => `${workspace}/${id}`).sort();
      return [JSON.stringify([record.content, ids]), { record, since: status.changed_at }];
    }),
  );
  return [...last.values()].flatMap(({ record, since }) => {
    const { id, job, report, from, to, is_complete: isComplete } = record;
    if (!isComplete || from === null || to === null) return [];
    const unread = record.profiles.flatMap(({ workspace, id: profileId, name }) => {
      const gaps = profiles.get(`${workspace}/${profileId}`)?.gaps ?? [];
      return gaps
        .filter(({ first_day: first, last_day: end }) => first <= to && end >= from)
        .map(({ first_day: first, last_day: end }) => {
          const [start, last] = [first < from ? from : first, end > to ? to : end];
          return `${name} ${start === last ? start : `${start} to ${last}`}`;
        });
    });
    if (unread.length === 0) return [];
    const message = `${report} of ${from} to ${to} was sent as complete, and counts as unread now: ${unread.join(', ')}`;
    const more = { job, since, remedy: `deliver resend ${id}` };
    return [problem('sent_unread', 'warning', id, message, more)];
  });
}

/** Decides what a delivery waits for. None where it was sent or discarded. */
function deliveryProblem(delivery: Delivery, site: ProblemSite | null): OpenProblem[] {
  const { record, status } = delivery;
  const { id, job } = record;
  const { state, waits_for: wait, reason, changed_at: since } = status;
  const words = reason ?? state;
  if (state === 'sent' || state === 'discarded') return [];
  if (state === 'failed' || state === 'unknown') {
    const more = { job, since, remedy: `deliver retry ${id}` };
    return [problem(`${state}_delivery`, 'failed', id, words, more)];
  }
  if (wait === null) return [forCatchUp('queued_delivery', id, words, { job, since })];
  const message = `waits for ${describeWait(delivery) ?? ''}`;
  const severity = waitsForPerson(delivery) ? 'expected' : 'undone';
  switch (wait.kind) {
    case 'approval': {
      const kind = wait.differs_from ? 'held_for_change' : 'held_for_approval';
      return [
        problem(kind, severity, id, message, { job, since, remedy: `deliver approve ${id}` }),
      ];
    }
    case 'days': {
      const more = { job, since, until: endOfWait(delivery, site), remedy: 'catch-up' };
      const isOver = wait.are_over ? 'undone' : 'expected';
      return [problem('held_for_days', isOver, id, message, more)];
    }
    case 'comment':
    case 'recipient':
      return [problem(`held_for_${wait.kind}`, severity, id, message, { job, since })];
  }
}

/** The newest end of its days that has passed, else the next one, in the zone of its report. */
function endOfWait(
  { record, status: { waits_for: wait } }: Delivery,
  site: ProblemSite | null,
): string | null {
  if (site === null || wait?.kind !== 'days') return null;
  const { config, now } = site;
  const { timezone } = config.clients.get(record.client ?? '') ?? config;
  const ends = wait.days
    .map(({ last_day: day }) => endOfDay(day, timezone))
    .sort((a, b) => a.getTime() - b.getTime());
  return (ends.findLast((end) => end < now) ?? ends[0])?.toISOString() ?? null;
}
