import type { LakeConfig } from '../config/config.ts';
import { Leases } from './leases.ts';
import type { LockOptions } from './access.ts';
import type { Database } from './database.ts';
import { attachLake, connectLake, requireSnapshot, type Shard } from './lake.ts';
import { quoteText } from './sql-text.ts';

export interface Maintenance {
  /** Files that were written in place of smaller ones, or of ones with many deleted rows. */
  readonly filesWritten: number;
  /** Snapshots that can no longer be read. */
  readonly snapshotsExpired: number;
  /** Files that no snapshot needs any more, and that are gone. */
  readonly filesRemoved: number;
}

/**
 * Merges small files, one shard after another under its lease, expires snapshots, and removes files that nothing has
 * needed for as long.
 * @throws BusyError while another process loads into a shard for longer than `waitMs`
 */
export async function maintainLake(
  lake: LakeConfig,
  keepDays: number,
  { dataDir, clock, log, waitMs, signal }: Omit<LockOptions, 'purpose'>,
): Promise<Maintenance> {
  const { database, catalog } = await connectLake(lake, lake.writer);
  try {
    if (signal) database.interruptOn(signal);
    requireSnapshot(catalog, lake);
    await attachLake(database, lake, lake.writer, 'lake', 'write');
    const leases = await Leases.open({ catalog: lake.writer.catalog, dataDir, clock, log });
    let filesWritten = 0;
    try {
      for (const shard of catalog.shards) {
        const lease = await leases.acquire(`load ${shard.name}`, waitMs, signal);
        filesWritten += await mergeFiles(database, shard).finally(() => lease.release());
      }
    } finally {
      await leases.close();
    }
    const removed = await removeOldFiles(database, keepDays);
    // a load that has begun meanwhile has files that no snapshot has yet
    const abandoned = olderThan(Math.max(keepDays, 1));
    const orphaned = await count(database, `ducklake_delete_orphaned_files('lake', ${abandoned})`);
    return { ...removed, filesWritten, filesRemoved: removed.filesRemoved + orphaned };
  } finally {
    database.close();
  }
}

/** Merges the small files of a shard's tables. The caller holds its lease. @returns how many were written */
export async function mergeFiles(database: Database, { name, tables }: Shard): Promise<number> {
  let written = 0;
  for (const work of ['ducklake_rewrite_data_files', 'ducklake_merge_adjacent_files']) {
    for (const table of tables) {
      const call = `${work}('lake', ${quoteText(table)}, schema => ${quoteText(name)})`;
      written += await count(database, call, 'files_created');
    }
  }
  return written;
}

/** Expires the snapshots that are older than these days, and removes the files that no other one has. */
export async function removeOldFiles(database: Database, keepDays: number) {
  const before = olderThan(keepDays);
  return {
    snapshotsExpired: await count(database, `ducklake_expire_snapshots('lake', ${before})`),
    filesRemoved: await count(database, `ducklake_cleanup_old_files('lake', ${before})`),
  };
}

function olderThan(days: number): string {
  return `older_than => now() - interval ${days} days`;
}

/**
 * Calls a function in a transaction of its own: it is bound to the one in which it is prepared.
 * @param column summed; left out: rows are counted
 */
async function count(database: Database, call: string, column?: string): Promise<number> {
  const value = column ? `coalesce(sum(${column}), 0)` : 'count(*)';
  const { rows } = await database.transaction(() => database.query(`select ${value} from ${call}`));
  return Number(rows[0]?.[0]);
}
