import { listArchivedRuns, listNewestRuns, type ArchivedRun } from '../archive/archived-runs.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';

/**
 * The archived parts of runs that the warehouse knows nothing of, as where an older copy of it was put back: no load
 * brings them, as loads look at landing alone.
 */
export async function listMissingRuns(database: Database, dataDir: string): Promise<ArchivedRun[]> {
  return missingOf(database, await listArchivedRuns(dataDir));
}

/** Warns when the warehouse does not have what the archive was given last. */
export async function tellOfLag(database: Database, dataDir: string, log: Log): Promise<void> {
  if ((await missingOf(database, await listNewestRuns(dataDir))).length === 0) return;
  const missing = await listMissingRuns(database, dataDir);
  log.warn(
    { missing: missing.length, newest: missing.at(-1) },
    'the archive has runs that the warehouse does not have: was an older copy of it put back? `postledger rebuild` takes them in',
  );
}

async function missingOf(
  database: Database,
  places: readonly ArchivedRun[],
): Promise<ArchivedRun[]> {
  const sql = await readSql('status/missing_parts.sql');
  const { rows } = await database.query(sql, { places });
  return rows.map(([place]) => String(place));
}
