import { listLanding, type LandedPart } from '../landing/landed-part.ts';
import type { KnownPost, PastCheck, PastReading } from '../plan/plan.ts';

/** What landing holds that a plan rests on: readings that a load will take in before a run plans. */
export interface LandedHistory {
  readonly readings: readonly PastReading[];
  /** What became of answers that looked cut off. */
  readonly checks: readonly PastCheck[];
  /** When each post's details were last answered for, by workspace and post id. */
  readonly details: ReadonlyMap<string, Date>;
}

export async function readLandedHistory(dataDir: string): Promise<LandedHistory> {
  const { parts } = await listLanding(dataDir);
  return {
    readings: parts.flatMap(windowReadings),
    checks: parts.flatMap(windowChecks),
    details: new Map(parts.flatMap(detailReadings)),
  };
}

/** The posts as they will be known once landing is loaded. */
export function withLandedDetails(
  posts: readonly KnownPost[],
  { details }: LandedHistory,
): KnownPost[] {
  return posts.map((post) => {
    const fetchedAt = details.get(detailKey(post.workspace, post.postId));
    return fetchedAt ? { ...post, detailFetchedAt: fetchedAt, hasChanged: false } : post;
  });
}

function windowReadings({ record, finish, responses }: LandedPart): PastReading[] {
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
        posts: manifest.distinct_posts ?? manifest.records ?? 0,
        fetchedAt: new Date(fetchedAt),
        job: record.job,
        runStartedAt: new Date(record.started_at),
        runFinished: finish !== null,
      },
    ];
  });
}

function windowChecks({ checks }: LandedPart): PastCheck[] {
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

function detailReadings({ responses }: LandedPart): [string, Date][] {
  return responses.flatMap(({ manifest }): [string, Date][] => {
    const { request, outcome, fetched_at: fetchedAt, workspace } = manifest;
    if (request.kind !== 'post' || outcome === 'failed') return [];
    return [[detailKey(workspace, request.post_id), new Date(fetchedAt)]];
  });
}

function detailKey(workspace: string, postId: string): string {
  return `${workspace} ${postId}`;
}
