import type { Cell } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { selectUnloaded } from './received-events.ts';

/** How things stand with webhook events. Times are ISO 8601 in UTC. */
export interface EventStatus {
  readonly pending: PendingEvents;
  readonly applied: number;
  readonly kept: number;
  readonly rejected: number;
  /** Why events were kept or rejected, the most frequent first, ten at most. */
  readonly reasons: readonly EventReason[];
  /** Whether there are more than these. */
  readonly has_more_reasons: boolean;
}

/** Events on disk that the warehouse does not have. */
interface PendingEvents {
  /** Null when the warehouse cannot be read. */
  readonly events: number | null;
}

interface EventReason {
  readonly outcome: string;
  readonly reason: string;
  readonly events: number;
  readonly last_received_at: string;
}

const reasonsShown = 10;

/**
 * @param keys of the events on disk, listed before the warehouse was opened
 * @param database null before the first load
 */
export async function readEventStatus(
  keys: readonly string[],
  database: Database | null,
): Promise<EventStatus> {
  const read = async (name: string, params = {}): Promise<Record<string, Cell>[]> =>
    database ? database.queryObjects(await readSql(`status/${name}.sql`), params) : [];
  const counts = new Map(
    (await read('event_outcomes')).map((row) => [row['outcome'], Number(row['events'])]),
  );
  const reasons = await read('event_reasons', { limit: reasonsShown + 1 });
  return {
    pending: { events: (await selectUnloaded(keys, database)).length },
    applied: counts.get('applied') ?? 0,
    kept: counts.get('kept') ?? 0,
    rejected: counts.get('rejected') ?? 0,
    reasons: reasons.slice(0, reasonsShown).map((row) => ({
      outcome: String(row['outcome']),
      reason: String(row['reason']),
      events: Number(row['events']),
      last_received_at: String(row['last_received_at']),
    })),
    has_more_reasons: reasons.length > reasonsShown,
  };
}
