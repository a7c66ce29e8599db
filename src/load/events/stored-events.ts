import type { Database } from '../../warehouse/database.ts';
import { readSql } from '../../warehouse/sql-file.ts';
import { formerReasons, type EventCopy } from './judge-event.ts';
import type { WorkspaceSlugs } from './workspace-slugs.ts';

/**
 * `waiting`: not applied yet, and of a workspace that was not configured and is by now, or is another one by now; or
 * of a type that was not known and is by now.
 */
export type EventSelection = 'all' | 'rejected' | 'waiting';

const chunkBytes = 8 * 1024 * 1024;

/** Events of the warehouse, in pieces, as they stood when the first was asked for. */
export async function* readStoredEvents(
  database: Database,
  selection: EventSelection,
  slugs: WorkspaceSlugs,
): AsyncGenerator<EventCopy[]> {
  const { rows } = await database.query(await readSql('load/selected_events.sql'), {
    selection,
    slugs: [...slugs.keys()],
    workspaces: [...slugs.values()],
    former_reasons: formerReasons,
    chunk_bytes: chunkBytes,
  });
  const read = await readSql('load/event_chunk.sql');
  for (const [chunk] of rows) {
    const events = await database.queryObjects(read, { chunk: Number(chunk) });
    yield events.map((event) => ({
      eventKey: String(event['event_key']),
      receivedAt: String(event['received_at']),
      payload: String(event['payload']),
    }));
  }
}
