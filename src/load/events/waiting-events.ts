import { readHeads } from '../../inbox/spool/read-segment.ts';
import { listSegments, type Segment } from '../../inbox/spool/segment.ts';
import type { Database } from '../../warehouse/database.ts';
import { readSql } from '../../warehouse/sql-file.ts';

/** An event of the inbox, without what it says. */
interface WaitingEvent {
  readonly receivedAt: string;
  /** Of its payload. */
  readonly bytes: number;
  readonly segment: Segment;
}

export type WaitingEvents = ReadonlyMap<string, WaitingEvent>;

/**
 * The inbox's events by key, whether loaded or not; of several copies the one that came first. A reader of the
 * warehouse calls this before it opens that: what is loaded in the meantime is then in both, and not in neither.
 */
export async function readWaiting(dataDir: string): Promise<WaitingEvents> {
  const waiting = new Map<string, WaitingEvent>();
  for (const segment of await listSegments(dataDir)) {
    for (const { eventKey, receivedAt, payloadBytes } of (await readHeads(segment)) ?? []) {
      const other = waiting.get(eventKey);
      if (other !== undefined && other.receivedAt <= receivedAt) continue;
      waiting.set(eventKey, { receivedAt, bytes: payloadBytes, segment });
    }
  }
  return waiting;
}

/** Of these keys, those that the warehouse does not have. @param database null before the first load */
export async function selectUnloaded(
  keys: readonly string[],
  database: Database | null,
): Promise<readonly string[]> {
  if (database === null || keys.length === 0) return keys;
  const { rows } = await database.query(await readSql('status/unloaded_keys.sql'), { keys });
  return rows.map(([key]) => String(key));
}
