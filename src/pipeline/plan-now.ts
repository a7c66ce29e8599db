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

/**
 * Plans what a run of the job would ask for now, by what the warehouse and the raw store hold.
 * @throws UsageError when the days asked for are not the job's
 */
export async function planNow(
  job: JobConfig,
  { full, retryFailed = false, from, to }: PlanRequest,
  { config, clock }: Pick<RunTools, 'config' | 'clock'>,
): Promise<WorkspacePlan[]> {
  const open = await listOpenRuns(config.dataDir, job.name);
  const openRuns = open.map(({ runId }) => runId);
  const workspaces = workspacesOf(job);
  const { history, pending } = await readWarehouse(config, workspaces, async (database) => ({
    history: database ? await readHistory(database, workspaces, openRuns) : nothingKnown,
    pending: await listPending(config, workspaces, database),
  }));
  return planJob({
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
  });
}

/** Run folders of these workspaces that are not loaded whole, those of live processes too. A run loads them before it plans. */
export async function readPendingRuns(
  config: Pick<Config, 'dataDir' | 'warehouse'>,
  workspaces: readonly string[],
): Promise<PendingRun[]> {
  return readWarehouse(config, workspaces, (database) => listPending(config, workspaces, database));
}

/** Does the work with the warehouse's tables of these workspaces; null when nothing has been loaded yet. */
async function readWarehouse<T>(
  { warehouse }: Pick<Config, 'warehouse'>,
  workspaces: readonly string[],
  work: (database: Database | null) => Promise<T>,
): Promise<T> {
  const database = await openIfPresent(warehouse, { workspaces });
  try {
    return await work(database);
  } finally {
    database?.close();
  }
}

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
