import { shownValue } from '../../core/shown-value.ts';
import { readJsonObject } from '../../inbox/events/json-text.ts';
import type { SpooledEvent } from '../../inbox/spool/segment.ts';
import { repairJsonText } from '../well-formed.ts';
import { readInvite, type StagedInvite } from './invite.ts';
import { readRemoval, type StagedRemoval } from './removal.ts';
import { findWorkspace } from './workspace-reference.ts';
import type { WorkspaceSlugs } from './workspace-slugs.ts';

/** An event to judge, from the inbox or from the warehouse. */
export type EventCopy = Pick<SpooledEvent, 'eventKey' | 'receivedAt' | 'payload'>;

/** One event as sql/load/stage_events.sql takes it. */
export interface StagedEvent {
  readonly event_key: string;
  readonly type: string;
  readonly created_at: string;
  readonly received_at: string;
  readonly workspace_id: string | null;
  readonly workspace_slug: string | null;
  /** Its key; null when no workspace has that slug. */
  readonly workspace: string | null;
  readonly payload: string;
  readonly outcome: 'applied' | 'kept' | 'rejected';
  /** Null of one that is applied. */
  readonly reason: string | null;
  /** Kept for nothing but that its workspace is not configured. */
  readonly is_foreign: boolean;
  readonly post: StagedRemoval | null;
  readonly invite: StagedInvite | null;
}

type Verdict = Pick<StagedEvent, 'outcome' | 'reason'> & Partial<StagedEvent>;
type ReadEvent = Partial<Pick<StagedEvent, 'post' | 'invite'>> | { readonly problem: string };

/** How events of the known types are read, and where in their data stands what they are of. */
const knownTypes = new Map<
  string,
  { subject: string; read: (event: unknown, payload: string) => ReadEvent }
>([
  ['post.permanently_deleted', { subject: 'post', read: readRemoval }],
  ['invite.created', { subject: 'invite', read: readInvite }],
]);

/** Why an earlier version kept events of types that this one knows. */
export const formerReasons: readonly string[] = [...knownTypes.keys()].map(unknownType);

/**
 * What becomes of an event: `applied` when it is of a known type, fits it and is of a configured workspace;
 * `rejected` when it is of a known type that it does not fit; else `kept`.
 */
export function judgeEvent(copy: EventCopy, slugs: WorkspaceSlugs): StagedEvent {
  const payload = repairPayload(copy.payload);
  const event = JSON.parse(payload) as { type: string; createdAt: string; data: unknown };
  const { id, slug } = findWorkspace(event.data, knownTypes.get(event.type)?.subject);
  const workspace = slug === null ? null : (slugs.get(slug) ?? null);
  return {
    event_key: copy.eventKey,
    type: event.type,
    created_at: event.createdAt,
    received_at: copy.receivedAt,
    workspace_id: id,
    workspace_slug: slug,
    workspace,
    payload,
    is_foreign: false,
    post: null,
    invite: null,
    ...judge(event, payload, slug, workspace),
  };
}

function judge(
  event: { type: string },
  payload: string,
  slug: string | null,
  workspace: string | null,
): Verdict {
  const known = knownTypes.get(event.type);
  if (!known) {
    return { outcome: 'kept', reason: unknownType(event.type) };
  }
  const read = known.read(event, payload);
  if ('problem' in read) return { outcome: 'rejected', reason: read.problem };
  if (workspace !== null) return { outcome: 'applied', reason: null, ...read };
  const reason = `the workspace ${shownValue(slug)} is not configured`;
  return { outcome: 'kept', reason, is_foreign: true };
}

/**
 * JSON that DuckDB takes. Keys that its repair makes equal get the order of the canonical text first: of these
 * the last one counts, which must not depend on how a copy of the event was written.
 */
function repairPayload(payload: string): string {
  const isWhole = repairJsonText(payload) === payload;
  return isWhole ? payload : repairJsonText(readJsonObject(payload).canonical);
}

function unknownType(type: string): string {
  return `the type ${shownValue(type)} is not known`;
}
