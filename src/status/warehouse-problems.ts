import { group } from 'd3-array';
import type { Config } from '../config/config.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** Something that the warehouse knows to be wrong. What does not concern its kind is null. */
export interface WarehouseProblem {
  readonly kind: (typeof kinds)[number];
  readonly workspace: string | null;
  readonly profile_id: string | null;
  /** The profile's name. */
  readonly profile: string | null;
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

const kinds = [
  'failed_range',
  'rejected_deletions',
  'kept_deletions',
  'later_reading',
  'unreadable_values',
] as const;

/**
 * Reads them by kind, and within a kind by the order of the profiles in jobs.yaml. Profiles that are not configured are
 * left out. The session has the table `failed_windows`, and the names of metrics.
 */
export async function readWarehouseProblems(
  database: Database,
  { workspaces }: Pick<Config, 'workspaces'>,
  now: Date,
): Promise<WarehouseProblem[]> {
  const params = { now, workspaces: [...workspaces.keys()] };
  const rows = await database.queryObjects<WarehouseProblem>(
    await readSql('status/open_problems.sql'),
    params,
  );
  const byProfile = group(rows, problemProfile);
  const profiles = [...workspaces.values()].flatMap((workspace) => workspace.profiles);
  const known = [
    ...rows.filter(({ profile_id: id }) => id === null),
    ...profiles.flatMap(({ workspace, id: profile_id, name: profile }) =>
      (byProfile.get(problemProfile({ workspace, profile_id })) ?? []).map((row) => {
        return { ...row, profile };
      }),
    ),
  ];
  return kinds.flatMap((kind) => known.filter((row) => row.kind === kind));
}

/** Identifies the profile of a problem. */
export function problemProfile({
  workspace,
  profile_id: id,
}: Pick<WarehouseProblem, 'workspace' | 'profile_id'>): string {
  return `${workspace}/${id}`;
}
