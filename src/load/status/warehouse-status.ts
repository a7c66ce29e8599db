import { stat } from 'node:fs/promises';
import { listArchivedRuns } from '../../archive/archived-runs.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../warehouse/database.ts';
import { readProvenance } from '../../warehouse/publish-record.ts';
import { listMissingRuns } from '../archive-lag.ts';
import { listFormerWorkspaces, type FormerWorkspace } from '../former-workspaces.ts';
import { listFutureRuns, type FutureRun } from '../future-runs.ts';

/** How things stand with the published file itself. */
export interface WarehouseStatus {
  readonly path: string;
  /** Null when there is none. */
  readonly bytes: number | null;
  /**
   * `ours`: it is the file that was published; `foreign`: another program has changed or replaced it since;
   * `unrecorded`: nobody knows, as an earlier version published it.
   */
  readonly provenance: 'missing' | 'ours' | 'foreign' | 'unrecorded';
  /** When it was noticed that another program's changes are in it; null when there are none that are known of. */
  readonly foreign_since: string | null;
  /** Parts of runs that the archive has and it has not; 0 where it cannot be read. */
  readonly missing_runs: number;
  /** Whose clock was wrong, or this machine's is now: their figures win over newer ones until then. */
  readonly future_runs: readonly FutureRun[];
  /** That were given another key, so that their posts count twice. */
  readonly former_workspaces: readonly FormerWorkspace[];
}

/** @param database null where there is none that can be read */
export async function readWarehouseStatus(
  config: Config,
  database: Database | null,
  now: Date,
): Promise<WarehouseStatus> {
  const { warehouse: path, dataDir } = config;
  const { state, foreignSince } = await readProvenance(path);
  return {
    path,
    bytes: await sizeOf(path),
    provenance: state,
    foreign_since: foreignSince?.toISOString() ?? null,
    missing_runs: await countMissingRuns(database, dataDir, state === 'missing'),
    future_runs: database ? await listFutureRuns(database, now) : [],
    former_workspaces: database ? await listFormerWorkspaces(database, config) : [],
  };
}

async function countMissingRuns(
  database: Database | null,
  dataDir: string,
  isMissing: boolean,
): Promise<number> {
  if (database) return (await listMissingRuns(database, dataDir)).length;
  return isMissing ? (await listArchivedRuns(dataDir)).length : 0;
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
