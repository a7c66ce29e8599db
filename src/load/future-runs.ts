import type { Log } from '../core/log.ts';
import { clockSkewHours } from '../plan/plan.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** A run that read something later than is possible. */
export interface FutureRun {
  readonly run_id: string;
  readonly last_read_at: string;
}

/**
 * Runs that were made under a clock that was put back since, or under a right one while this machine's is wrong.
 * The later reading wins, so theirs win over newer ones until that time has come.
 */
export async function listFutureRuns(database: Database, now: Date): Promise<FutureRun[]> {
  const until = new Date(now.getTime() + clockSkewHours * 3_600_000);
  const rows = await database.queryObjects(await readSql('status/future_runs.sql'), { until });
  return rows.map((row) => ({
    run_id: String(row['run_id']),
    last_read_at: String(row['last_read_at']),
  }));
}

export async function tellOfFuture(database: Database, now: Date, log: Log): Promise<void> {
  const runs = await listFutureRuns(database, now);
  if (runs.length === 0) return;
  log.warn(
    { runs: runs.map(({ run_id }) => run_id), now: now.toISOString() },
    "the warehouse has readings of a time that is yet to come, which win over newer ones until then: set this machine's clock if it is wrong; if it was wrong then, move these runs' folders out of data_dir/archive and run `postledger rebuild --accept-damage`",
  );
}
