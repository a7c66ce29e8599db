import { readSegment } from '../../inbox/spool/read-segment.ts';
import { listSegments } from '../../inbox/spool/segment.ts';
import type { Cell } from '../../warehouse/cell.ts';
import type { Database } from '../../warehouse/database.ts';
import { readSql } from '../../warehouse/sql-file.ts';

/** How things stand with webhook events. Times are ISO 8601 in UTC. */
export interface EventStatus {
  readonly pending: PendingEvents;
  readonly applied: number;
  readonly kept: number;
  readonly rejected: number;
  /** Why events were kept or rejected, the most frequent first, ten at most. */
  readonly reasons: readonly EventReason[];
}

/** Events in the inbox that the warehouse does not have. */
interface PendingEvents {
  readonly events: number;
  /** Of their payloads. */
  readonly bytes: number;
  readonly oldest_received_at: string | null;
}

interface EventReason {
  readonly outcome: string;
  readonly reason: string;
  readonly events: number;
  readonly last_received_at: string;
}

const reasonsShown = 10;

/**
 * From the inbox and the published warehouse; changes nothing in either.
 * @param database null before the first load
 */
export async function readEventStatus(
  dataDir: string,
  database: Database | null,
): Promise<EventStatus> {
  const read = async (name: string, params = {}): Promise<Record<string, Cell>[]> =>
    database ? database.queryObjects(await readSql(`status/${name}.sql`), params) : [];
  const counts = new Map(
    (await read('event_outcomes')).map((row) => [row['outcome'], Number(row['events'])]),
  );
  const reasons = await read('event_reasons', { limit: reasonsShown });
  return {
    pending: await readPending(dataDir, database),
    applied: counts.get('applied') ?? 0,
    kept: counts.get('kept') ?? 0,
    rejected: counts.get('rejected') ?? 0,
    reasons: reasons.map((row) => ({
      outcome: String(row['outcome']),
      reason: String(row['reason']),
      events: Number(row['events']),
      last_received_at: String(row['last_received_at']),
    })),
  };
}

/** Segment by segment, so that a large inbox takes no more memory than a small one, but for the keys. */
async function readPending(dataDir: string, database: Database | null): Promise<PendingEvents> {
  const seen = new Set<string>();
  let bytes = 0;
  let oldest: string | null = null;
  for (const segment of await listSegments(dataDir)) {
    const content = await readSegment(segment);
    const events = content?.events ?? [];
    const unloaded = await selectUnloaded(
      events.map(({ eventKey }) => eventKey),
      database,
    );
    for (const { eventKey, payload, receivedAt } of events) {
      if (!unloaded.has(eventKey) || seen.has(eventKey)) continue;
      seen.add(eventKey);
      bytes += Buffer.byteLength(payload);
      if (oldest === null || receivedAt < oldest) oldest = receivedAt;
    }
  }
  return { events: seen.size, bytes, oldest_received_at: oldest };
}

async function selectUnloaded(
  keys: readonly string[],
  database: Database | null,
): Promise<ReadonlySet<string>> {
  if (!database || keys.length === 0) return new Set(keys);
  const { rows } = await database.query(await readSql('status/unloaded_keys.sql'), { keys });
  return new Set(rows.map(([key]) => String(key)));
}
