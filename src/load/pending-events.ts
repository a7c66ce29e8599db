import type { Config } from '../config/config.ts';
import { readIsoTime } from '../core/iso-time.ts';
import { readSegment } from '../inbox/spool/read-segment.ts';
import type { Segment, SpooledEvent } from '../inbox/spool/segment.ts';
import type { Database } from '../warehouse/database.ts';
import { judgeEvent } from './events/judge-event.ts';
import { selectUnloaded, type WaitingEvents } from './events/waiting-events.ts';
import { slugsOf, type WorkspaceSlugs } from './events/workspace-slugs.ts';
import { namesOfWorkspace, newest, type EventQuery, type ReceivedEvent } from './received-event.ts';

/**
 * The newest of the inbox's events that the warehouse does not have, one more than the limit if there is. Only as
 * many are in memory with what they say.
 * @param waiting the inbox's events, read before the warehouse was opened
 * @returns null when a load has moved some of them in the meantime
 */
export async function readPending(
  waiting: WaitingEvents,
  database: Database | null,
  config: Config,
  query: EventQuery,
): Promise<readonly ReceivedEvent[] | null> {
  const most = query.limit === null ? null : query.limit + 1;
  const wanted = await selectWanted(waiting, database, query);
  const slugs = slugsOf(config);
  let found: readonly ReceivedEvent[] = [];
  for (const segment of segmentsOf(waiting, wanted)) {
    const content = await readSegment(segment);
    if (content === null) return null;
    const pending = firstCopies(content.events, segment, waiting)
      .filter(({ eventKey }) => wanted.has(eventKey))
      .map((copy) => describe(copy, slugs))
      .filter((event) => isWanted(event, config, query));
    found = newest([...found, ...pending], most).events;
  }
  return found;
}

/** Of a segment's events, those that came nowhere else before, each once. */
function firstCopies(
  events: readonly SpooledEvent[],
  segment: Segment,
  waiting: WaitingEvents,
): SpooledEvent[] {
  const first = new Map<string, SpooledEvent>();
  for (const event of events) {
    const known = waiting.get(event.eventKey);
    const isFirst = known?.segment === segment && known.receivedAt === event.receivedAt;
    if (isFirst) first.set(event.eventKey, event);
  }
  return [...first.values()];
}

/** By what is known of them without reading what they say. */
async function selectWanted(
  waiting: WaitingEvents,
  database: Database | null,
  { key, since, until, types, workspace, limit }: EventQuery,
): Promise<Set<string>> {
  const [first, last] = [since?.toISOString() ?? '', until?.toISOString() ?? 'Z'];
  const candidates = [...waiting].filter(
    ([eventKey, { receivedAt }]) =>
      eventKey.startsWith(key) && receivedAt >= first && receivedAt <= last,
  );
  const unloaded = new Set(
    await selectUnloaded(
      candidates.map(([eventKey]) => eventKey),
      database,
    ),
  );
  const left = candidates.filter(([eventKey]) => unloaded.has(eventKey));
  if (limit === null || types.length > 0 || workspace !== null) return unloaded;
  left.sort(
    ([a, { receivedAt: atA }], [b, { receivedAt: atB }]) => compare(atB, atA) || compare(a, b),
  );
  return new Set(left.slice(0, limit + 1).map(([eventKey]) => eventKey));
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Those that hold any of the wanted, by name. */
function segmentsOf(waiting: WaitingEvents, wanted: ReadonlySet<string>): Set<Segment> {
  const segments = new Set<Segment>();
  for (const [eventKey, { segment }] of waiting) if (wanted.has(eventKey)) segments.add(segment);
  return segments;
}

function describe(copy: SpooledEvent, slugs: WorkspaceSlugs): ReceivedEvent {
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
  const names = namesOfWorkspace(config, query);
  const isOfWorkspace = [event.workspace, event.workspace_slug].some(
    (name) => name !== null && names.includes(name),
  );
  const isOfType = query.types.length === 0 || query.types.includes(event.type);
  return isOfType && (names.length === 0 || isOfWorkspace);
}
