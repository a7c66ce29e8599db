import type { Config } from '../config/config.ts';
import { readIsoTime } from '../core/iso-time.ts';
import { readSegment } from '../inbox/spool/read-segment.ts';
import { listSegments, type SpooledEvent } from '../inbox/spool/segment.ts';
import type { Cell } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { judgeEvent, type WorkspaceSlugs } from './events/judge-event.ts';

const loadedOutcomes = ['applied', 'kept', 'rejected'] as const;
export const eventOutcomes = [...loadedOutcomes, 'pending'] as const;
/** `pending`: in the inbox, and not loaded yet. */
export type EventOutcome = (typeof eventOutcomes)[number];

/** An event and what became of it. Times are ISO 8601 in UTC. */
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
  /** Null of an event that is applied or pending. */
  readonly reason: string | null;
  /** JSON. */
  readonly payload: string;
}

/** What to look for; null, empty lists and an empty key leave nothing out. */
export interface EventQuery {
  /** The beginning of its key, lower-case hex. */
  readonly key: string;
  readonly types: readonly string[];
  readonly outcomes: readonly EventOutcome[];
  /** A workspace's key or slug. */
  readonly workspace: string | null;
  /** Of the time of receipt; inclusive, as is `until`. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** How many of the newest. */
  readonly limit: number | null;
}

export interface ReceivedEvents {
  /** The newest first. */
  readonly events: readonly ReceivedEvent[];
  /** Whether the limit left some out. */
  readonly hasMore: boolean;
}

/** Events of the published warehouse, and those of the inbox that it does not have. Changes nothing. */
export async function readReceivedEvents(
  config: Config,
  query: EventQuery,
): Promise<ReceivedEvents> {
  // the inbox first: what is loaded in the meantime is then in both, and not in neither
  const candidates = areWanted('pending', query) ? await readWaiting(config, query) : [];
  const database = await openIfPresent(config.warehouse);
  try {
    const known = await readKnownKeys(database, candidates);
    const pending = candidates.filter(({ event_key: key }) => !known.has(key));
    const loaded = await readLoaded(database, config, query);
    return newest([...pending, ...loaded], query.limit);
  } finally {
    database?.close();
  }
}

function areWanted(outcome: EventOutcome, { outcomes }: EventQuery): boolean {
  return outcomes.length === 0 || outcomes.includes(outcome);
}

/** Of several copies of an event, the one that came first. */
async function readWaiting(config: Config, query: EventQuery): Promise<ReceivedEvent[]> {
  const slugs = new Map([...config.workspaces.values()].map(({ slug, key }) => [slug, key]));
  const byKey = new Map<string, ReceivedEvent>();
  for (const segment of await listSegments(config.dataDir)) {
    for (const copy of (await readSegment(segment))?.events ?? []) {
      const event = describeWaiting(copy, slugs);
      const other = byKey.get(event.event_key);
      const isEarlier = other === undefined || event.received_at < other.received_at;
      if (isEarlier && isWanted(event, config, query)) byKey.set(event.event_key, event);
    }
  }
  return [...byKey.values()];
}

function describeWaiting(copy: SpooledEvent, slugs: WorkspaceSlugs): ReceivedEvent {
  const { created_at, received_at, ...judged } = judgeEvent(copy, slugs);
  return {
    event_key: judged.event_key,
    type: judged.type,
    created_at: isoTime(created_at),
    received_at: isoTime(received_at) ?? received_at,
    workspace_id: judged.workspace_id,
    workspace_slug: judged.workspace_slug,
    workspace: judged.workspace,
    outcome: 'pending',
    reason: null,
    payload: judged.payload,
  };
}

/** As the warehouse gives times: in UTC, without milliseconds where there are none. */
function isoTime(text: string): string | null {
  return readIsoTime(text)?.toISOString().replace('.000Z', 'Z') ?? null;
}

function isWanted(event: ReceivedEvent, config: Config, query: EventQuery): boolean {
  const received = new Date(event.received_at);
  const names = workspaceNames(config, query);
  const isOfWorkspace = [event.workspace, event.workspace_slug].some(
    (name) => name !== null && names.includes(name),
  );
  return (
    event.event_key.startsWith(query.key) &&
    (query.types.length === 0 || query.types.includes(event.type)) &&
    (names.length === 0 || isOfWorkspace) &&
    (query.since === null || received >= query.since) &&
    (query.until === null || received <= query.until)
  );
}

/** The name as it is given, and the slug of the workspace that it is the key of. */
function workspaceNames({ workspaces }: Config, { workspace }: EventQuery): string[] {
  if (workspace === null) return [];
  const slug = workspaces.get(workspace)?.slug;
  return slug === undefined || slug === workspace ? [workspace] : [workspace, slug];
}

async function readKnownKeys(
  database: Database | null,
  candidates: readonly ReceivedEvent[],
): Promise<ReadonlySet<string>> {
  if (database === null || candidates.length === 0) return new Set();
  const event_keys = candidates.map((event) => event.event_key);
  const { rows } = await database.query(await readSql('status/known_events.sql'), { event_keys });
  return new Set(rows.map(([key]) => String(key)));
}

/** One more than the limit, if there is. */
async function readLoaded(
  database: Database | null,
  config: Config,
  query: EventQuery,
): Promise<ReceivedEvent[]> {
  if (database === null || !loadedOutcomes.some((each) => areWanted(each, query))) return [];
  const rows = await database.queryObjects(await readSql('status/received_events.sql'), {
    key: query.key,
    types: query.types,
    outcomes: query.outcomes,
    workspaces: workspaceNames(config, query),
    since: query.since,
    until: query.until,
    limit: query.limit === null ? Number.MAX_SAFE_INTEGER : query.limit + 1,
  });
  return rows.map(describeLoaded);
}

function describeLoaded(row: Record<string, Cell>): ReceivedEvent {
  const text = (name: string) => String(row[name]);
  const textOrNull = (name: string) => (row[name] === null ? null : text(name));
  return {
    event_key: text('event_key'),
    type: text('type'),
    created_at: textOrNull('created_at'),
    received_at: text('received_at'),
    workspace_id: textOrNull('workspace_id'),
    workspace_slug: textOrNull('workspace_slug'),
    workspace: textOrNull('workspace'),
    outcome: eventOutcomes.find((outcome) => outcome === row['outcome']) ?? 'kept',
    reason: textOrNull('reason'),
    payload: text('payload'),
  };
}

function newest(events: readonly ReceivedEvent[], limit: number | null): ReceivedEvents {
  const sorted = events.toSorted(
    (a, b) =>
      Date.parse(b.received_at) - Date.parse(a.received_at) || (a.event_key < b.event_key ? -1 : 1),
  );
  if (limit === null) return { events: sorted, hasMore: false };
  return { events: sorted.slice(0, limit), hasMore: sorted.length > limit };
}
