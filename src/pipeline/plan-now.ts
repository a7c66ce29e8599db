import type { Config, DetailKind, JobConfig } from '../config/config.ts';
import {
  listPendingRuns,
  nothingLoaded,
  readLoadedState,
  type PendingRun,
} from '../load/pending.ts';
import { listOpenRuns } from '../store/run-lock.ts';
import { planJob } from '../plan/plan-job.ts';
import type { KnownPost, PastCheck, PastReading, WorkspacePlan } from '../plan/plan.ts';
import type { Database } from '../warehouse/database.ts';
import { nothingKnown, readHistory } from '../warehouse/history.ts';
import { openIfPresent } from '../warehouse/warehouse.ts';
import { workspacesOf, type PlanRequest, type RunTools } from './run-context.ts';

/** A job's plan, by what the warehouse and the raw store hold. */
export interface PlannedJob {
  readonly job: JobConfig;
  readonly workspaces: readonly WorkspacePlan[];
  /** The run folders of its workspaces that are not loaded whole. A run loads them before it plans. */
  readonly pendingRuns: number;
}

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
  const database = await openIfPresent(config.warehouse, { workspaces });
  try {
    const plan = async () => {
      const planned: PlannedJob[] = [];
      for (const job of jobs)
        planned.push(await planOne(job, request, { config, clock }, database));
      return planned;
    };
    // a lake reads its catalog's snapshot once for each transaction
    return await (database ? database.transaction(plan) : plan());
  } finally {
    database?.close();
  }
}

async function planOne(
  job: JobConfig,
  { full, retryFailed = false, from, to, sharedSince }: PlanRequest,
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
  database: Database | null,
): Promise<PlannedJob> {
  const open = await listOpenRuns(config.dataDir, job.name);
  const openRuns = open.map(({ runId }) => runId);
  const workspaces = workspacesOf(job);
  const history = database ? await readHistory(database, workspaces, openRuns) : nothingKnown;
  const pending = await listPending(config, workspaces, database);
  const plans = planJob({
    job,
    timezone: config.timezone,
    now: clock.now(),
    asked: from === null && to === null ? null : { from, to },
    history: [...history.readings, ...pending.flatMap((run) => windowReadings(run, openRuns))],
    checks: [...history.checks, ...pending.flatMap(windowChecks)],
    lastFinishedRunStart: history.lastFinishedRuns.get(job.name) ?? null,
    posts: withPendingDetails([...history.posts.values()].flat(), pending),
    full,
    retryFailed,
    sharedSince,
  });
  return { job, workspaces: plans, pendingRuns: pending.length };
}

/** Lists run folders of these workspaces that are not loaded whole, those of live processes too. */
async function listPending(
  { dataDir }: Pick<Config, 'dataDir'>,
  workspaces: readonly string[],
  database: Database | null,
): Promise<PendingRun[]> {
  const state = database ? await readLoadedState(database, workspaces) : nothingLoaded;
  const runs: PendingRun[] = [];
  const which = { workspaces, takesRunning: true };
  for await (const run of listPendingRuns(dataDir, state, which)) runs.push(run);
  return runs;
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
