import { UsageError } from '../core/errors.ts';
import type { Config, WorkspaceConfig } from './config.ts';
import { didYouMean } from './nearest.ts';

/**
 * The workspace of this key, or the only one when none is named.
 * @throws UsageError for a key that the config does not have, and when several could be meant
 */
export function selectWorkspace(config: Config, key: string | undefined): WorkspaceConfig {
  const known = [...config.workspaces.keys()];
  const [only] = config.workspaces.values();
  if (key === undefined && only && known.length === 1) return only;
  if (key === undefined) {
    throw new UsageError(
      known.length === 0
        ? `${config.file} has no workspaces; add one under workspaces`
        : `${config.file} has several workspaces; name one with --workspace: ${known.join(', ')}`,
    );
  }
  const workspace = config.workspaces.get(key);
  if (workspace) return workspace;
  const hint = didYouMean(key, known) || `known are ${known.join(', ')}`;
  throw new UsageError(`no workspace ${JSON.stringify(key)} in ${config.file}; ${hint}`);
}
