import type { Config } from '../config/config.ts';
import type { Cell } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { readWaiting, type WaitingEvents } from './events/waiting-events.ts';
import { readPending } from './pending-events.ts';
import {
  isOutcomeWanted,
  loadedOutcomes,
  namesOfWorkspace,
  newest,
  type EventQuery,
  type ReceivedEvent,
  type ReceivedEvents,
} from './received-event.ts';

const none: WaitingEvents = new Map();

/** Events of the published warehouse, and those of the inbox that it does not have. Changes nothing. */
export async function readReceivedEvents(
  config: Config,
  query: EventQuery,
): Promise<ReceivedEvents> {
  let found: ReceivedEvents | null = null;
  // again only when a load has moved events from the one to the other in the meantime
  while (found === null) {
    const isWaitingWanted = isOutcomeWanted('pending', query);
    found = await readBoth(
      config,
      query,
      isWaitingWanted ? await readWaiting(config.dataDir) : none,
    );
  }
  return found;
}

/** @returns null when a load has moved events that waited */
async function readBoth(
  config: Config,
  query: EventQuery,
  waiting: WaitingEvents,
): Promise<ReceivedEvents | null> {
  const database = await openIfPresent(config.warehouse);
  try {
    const pending = await readPending(waiting, database, config, query);
    if (pending === null) return null;
    return newest([...pending, ...(await readLoaded(database, config, query))], query.limit);
  } finally {
    database?.close();
  }
}

/** One more than the limit, if there is. */
async function readLoaded(
  database: Database | null,
  config: Config,
  query: EventQuery,
): Promise<ReceivedEvent[]> {
  const isWanted = loadedOutcomes.some((outcome) => isOutcomeWanted(outcome, query));
  if (database === null || !isWanted) return [];
  const rows = await database.queryObjects(await readSql('status/received_events.sql'), {
    key: query.key,
    types: query.types,
    outcomes: query.outcomes,
    workspaces: namesOfWorkspace(config, query),
    since: query.since,
    until: query.until,
    limit: query.limit === null ? Number.MAX_SAFE_INTEGER : query.limit + 1,
  });
  return rows.map(describeLoaded);
}

function describeLoaded(row: Record<string, Cell>): ReceivedEvent {
  const text = (name: string) => String(row[name]);
  const textOrNull = (name: string) => (row[name] === null ? null : text(name));
  const outcome = loadedOutcomes.find((each) => each === row['outcome']);
  if (outcome === undefined) {
    throw new RangeError(`webhook_events has an outcome that is none: ${text('outcome')}`);
  }
  return {
    event_key: text('event_key'),
    type: text('type'),
    created_at: textOrNull('created_at'),
    received_at: text('received_at'),
    workspace_id: textOrNull('workspace_id'),
    workspace_slug: textOrNull('workspace_slug'),
    workspace: textOrNull('workspace'),
    outcome,
    reason: textOrNull('reason'),
    payload: text('payload'),
  };
}
