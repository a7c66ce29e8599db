import type { KnownPost, PastCheck, PastReading } from '../plan/plan.ts';
import type { DatabaseValue } from './cell.ts';
import type { Database } from './database.ts';
import type { Parameters } from './parameters.ts';
import { readSql } from './sql-file.ts';

/** The readings and posts on which a plan rests. */
export interface History {
  /** Every reading of every window, oldest first. */
  readonly readings: readonly PastReading[];
  /** The checks of responses that looked truncated, oldest first. */
  readonly checks: readonly PastCheck[];
  /** The known posts by workspace, ordered by post id. */
  readonly posts: ReadonlyMap<string, readonly KnownPost[]>;
  /** The start of each job's last finished run. */
  readonly lastFinishedRuns: ReadonlyMap<string, Date>;
}

export const nothingKnown: History = {
  readings: [],
  checks: [],
  posts: new Map(),
  lastFinishedRuns: new Map(),
};

/** @param openRuns those that have not ended, whatever the warehouse has of them */
export async function readHistory(
  database: Database,
  workspaces: readonly string[],
  openRuns: readonly string[] = [],
): Promise<History> {
  const posts = new Map<string, readonly KnownPost[]>();
  for (const key of workspaces) posts.set(key, await readKnownPosts(database, key));
  return {
    readings: await readPastReadings(database, { workspaces, open_runs: openRuns }),
    checks: await readPastChecks(database, workspaces),
    posts,
    lastFinishedRuns: await readLastFinishedRuns(database, { open_runs: openRuns }),
  };
}

async function readPastReadings(database: Database, params: Parameters): Promise<PastReading[]> {
  const rows = await database.queryObjects(await readSql('history/past_readings.sql'), params);
  return rows.map((row) => ({
    workspace: String(row['workspace']),
    profileId: String(row['profile_id']),
    window: { start: String(row['start_date']), end: String(row['end_date']) },
    status: row['status'] === 'succeeded' ? 'succeeded' : 'failed',
    httpStatus: row['http_status'] === null ? null : Number(row['http_status']),
    records: Number(row['records']),
    posts: Number(row['posts']),
    fetchedAt: timeOf(row['fetched_at_ms']),
    job: String(row['job']),
    runStartedAt: timeOf(row['run_started_at_ms']),
    runFinished: row['is_run_finished'] === true,
  }));
}

async function readPastChecks(
  database: Database,
  workspaces: readonly string[],
): Promise<PastCheck[]> {
  const sql = await readSql('history/past_checks.sql');
  const rows = await database.queryObjects(sql, { workspaces });
  return rows.map((row) => ({
    workspace: String(row['workspace']),
    profileId: String(row['profile_id']),
    window: { start: String(row['start_date']), end: String(row['end_date']) },
    kind: String(row['kind']) as PastCheck['kind'],
    records: Number(row['records_whole']),
    posts: Number(row['posts_whole']),
    checkedAt: timeOf(row['checked_at_ms']),
  }));
}

async function readLastFinishedRuns(
  database: Database,
  params: Parameters,
): Promise<Map<string, Date>> {
  const rows = await database.queryObjects(await readSql('history/last_finished_runs.sql'), params);
  return new Map(rows.map((row) => [String(row['job']), timeOf(row['started_at_ms'])]));
}

/** The posts that LinkedIn posts of the workspace are linked to, by post id. */
async function readKnownPosts(database: Database, workspace: string): Promise<KnownPost[]> {
  const rows = await database.queryObjects(await readSql('history/known_posts.sql'), { workspace });
  return rows.map((row) => ({
    workspace,
    postId: String(row['post_id']),
    profileIds: row['profile_ids'] as string[],
    publishedAt: timeOrNull(row['published_at_ms']),
    fetchedAt: {
      post: timeOrNull(row['post_fetched_at_ms']),
      approvals: timeOrNull(row['approvals_fetched_at_ms']),
      comments: timeOrNull(row['comments_fetched_at_ms']),
    },
    hasChanged: row['has_changed'] === true,
    isRemoved: row['is_removed'] === true,
  }));
}

function timeOf(ms: DatabaseValue | undefined): Date {
  return new Date(Number(ms));
}

function timeOrNull(ms: DatabaseValue | undefined): Date | null {
  return ms === null || ms === undefined ? null : timeOf(ms);
}
