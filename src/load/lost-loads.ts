import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';

/** Responses of one part of a run that the warehouse has, and nothing else. */
export interface LostResponses {
  readonly workspace: string;
  readonly runId: string;
  readonly seqs: readonly number[];
}

/** What there is beside the warehouse. */
export interface Kept {
  hasResponse(workspace: string, runId: string, seq: number): boolean;
  hasEvent(eventKey: string): boolean;
}

const eventsAtOnce = 50_000;

/** By workspace and run. */
export async function findLostResponses(database: Database, kept: Kept): Promise<LostResponses[]> {
  const rows = await database.queryObjects(await readSql('archive/loaded_parts.sql'));
  return rows
    .map((row) => {
      const [workspace, runId] = [String(row['workspace']), String(row['run_id'])];
      const loaded = String(row['seqs']).split(',').map(Number);
      const seqs = loaded.filter((seq) => !kept.hasResponse(workspace, runId, seq));
      return { workspace, runId, seqs };
    })
    .filter(({ seqs }) => seqs.length > 0);
}

/** Keys of events that the warehouse has, and nothing else. */
export async function findLostEvents(database: Database, kept: Kept): Promise<string[]> {
  const sql = await readSql('archive/loaded_events.sql');
  const lost: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { rows } = await database.query(sql, { after, limit: eventsAtOnce });
    const keys = rows.map(([key]) => String(key));
    lost.push(...keys.filter((key) => !kept.hasEvent(key)));
    after = keys.at(-1);
  }
  return lost;
}
