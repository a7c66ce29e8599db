import {
  listPendingRuns,
  nothingLoaded,
  readLoadedState,
  type PendingRun,
} from '../load/pending.ts';
import { openIfPresent } from '../warehouse/history.ts';
import type { Config } from '../config/config.ts';
import type { KnownPost, PastCheck, PastReading } from '../plan/plan.ts';

/** What the raw store holds that a plan rests on and the warehouse has not: a run loads it before it plans. */
export interface PendingHistory {
  readonly readings: readonly PastReading[];
  /** What became of answers that looked cut off. */
  readonly checks: readonly PastCheck[];
  /** When each post's details were last answered for, by workspace and post id. */
  readonly details: ReadonlyMap<string, Date>;
}

export async function readPendingHistory(
  config: Pick<Config, 'dataDir' | 'warehouse'>,
): Promise<PendingHistory> {
  const runs = await readPendingRuns(config);
  return {
    readings: runs.flatMap(windowReadings),
    checks: runs.flatMap(windowChecks),
    details: new Map(runs.flatMap(detailReadings)),
  };
}

/** Run folders that are not loaded whole, those of live processes too. */
export async function readPendingRuns({
  dataDir,
  warehouse,
}: Pick<Config, 'dataDir' | 'warehouse'>): Promise<PendingRun[]> {
  const runs: PendingRun[] = [];
  const database = await openIfPresent(warehouse);
  try {
    const state = database ? await readLoadedState(database) : nothingLoaded;
    for await (const run of listPendingRuns(dataDir, state, { takesRunning: true })) runs.push(run);
  } finally {
    database?.close();
  }
  return runs;
}

/** The posts as they will be known once the raw store is loaded. */
export function withPendingDetails(
  posts: readonly KnownPost[],
  { details }: PendingHistory,
): KnownPost[] {
  return posts.map((post) => {
    const fetchedAt = details.get(detailKey(post.workspace, post.postId));
    return fetchedAt ? { ...post, detailFetchedAt: fetchedAt, hasChanged: false } : post;
  });
}

function windowReadings({ folder: { record }, status, responses }: PendingRun): PastReading[] {
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
        runFinished: status === 'finished',
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

function detailReadings({ responses }: PendingRun): [string, Date][] {
  return responses.flatMap(({ manifest }): [string, Date][] => {
    const { request, outcome, fetched_at: fetchedAt, workspace } = manifest;
    if (request.kind !== 'post' || outcome === 'failed') return [];
    return [[detailKey(workspace, request.post_id), new Date(fetchedAt)]];
  });
}

function detailKey(workspace: string, postId: string): string {
  return `${workspace} ${postId}`;
}
