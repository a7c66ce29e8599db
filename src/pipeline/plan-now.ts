import { askedDaysParameters } from '../config/asked-days.ts';
import type { Config, DetailKind, JobConfig } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import type { PendingRun } from '../load/pending.ts';
import { listOpenRuns, listUnloadedRuns } from '../store/run-lock.ts';
import { daysToProve, windowStatus } from '../store/manifest.ts';
import { planJob } from '../plan/plan-job.ts';
import type { KnownPost, PastReading } from '../plan/plan.ts';
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
  const asked = {
    ...askedDaysParameters(config, dayOf(clock.now(), config.timezone)),
    timezone: config.timezone,
  };
  const history = database
    ? await readHistory(database, workspaces, asked, openRuns)
    : nothingKnown;
  const pending = await readPending(config, database, workspaces);
  const plans = planJob({
    job,
    zones: reportZones(config),
    now: clock.now(),
    asked: from === null && to === null ? null : { from, to },
    history: [...history.readings, ...pending.flatMap((run) => windowReadings(run, openRuns))],
    readUntil: history.readUntil,
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
 * Returns those of the jobs that a run of only what waits would ask something for, or whose newest run did not get all
 * details of posts.
 * @param database null: nothing is loaded
 */
export async function waitingJobs(
  jobs: readonly JobConfig[],
  tools: Pick<RunTools, 'config' | 'clock'>,
  database: Database | null,
): Promise<JobConfig[]> {
  if (!database) return [];
  const { rows } = await database.query(await readSql('readings/waiting.sql'));
  const withoutDetails = new Set(rows.map(([job]) => String(job)));
  const waiting: JobConfig[] = [];
  for (const job of jobs) {
    const request = { full: false, from: null, to: null, onlyWaiting: true };
    const { workspaces } = await planOne(job, request, tools, database);
    const isDue = workspaces.some(({ windows }) => windows.length > 0);
    if (isDue || (withoutDetails.has(job.name) && job.details.length > 0)) waiting.push(job);
  }
  return waiting;
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
    const { request, fetched_at: fetchedAt, workspace, proof } = manifest;
    if (request.kind !== 'analytics') return [];
    return [
      {
        workspace,
        profileId: request.profile_id,
        window: daysToProve(request, manifest),
        partOf: manifest.part_of ?? null,
        status: windowStatus(manifest),
        reason: proof?.reason ?? null,
        httpStatus: manifest.http_status,
        records: manifest.records ?? 0,
        fetchedAt: new Date(fetchedAt),
        job: record.job,
        runStartedAt: new Date(record.started_at),
        runFinished: status === 'finished' && !openRuns.includes(record.run_id),
      },
    ];
  });
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
