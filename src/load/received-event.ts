import type { Config } from '../config/config.ts';

export const loadedOutcomes = ['applied', 'kept', 'rejected'] as const;
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

/** The newest first, as many as are asked for. */
export function newest(events: readonly ReceivedEvent[], limit: number | null): ReceivedEvents {
  const sorted = events.toSorted(
    (a, b) =>
      Date.parse(b.received_at) - Date.parse(a.received_at) || (a.event_key < b.event_key ? -1 : 1),
  );
  if (limit === null) return { events: sorted, hasMore: false };
  return { events: sorted.slice(0, limit), hasMore: sorted.length > limit };
}

/** Whether events of that outcome are asked for. */
export function isOutcomeWanted(outcome: EventOutcome, { outcomes }: EventQuery): boolean {
  return outcomes.length === 0 || outcomes.includes(outcome);
}

/** The workspace's name as it is asked for, and the slug of the workspace that it is the key of; none for all. */
export function namesOfWorkspace(
  { workspaces }: Pick<Config, 'workspaces'>,
  { workspace }: EventQuery,
): string[] {
  if (workspace === null) return [];
  const slug = workspaces.get(workspace)?.slug;
  return slug === undefined || slug === workspace ? [workspace] : [workspace, slug];
}
