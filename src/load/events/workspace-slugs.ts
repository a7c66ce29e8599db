import type { Config } from '../../config/config.ts';

/** The workspaces of jobs.yaml: their keys by the slugs that events name them by. */
export type WorkspaceSlugs = ReadonlyMap<string, string>;

/** Of the configured workspaces no two have the same slug. */
export function slugsOf({ workspaces }: Pick<Config, 'workspaces'>): WorkspaceSlugs {
  return new Map([...workspaces.values()].map(({ slug, key }) => [slug, key]));
}
