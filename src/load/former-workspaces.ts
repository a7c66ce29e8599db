import type { Config } from '../config/config.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** A workspace of the warehouse that is not configured, and one that is and has profiles of it. */
export interface FormerWorkspace {
  readonly former_workspace: string;
  readonly workspace: string;
  /** That both have. */
  readonly profiles: number;
  /** Of those profiles, under the former one. */
  readonly posts: number;
}

/**
 * Workspaces that somebody gave another key: posts of their profiles stand, or will stand after the next run, under
 * both, and whatever is summed over all workspaces counts them twice.
 */
export async function listFormerWorkspaces(
  database: Database,
  { workspaces }: Pick<Config, 'workspaces'>,
): Promise<FormerWorkspace[]> {
  const rows = await database.queryObjects(await readSql('status/profile_posts.sql'));
  const former = rows.filter(({ workspace }) => !workspaces.has(String(workspace)));
  const keys = new Set(former.map(({ workspace }) => String(workspace)));
  return [...keys].flatMap((former_workspace) => {
    const known = former.filter(({ workspace }) => workspace === former_workspace);
    return [...workspaces.values()].flatMap(({ key: workspace, profiles }) => {
      const ids = new Set(profiles.map(({ id }) => id));
      const both = known.filter((row) => ids.has(String(row['profile_id'])));
      const posts = both.reduce((sum, row) => sum + Number(row['posts']), 0);
      return both.length === 0
        ? []
        : [{ former_workspace, workspace, profiles: both.length, posts }];
    });
  });
}

export async function tellOfFormerWorkspaces(
  database: Database,
  config: Pick<Config, 'workspaces'>,
  log: Log,
): Promise<void> {
  for (const former of await listFormerWorkspaces(database, config)) {
    const { former_workspace: key, workspace } = former;
    log.warn(
      { ...former },
      `the warehouse has posts of the workspace ${key}, which is not configured, of profiles that ${workspace} has now: reports over all workspaces count them twice; call ${workspace} ${key} again, or give reports --workspace ${workspace}`,
    );
  }
}
