import type { Finding } from '../archive/finding.ts';
import { keyBytes } from '../inbox/spool/key-index.ts';
import { fileIdentity } from '../warehouse/file-identity.ts';
import { remakeWarehouse, tryChange, withWarehouseLock } from '../warehouse/warehouse.ts';
import { WarehouseMissingError } from '../warehouse/warehouse-errors.ts';
import { mergeLanded, type Merged } from './load-landed.ts';
import type { RebuildOptions } from './rebuild.ts';
import { compareTables, isDifferent, type TableDifference } from './rebuild/compare-tables.ts';
import { findLosses } from './rebuild/losses.ts';
import { mergeSources } from './rebuild/merge-sources.ts';
import { gatherSources, readSlugHistory, type Sources } from './rebuild/sources.ts';

export type CheckOptions = Omit<RebuildOptions, 'acceptsDamage'>;

export interface RebuildCheck {
  readonly tables: readonly TableDifference[];
  /** What of the archive is not as it was archived. */
  readonly damages: readonly Finding[];
  /** Of the missing snapshots, those whose responses were pruned. */
  readonly prunedSnapshots: number;
  /** Whether a rebuild would change nothing, but for pruned snapshots where those are accepted. */
  readonly isSame: boolean;
}

/**
 * Makes the warehouse anew as a rebuild does, and compares it, table by table and exactly, with what a load would
 * make of the published one now. Nothing is published, archived or set aside.
 * @throws WarehouseMissingError when there is nothing to compare with
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function checkRebuild(options: CheckOptions): Promise<RebuildCheck> {
  const { config, log } = options;
  return withWarehouseLock(accessOf(options), async () => {
    if ((await fileIdentity(config.warehouse)) === null) throw nothingToCompare(config.warehouse);
    const sources = await gatherSources(config);
    const { parts } = sources.landed;
    return tryChange(
      accessOf(options),
      (space) => mergeLanded(space, { config, log, isTrial: true }, parts, sources.segments),
      ({ path, value }) => compareRebuilt(path, value, sources, options),
    );
  });
}

/** @param loaded a copy of the published file with all that a load takes in */
async function compareRebuilt(
  loaded: string,
  { inbox }: Merged,
  sources: Sources,
  options: CheckOptions,
): Promise<RebuildCheck> {
  const history = await readSlugHistory(options.config, inbox.dueSlugs);
  // a receiver may have gone on writing since
  const inboxLimit = new Map(
    inbox.segments.map(({ name, keys }) => [name, keys.length / keyBytes]),
  );
  const merging = { ...options, history, inboxLimit };
  return remakeWarehouse(
    accessOf(options),
    (space) => mergeSources(space, sources, merging),
    async ({ path, folder, value: { damages, prunedFile } }) => {
      const tables = await compareTables(loaded, path, folder);
      const { snapshots } = await findLosses({
        published: loaded,
        rebuilt: path,
        folder,
        prunedFile,
        onUnreadable: () => undefined,
      });
      const excused = options.acceptsPruned ? snapshots : 0;
      const isSame = tables.every((table) => isExcused(table, excused));
      return { tables, damages, prunedSnapshots: snapshots, isSame };
    },
  );
}

/** Each snapshot of a pruned response is missing, or another reading of that day stands for it. */
function isExcused(difference: TableDifference, prunedSnapshots: number): boolean {
  if (!isDifferent(difference)) return true;
  const { table, missing, extra, differing } = difference;
  return (
    table === 'linkedin_post_snapshots' && extra === 0 && missing + differing === prunedSnapshots
  );
}

function accessOf({ config, clock, waitMs, signal, log }: CheckOptions) {
  return { path: config.warehouse, clock, waitMs, signal, log, purpose: 'checking' };
}

function nothingToCompare(path: string): WarehouseMissingError {
  return new WarehouseMissingError(
    `there is no warehouse at ${path} to compare with; \`postledger rebuild\` makes it`,
  );
}
