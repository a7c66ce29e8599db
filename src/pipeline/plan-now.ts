import type { Config, DetailKind, JobConfig } from '../config/config.ts';
import { addDays, type Day } from '../core/calendar.ts';
import type { PendingRun } from '../load/pending.ts';
import { listOpenRuns, listUnloadedRuns } from '../store/run-lock.ts';
import { planJob } from '../plan/plan-job.ts';
import { firstCoveredDay, lastDay } from '../plan/grid.ts';
import { lastingStatuses, type KnownPost, type PastCheck, type PastReading } from '../plan/plan.ts';
import { readPending } from '../status/runs.ts';
import type { Database } from '../warehouse/database.ts';
import { nothingKnown, readHistory } from '../warehouse/history.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { withPublished } from '../warehouse/warehouse.ts';
import type { RunTools } from '../config/run-tools.ts';
import { workspacesOf, type PlanRequest } from './run-context.ts';

/** A job's plan, by what the warehouse and the raw store hold. */
export type PlannedJob = Awaited<ReturnType<typeof planOne>>;

/**
 * Plans what a run of each job would request now. The warehouse is opened once.
 * @throws UsageError if the requested days are not the job's
 */
export async function planNow(
  jobs: readonly JobConfig[],
  request: PlanRequest,
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
): Promise<PlannedJob[]> {
  const workspaces = [...new Set(jobs.flatMap(workspacesOf))];
  const plan = async (database: Database | null) => {
    const planned: PlannedJob[] = [];
    for (const job of jobs) planned.push(await planOne(job, request, { config, clock }, database));
    return planned;
  };
  if (request.isWithoutWarehouse) return plan(null);
  // a lake reads its catalog's snapshot once for each transaction
  const read = (database: Database | null) =>
    database ? database.transaction(() => plan(database)) : plan(null);
  return withPublished(config.warehouse, read, { workspaces });
}

async function planOne(
  job: JobConfig,
  { full, onlyWaiting = false, from, to, sharedSince, isWithoutWarehouse = false }: PlanRequest,
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
  database: Database | null,
) {
  const open = await listOpenRuns(config.dataDir, job.name);
  const unloaded = isWithoutWarehouse ? await listUnloadedRuns(config.dataDir, job.name) : [];
  const openRuns = [...open.map(({ runId }) => runId), ...unloaded];
  const workspaces = workspacesOf(job);
  const history = database ? await readHistory(database, workspaces, openRuns) : nothingKnown;
  const pending = await readPending(config, database, workspaces);
  const plans = planJob({
    job,
    zones: reportZones(config),
    now: clock.now(),
    asked: from === null && to === null ? null : { from, to },
    history: [...history.readings, ...pending.flatMap((run) => windowReadings(run, openRuns))],
    checks: [...history.checks, ...pending.flatMap(windowChecks)],
    lastFinishedRunStart: history.lastFinishedRuns.get(job.name) ?? null,
    posts: withPendingDetails([...history.posts.values()].flat(), pending),
    full,
    // a run that was cut off has left more than what failed
    onlyWaiting: onlyWaiting && open.every(({ isLive }) => isLive),
    sharedSince,
    isWithoutWarehouse,
  });
  // a run loads what is pending before it plans
  return { job, workspaces: plans, pendingRuns: pending.length };
}

/**
 * Returns those of the jobs for which a plan of only what waits may not be empty, by the warehouse alone. It
 * costs little, so that it can be asked every few minutes. What is in the raw store alone is not considered.
 * @param database null: nothing is loaded
 */
export async function waitingJobs(
  jobs: readonly JobConfig[],
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
  database: Database | null,
): Promise<JobConfig[]> {
  const [now, zones] = [clock.now(), reportZones(config)];
  const rows = database ? await readWaiting(database, config.timezone, lastDay(now, zones)) : [];
  return jobs.filter((job) => {
    const first = addDays(firstCoveredDay(job, now, zones), -1);
    return rows.some((row) =>
      row.job === null
        ? row.last_date >= first &&
          job.profiles.some(
            ({ workspace, id }) => workspace === row.workspace && id === row.profile_id,
          )
        : row.job === job.name && job.details.length > 0,
    );
  });
}

type WaitingRow =
  | {
      readonly job: null;
      readonly workspace: string;
      readonly profile_id: string;
      readonly last_date: Day;
    }
  | { readonly job: string };

async function readWaiting(
  database: Database,
  timezone: string,
  today: Day,
): Promise<WaitingRow[]> {
  const params = { timezone, today, from: null, to: null };
  await database.run(await readSql('readings/failed_windows.sql'), params);
  const sql = await readSql('readings/waiting.sql');
  return database.queryObjects<WaitingRow>(sql, { lasting: lastingStatuses.map(String) });
}

/** Lists the zones in which reports may be asked for. */
function reportZones({ timezone, clients }: Config): string[] {
  return [...new Set([timezone, ...[...clients.values()].map((client) => client.timezone)])];
}

function windowReadings(
  { folder: { record }, status, responses }: PendingRun,
  openRuns: readonly string[],
): PastReading[] {
  return responses.flatMap(({ manifest }) => {
    const { request, outcome, fetched_at: fetchedAt, workspace } = manifest;
    if (request.kind !== 'analytics') return [];
    return [
      {
        workspace,
        profileId: request.profile_id,
        window: { start: request.start_date, end: request.end_date },
        status: outcome === 'succeeded' ? ('succeeded' as const) : ('failed' as const),
        httpStatus: manifest.http_status,
        records: manifest.records ?? 0,
        posts: manifest.distinct_posts ?? 0,
        fetchedAt: new Date(fetchedAt),
        job: record.job,
        runStartedAt: new Date(record.started_at),
        runFinished: status === 'finished' && !openRuns.includes(record.run_id),
      },
    ];
  });
}

function windowChecks({ folder: { checks } }: PendingRun): PastCheck[] {
  return checks.map((check) => ({
    workspace: check.workspace,
    profileId: check.profile_id,
    window: { start: check.start_date, end: check.end_date },
    kind: check.kind,
    records: check.records_whole,
    posts: check.posts_whole,
    checkedAt: new Date(check.checked_at),
  }));
}

/** The posts as they will be known once the raw store is loaded. */
function withPendingDetails(
  posts: readonly KnownPost[],
  pending: readonly PendingRun[],
): KnownPost[] {
  const fetched = new Map<string, Partial<Record<DetailKind, Date>>>();
  for (const { manifest } of pending.flatMap(({ responses }) => responses)) {
    const { request, outcome, fetched_at: fetchedAt, workspace } = manifest;
    if (request.kind === 'analytics' || outcome === 'failed') continue;
    const key = `${workspace} ${request.post_id}`;
    fetched.set(key, { ...fetched.get(key), [request.kind]: new Date(fetchedAt) });
  }
  return posts.map((post) => {
    const own = fetched.get(`${post.workspace} ${post.postId}`);
    if (own === undefined) return post;
    const hasChanged = post.hasChanged && own.post === undefined;
    return { ...post, fetchedAt: { ...post.fetchedAt, ...own }, hasChanged };
  });
}
