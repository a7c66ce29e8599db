import { workspacesBySlug, type Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { readIsoTime } from '../core/iso-time.ts';
import {
  eventKey,
  listEventKeys,
  readEvent as readStored,
  storeEvent,
} from '../store/event-store.ts';
import { DamagedFileError } from '../store/stored-file.ts';
import type { Database } from '../warehouse/database.ts';
import { withPublished } from '../warehouse/warehouse.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { discardType, parseStoredEvent } from '../load/stored-event.ts';
import type { WarehouseProblem } from './warehouse-problems.ts';

const loadedOutcomes = ['applied', 'kept', 'rejected'] as const;
export const eventOutcomes = [...loadedOutcomes, 'pending'] as const;
/** `pending`: on disk, and not loaded yet. */
type EventOutcome = (typeof eventOutcomes)[number];

/** An event and its outcome. Times are ISO 8601 in UTC. */
export interface ReceivedEvent {
  readonly event_key: string;
  readonly type: string;
  readonly created_at: string | null;
  readonly received_at: string;
  readonly workspace_id: string | null;
  readonly workspace_slug: string | null;
  /** Its key in jobs.yaml; null when none has that slug. */
  readonly workspace: string | null;
  readonly outcome: EventOutcome;
  /** The reason of the outcome; null for an event that is applied or pending. */
  readonly reason: string | null;
  /** JSON. */
  readonly payload: string;
}

/** A filter of events. Null, empty lists and an empty key leave nothing out. */
export interface EventQuery {
  /** The beginning of its key, lower-case hex. */
  readonly key: string;
  readonly types: readonly string[];
  readonly outcomes: readonly EventOutcome[];
  /** A workspace's key or slug. */
  readonly workspace: string | null;
  /** The earliest time of receipt, inclusive, as is `until`. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** The number of events, newest first; null: all. */
  readonly limit: number | null;
}

/** Stores that events are never to be applied: an event of its own for each, which a load takes like any other. */
export async function discardEvents(
  dataDir: string,
  events: readonly Pick<ReceivedEvent, 'event_key' | 'workspace_slug'>[],
  clock: Clock,
): Promise<void> {
  for (const { event_key, workspace_slug: slug } of events) {
    const receivedAt = clock.now();
    const data = { event_key, workspace: { slug } };
    const body = { type: discardType, createdAt: receivedAt.toISOString(), data };
    const text = { key: eventKey(body), bodyText: JSON.stringify(body) };
    await storeEvent(dataDir, { ...text, receivedAt, via: 'ingest' });
  }
}

/**
 * Reads loaded events, and those on disk that the warehouse does not have, the newest first. Changes nothing.
 * @returns also whether the limit left some out
 */
export async function readReceivedEvents(config: Config, query: EventQuery) {
  // the keys are listed first, so that an event that is loaded meanwhile is in both and not in neither
  const keys = await listEventKeys(config.dataDir);
  return withPublished(config.warehouse, async (database) => {
    const loaded = await readLoaded(database, config, query);
    const pending = await readPending(await selectUnloaded(keys, database), config, query);
    const events = [...pending, ...loaded].toSorted(
      (a, b) =>
        Date.parse(b.received_at) - Date.parse(a.received_at) ||
        (a.event_key < b.event_key ? -1 : 1),
    );
    const limit = query.limit ?? events.length;
    return { events: events.slice(0, limit), hasMore: events.length > limit };
  });
}

/** Selects the keys that the warehouse does not have. @param database null before the first load */
async function selectUnloaded(
  keys: readonly string[],
  database: Database | null,
): Promise<readonly string[]> {
  if (database === null || keys.length === 0) return keys;
  const { rows } = await database.query(await readSql('status/unloaded_keys.sql'), { keys });
  return rows.map(([key]) => String(key));
}

/** The keys and slugs of workspaces that are configured, or that a loaded event names. */
export async function listEventWorkspaces(config: Config): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const [slug, key] of workspacesBySlug(config)) names.add(key).add(slug);
  const sql = await readSql('status/event_workspaces.sql');
  const loaded = await withPublished(
    config.warehouse,
    async (database) => (await database?.query(sql))?.rows,
  );
  for (const [name] of loaded ?? []) names.add(String(name));
  return names;
}

function isOutcomeWanted(outcome: EventOutcome, { outcomes }: EventQuery): boolean {
  return outcomes.length === 0 || outcomes.includes(outcome);
}

/** The workspace's name as it is asked for, and the slugs of the workspace that it is the key of; none for all. */
function workspaceNames({ workspaces }: Config, { workspace }: EventQuery): string[] {
  if (workspace === null) return [];
  return [...new Set([workspace, ...(workspaces.get(workspace)?.slugs ?? [])])];
}

/** One more than the limit, if there is. */
async function readLoaded(
  database: Database | null,
  config: Config,
  query: EventQuery,
): Promise<ReceivedEvent[]> {
  const isWanted = loadedOutcomes.some((outcome) => isOutcomeWanted(outcome, query));
  if (database === null || !isWanted) return [];
  return database.queryObjects<ReceivedEvent>(await readSql('status/received_events.sql'), {
    key: query.key,
    types: query.types,
    outcomes: query.outcomes,
    workspaces: workspaceNames(config, query),
    since: query.since,
    until: query.until,
    limit: query.limit === null ? Number.MAX_SAFE_INTEGER : query.limit + 1,
  });
}

async function readPending(
  keys: readonly string[],
  config: Config,
  query: EventQuery,
): Promise<ReceivedEvent[]> {
  if (!isOutcomeWanted('pending', query)) return [];
  const slugs = workspacesBySlug(config);
  const pending: ReceivedEvent[] = [];
  for (const key of keys.filter((each) => each.startsWith(query.key))) {
    const event = await readIfSound(config.dataDir, key);
    if (event === null) continue;
    const { event_key, type, created_at, received_at, workspace_id, workspace_slug, payload } =
      event;
    pending.push({
      event_key,
      type,
      created_at: readIsoTime(created_at)?.toISOString() ?? null,
      received_at: readIsoTime(received_at)?.toISOString() ?? received_at,
      workspace_id,
      workspace_slug,
      workspace: slugs.get(workspace_slug ?? '') ?? null,
      outcome: 'pending',
      reason: null,
      payload,
    });
  }
  return pending.filter((event) => isWanted(event, config, query));
}

/** `verify` names a damaged event, and a load warns of it. */
async function readIfSound(dataDir: string, key: string) {
  try {
    return parseStoredEvent(await readStored(dataDir, key));
  } catch (error) {
    if (error instanceof DamagedFileError) return null;
    throw error;
  }
}

function isWanted(event: ReceivedEvent, config: Config, query: EventQuery): boolean {
  const names = workspaceNames(config, query);
  const receivedAt = new Date(event.received_at);
  return (
    (query.types.length === 0 || query.types.includes(event.type)) &&
    (query.since === null || receivedAt >= query.since) &&
    (query.until === null || receivedAt <= query.until) &&
    (names.length === 0 ||
      names.includes(event.workspace ?? '') ||
      names.includes(event.workspace_slug ?? ''))
  );
}

/** Webhook events by outcome. Times are ISO 8601 in UTC. */
export type EventStatus = Awaited<ReturnType<typeof readEventStatus>>;

const reasonsShown = 10;

/**
 * @param keys of the events on disk, listed before the warehouse was opened
 * @param database null before the first load
 * @param problems what the warehouse knows to be wrong
 */
export async function readEventStatus(
  keys: readonly string[],
  database: Database | null,
  problems: readonly WarehouseProblem[],
) {
  const read = async <Row>(name: string, params = {}): Promise<Row[]> =>
    database ? database.queryObjects<Row>(await readSql(`status/${name}.sql`), params) : [];
  const outcomes = await read<{ outcome: string; events: number }>('event_outcomes');
  const count = (name: string) => outcomes.find(({ outcome }) => outcome === name)?.events ?? 0;
  const deletions = (wanted: WarehouseProblem['kind']) =>
    problems
      .filter(({ kind }) => kind === wanted)
      .map(({ workspace_slug, records }) => ({ workspace_slug, deletions: records ?? 0 }));
  const reasons = await read<{
    readonly outcome: string;
    readonly reason: string;
    readonly events: number;
    readonly last_received_at: string;
  }>('event_reasons', { limit: reasonsShown + 1 });
  const pending = (await selectUnloaded(keys, database)).length;
  return {
    /** Events on disk that the warehouse does not have; null when it cannot be read. */
    pending: { events: pending as number | null },
    applied: count('applied'),
    kept: count('kept'),
    rejected: count('rejected'),
    /** The rejected deletions, whose posts stay in the figures. */
    rejected_deletions: deletions('rejected_deletions')[0]?.deletions ?? 0,
    /** The kept deletions whose posts are known, and stay in the figures, by the slug that no workspace has. */
    kept_deletions: deletions('kept_deletions'),
    /** Why events were kept or rejected, the most frequent first. */
    reasons: reasons.slice(0, reasonsShown),
    has_more_reasons: reasons.length > reasonsShown,
  };
}
