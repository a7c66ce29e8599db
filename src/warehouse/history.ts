import type { DetailKind } from '../config/config.ts';
import type { Day } from '../core/calendar.ts';
import type { KnownPost, PastReading, ReadUntil } from '../plan/plan.ts';
import type { Database } from './database.ts';
import type { Parameters } from './parameters.ts';
import { readSql } from './sql-file.ts';

/** The readings and posts on which a plan rests. */
export interface History {
  /** Every reading of every window, oldest first. */
  readonly readings: readonly PastReading[];
  /** How far each profile was read that a job asks for, by `<workspace>/<profile id>`. */
  readonly readUntil: ReadonlyMap<string, ReadUntil>;
  /** The known posts by workspace, ordered by post id. */
  readonly posts: ReadonlyMap<string, readonly KnownPost[]>;
  /** The start of each job's last finished run. */
  readonly lastFinishedRuns: ReadonlyMap<string, Date>;
}

export const nothingKnown: History = {
  readings: [],
  readUntil: new Map(),
  posts: new Map(),
  lastFinishedRuns: new Map(),
};

/**
 * @param asked the parameters of sql/readings/configured_days.sql and unread_days.sql
 * @param openRuns those that have not ended, whatever the warehouse has of them
 */
export async function readHistory(
  database: Database,
  workspaces: readonly string[],
  asked: Parameters,
  openRuns: readonly string[] = [],
): Promise<History> {
  const posts = new Map<string, readonly KnownPost[]>();
  for (const key of workspaces) posts.set(key, await readKnownPosts(database, key));
  const params = { workspaces, open_runs: openRuns };
  const runs = await readRows<{ job: string; startedAt: Date }>(
    database,
    'last_finished_runs',
    params,
  );
  return {
    readings: (await readRows<Dated<PastReading>>(database, 'past_readings', params)).map(ofWindow),
    readUntil: await readReadUntil(database, asked),
    posts,
    lastFinishedRuns: new Map(runs.map(({ job, startedAt }) => [job, startedAt])),
  };
}

async function readReadUntil(
  database: Database,
  asked: Parameters,
): Promise<ReadonlyMap<string, ReadUntil>> {
  for (const name of ['configured_days', 'unread_days'])
    await database.run(await readSql(`readings/${name}.sql`), asked);
  const sql = await readSql('readings/read_until.sql');
  const rows = await database.queryObjects(sql, asked);
  return new Map(
    rows.map(({ workspace, profile_id: id, read_until: lastDay, has_ended: isWhole }) => [
      `${String(workspace)}/${String(id)}`,
      { lastDay: lastDay as Day | null, isWhole: isWhole === true },
    ]),
  );
}

type Dated<Past> = Omit<Past, 'window'> & { readonly startDate: Day; readonly endDate: Day };

function ofWindow<Past>({ startDate: start, endDate: end, ...past }: Dated<Past>) {
  return { ...past, window: { start, end } };
}

type KnownPostRow = Omit<KnownPost, 'workspace' | 'fetchedAt'> &
  Readonly<Record<`${DetailKind}FetchedAt`, Date | null>>;

/** The posts that LinkedIn posts of the workspace are linked to, by post id. */
async function readKnownPosts(database: Database, workspace: string): Promise<KnownPost[]> {
  const rows = await readRows<KnownPostRow>(database, 'known_posts', { workspace });
  return rows.map(
    ({
      postFetchedAt: post,
      approvalsFetchedAt: approvals,
      commentsFetchedAt: comments,
      ...known
    }) => ({ ...known, workspace, fetchedAt: { post, approvals, comments } }),
  );
}

/** Reads rows under the names that plans use: `fetched_at_ms` is the time `fetchedAt`. */
async function readRows<Row>(database: Database, name: string, params: Parameters): Promise<Row[]> {
  const rows = await database.queryObjects(await readSql(`history/${name}.sql`), params);
  return rows.map((row) => {
    const fields = Object.entries(row).map(([column, value]) => {
      const field = column
        .replace(/_ms$/, '')
        .replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isTime = column.endsWith('_ms') && value !== null;
      return [field, isTime ? new Date(Number(value)) : value];
    });
    return Object.fromEntries(fields) as Row;
  });
}
