import type { Config } from '../config/config.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** Something that the warehouse knows to be wrong. What does not concern its kind is null. */
export interface WarehouseProblem {
  readonly kind:
    | 'failed_range'
    | 'rejected_deletions'
    | 'kept_deletions'
    | 'later_reading'
    | 'unreadable_values';
  readonly workspace: string | null;
  readonly profile_id: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  /** The column whose values could not be read, and its name in a sentence. */
  readonly field: string | null;
  readonly noun: string | null;
  /** The slug that no workspace has. */
  readonly workspace_slug: string | null;
  /** The number of posts or deletions. */
  readonly records: number | null;
  readonly reason: string | null;
  /** ISO 8601 in UTC. */
  readonly since: string;
}

/** The session has the table `failed_windows`, and the names of metrics. */
export async function readWarehouseProblems(
  database: Database,
  { workspaces }: Pick<Config, 'workspaces'>,
  now: Date,
): Promise<WarehouseProblem[]> {
  const params = { now, workspaces: [...workspaces.keys()] };
  return database.queryObjects<WarehouseProblem>(await readSql('status/open_problems.sql'), params);
}
