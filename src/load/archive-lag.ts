import { listArchivedRuns, listNewestRuns, type ArchivedRun } from '../archive/archived-runs.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { LoadablePart } from './loadable-parts.ts';

/**
 * The archived parts of runs that the warehouse knows nothing of, as where an older copy of it was put back: no load
 * brings them, as loads look at landing alone.
 */
export async function listMissingRuns(database: Database, dataDir: string): Promise<ArchivedRun[]> {
  return missingOf(database, await listArchivedRuns(dataDir));
}

/**
 * Warns when the warehouse does not have what the archive was given last. Asked once a run, before its own part
 * begins.
 */
export async function tellOfLag(
  database: Database,
  parts: readonly LoadablePart[],
  { config, log }: { readonly config: { readonly dataDir: string }; readonly log: Log },
): Promise<void> {
  if (parts.some(({ state }) => state === 'running')) return;
  if ((await missingOf(database, await listNewestRuns(config.dataDir))).length === 0) return;
  const missing = await listMissingRuns(database, config.dataDir);
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
