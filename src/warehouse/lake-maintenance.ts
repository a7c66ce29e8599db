import type { LakeConfig } from '../config/config.ts';
import { BusyError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { attachLake, connectLake, lakeName, requireSnapshot } from './lake.ts';

export interface Maintenance {
  /** Files that were written in place of smaller ones, or of ones with many deleted rows. */
  readonly filesWritten: number;
  /** Snapshots that can no longer be read. */
  readonly snapshotsExpired: number;
  /** Files that no snapshot needs any more, and that are gone. */
  readonly filesRemoved: number;
}

/**
 * Merges small files, expires snapshots, and removes files that nothing has needed for as long. The caller keeps all
 * loads out.
 * @throws BusyError while another transaction is open in the catalog
 */
export async function maintainLake(
  lake: LakeConfig,
  { keepDays, signal }: { keepDays: number; signal?: AbortSignal },
): Promise<Maintenance> {
  const { database, catalog } = await connectLake(lake, lake.writer);
  if (signal) database.interruptOn(signal);
  try {
    requireSnapshot(catalog, lake);
    if (catalog.openTransactions > 0) {
      throw new BusyError(
        `${lakeName(lake)}: ${catalog.openTransactions} other transactions are open in the catalog, and what they read must stay; run it again when they have ended`,
      );
    }
    await attachLake(database, lake, lake.writer, 'lake', 'write');
    const before = `older_than => now() - interval ${keepDays} days`;
    const rewritten = await count(database, "ducklake_rewrite_data_files('lake')", 'files_created');
    const merged = await count(database, "ducklake_merge_adjacent_files('lake')", 'files_created');
    const expired = await count(database, `ducklake_expire_snapshots('lake', ${before})`);
    const cleaned = await count(database, `ducklake_cleanup_old_files('lake', ${before})`);
    // a load that has begun meanwhile has files that no snapshot has yet
    const abandoned = `older_than => now() - interval ${Math.max(keepDays, 1)} days`;
    const orphaned = await count(database, `ducklake_delete_orphaned_files('lake', ${abandoned})`);
    return {
      filesWritten: rewritten + merged,
      snapshotsExpired: expired,
      filesRemoved: cleaned + orphaned,
    };
  } finally {
    database.close();
  }
}

/** @param column summed; left out: rows are counted */
async function count(database: Database, call: string, column?: string): Promise<number> {
  const value = column ? `coalesce(sum(${column}), 0)` : 'count(*)';
  const { rows } = await database.query(`select ${value} from ${call}`);
  return Number(rows[0]?.[0]);
}
