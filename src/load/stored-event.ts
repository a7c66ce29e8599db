import {
  inviteCreatedEventSchema,
  postDeletedEventSchema,
  type InviteCreatedEvent,
  type PostDeletedEvent,
} from '../api/schemas/events.ts';
import { lenient, problemsOf, type Lenient } from '../api/schemas/lenient-schema.ts';
import { fieldOf, repairJsonText } from '../core/json.ts';
import { readIsoTime } from '../core/iso-time.ts';
import type { StoredEvent } from '../store/event-store.ts';
import { columnsOf, personName, stageLabel, unknownFields } from './staged-fields.ts';

/** The content of an event whose type is known, or why it does not fit that type. */
interface EventContent {
  readonly post?: ReturnType<typeof stageRemoval>;
  readonly invite?: ReturnType<typeof stageInvite>;
  readonly problem?: string;
}

/** The known types of events: the field of their data that holds the subject, and the function that reads it. */
const knownTypes = new Map<string, { subject: string; read: (event: unknown) => EventContent }>([
  ['post.permanently_deleted', { subject: 'post', read: readRemoval }],
  ['invite.created', { subject: 'invite', read: readInvite }],
]);

/** The type of an event by which a person discards one that was rejected. */
export const discardType = 'postledger.event_discarded';

/** What every event has, whatever its type: the receiver stores no other. */
interface Envelope {
  readonly type: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** One event, as sql/load/webhook_events.sql reads it. */
export type StagedEvent = ReturnType<typeof parseStoredEvent>;

/** Reads an event by its type. What becomes of it depends on the configured slugs too: sql/load/event_outcomes.sql. */
export function parseStoredEvent({ key, receivedAt, via, bodyText, body }: StoredEvent) {
  const payload = repairJsonText(bodyText);
  const event = (payload === bodyText ? body : JSON.parse(payload)) as Envelope;
  const known = knownTypes.get(event.type);
  const { id, slug } = findWorkspace(event.data, known?.subject);
  return {
    event_key: key,
    type: event.type,
    created_at: event.createdAt,
    received_at: receivedAt,
    workspace_id: id,
    workspace_slug: slug,
    payload,
    ...(event.type === discardType && via === 'http'
      ? { problem: 'only `postledger webhooks discard` discards an event' }
      : known?.read(event)),
  };
}

/** The id and the workspace say which post is gone. */
const removalSchema = lenient(postDeletedEventSchema, [
  'createdAt',
  'data',
  'data.post',
  'data.post.id',
  'data.post.labels.id',
  'data.post.campaign.id',
  'data.post.workspace',
  'data.post.workspace.slug',
]);
const { post: deletedPostSchema } = postDeletedEventSchema.shape.data.shape;
type DeletedPost = Lenient<PostDeletedEvent['data']['post']>;

/** Reads an event of the type `post.permanently_deleted`, or gives the reason why it cannot be read. */
function readRemoval(event: unknown): EventContent {
  const read = removalSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error) };
  const { createdAt, data } = read.data;
  return { post: stageRemoval(data?.post ?? {}, createdAt ?? null) };
}

function stageRemoval(post: DeletedPost, createdAt: string | null) {
  return {
    post_id: post.id ?? null,
    ...columnsOf(post, deletedPostSchema),
    labels: post.labels?.map(stageLabel) ?? null,
    campaign: post.campaign ? stageCampaign(post.campaign) : null,
    removed_at: post.deletedAt ?? createdAt,
    // it is null when the trash was emptied automatically
    removed_by: post.deletedBy ? personName(post.deletedBy) : null,
    // JSON, as are x and extra
    linkedin: post.linkedIn ? JSON.stringify(post.linkedIn) : null,
    x: post.x ? JSON.stringify(post.x) : null,
    extra: unknownFields(post, deletedPostSchema),
  };
}

function stageCampaign({ id, name, startDate, endDate }: NonNullable<DeletedPost['campaign']>) {
  const areDatesGiven = startDate !== undefined || endDate !== undefined;
  return {
    campaign_id: id ?? null,
    name: name ?? null,
    dates: areDatesGiven ? { start_date: dayOf(startDate), end_date: dayOf(endDate) } : null,
  };
}

/**
 * Returns a day, or the day as written of a time. Null for a text that is neither: its form is not documented, and no
 * event is rejected for it.
 */
function dayOf(written: string | null | undefined): string | null {
  const day = written?.slice(0, 'YYYY-MM-DD'.length) ?? '';
  const isDay = readIsoTime(written === day ? `${day}T00:00` : (written ?? '')) !== null;
  return isDay ? day : null;
}

const inviteSchema = lenient(inviteCreatedEventSchema, [
  'createdAt',
  'data',
  'data.invite',
  'data.invite.id',
  'data.invite.email',
  'data.invite.createdAt',
  'data.invite.invitedBy',
  'data.invite.workspace',
  'data.invite.workspace.slug',
  'data.invite.sentEmail',
]);

/** Reads an event of the type `invite.created`, or gives the reason why it cannot be read. */
function readInvite(event: unknown): EventContent {
  const read = inviteSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error) };
  return { invite: stageInvite(read.data.data?.invite ?? {}) };
}

function stageInvite(invite: Lenient<InviteCreatedEvent['data']['invite']>) {
  return {
    invite_id: invite.id ?? null,
    ...columnsOf(invite, inviteCreatedEventSchema.shape.data.shape.invite),
    invited_by: personName(invite.invitedBy ?? {}),
    workspace_slug: invite.workspace?.slug ?? null,
  };
}

/**
 * The workspace that an event names, of whatever type it is: that of its subject, else `data.workspace`,
 * else the first `workspace` of anything in its data, by name.
 * @param subject the field of the data that the event is of, where its type is known
 */
function findWorkspace(data: unknown, subject: string | undefined) {
  const keys = typeof data === 'object' && data !== null ? Object.keys(data).sort() : [];
  const others = [data, ...keys.map((key) => fieldOf(data, key))];
  const candidates = subject === undefined ? others : [fieldOf(data, subject), ...others];
  const found = candidates.map(referenceIn).find(({ id, slug }) => id !== null || slug !== null);
  return found ?? { id: null, slug: null };
}

function referenceIn(candidate: unknown) {
  const workspace = fieldOf(candidate, 'workspace');
  return { id: nameOf(fieldOf(workspace, 'id')), slug: nameOf(fieldOf(workspace, 'slug')) };
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
