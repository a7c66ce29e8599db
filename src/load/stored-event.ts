import type { z } from 'zod';
import { fieldOf, repairJsonText } from '../core/json.ts';
import type { StoredEvent } from '../store/event-store.ts';
import {
  contentSchemas,
  flag,
  labelSchema,
  list,
  name,
  object,
  optionalDay,
  optionalText,
  personName,
  personSchema,
  problemsOf,
  text,
  time,
  workspaceSchema,
  stageLabel,
  unknownFields,
} from './lenient-schemas.ts';

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

/** One event, as sql/load/webhook_events.sql reads it. */
export type StagedEvent = ReturnType<typeof readEvent>;

/** Reads an event by its type. What becomes of it depends on the configured slugs too: sql/load/event_outcomes.sql. */
export function readEvent({ key, receivedAt, via, bodyText }: StoredEvent) {
  const payload = repairJsonText(bodyText);
  const event = JSON.parse(payload) as { type: string; createdAt: string; data: unknown };
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

const campaignSchema = object({
  id: name,
  name: optionalText,
  startDate: optionalDay,
  endDate: optionalDay,
});

/** The id and the workspace say which post is gone; all else may be missing or null, but of no other type. */
const postSchema = object({
  id: name,
  title: optionalText,
  status: optionalText,
  channels: list(text).nullish(),
  campaign: campaignSchema.nullish(),
  url: optionalText,
  labels: list(labelSchema).nullish(),
  workspace: workspaceSchema,
  deletedBy: personSchema.nullish(),
  deletedAt: time.nullish(),
  ...contentSchemas,
});
type Post = z.infer<typeof postSchema>;

const removalEventSchema = object({ createdAt: time, data: object({ post: postSchema }) });

/** Reads an event of the type `post.permanently_deleted`, or gives the reason why it cannot be read. */
function readRemoval(event: unknown): EventContent {
  const read = removalEventSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error, event) };
  return { post: stageRemoval(read.data.data.post, read.data.createdAt) };
}

function stageRemoval(post: Post, createdAt: string) {
  return {
    post_id: post.id,
    title: post.title ?? null,
    url: post.url ?? null,
    status: post.status ?? null,
    channels: post.channels ?? null,
    labels: post.labels?.map(stageLabel) ?? null,
    campaign: post.campaign ? stageCampaign(post.campaign) : null,
    removed_at: post.deletedAt ?? createdAt,
    // it is null when the trash was emptied automatically
    removed_by: post.deletedBy ? personName(post.deletedBy) : null,
    // JSON, as are x and extra
    linkedin: post.linkedIn ? JSON.stringify(post.linkedIn) : null,
    x: post.x ? JSON.stringify(post.x) : null,
    extra: unknownFields(post, postSchema),
  };
}

function stageCampaign(campaign: z.infer<typeof campaignSchema>) {
  const { id, name: campaignName, startDate, endDate } = campaign;
  const areDatesGiven = startDate !== undefined || endDate !== undefined;
  return {
    campaign_id: id,
    name: campaignName ?? null,
    dates: areDatesGiven ? { start_date: startDate ?? null, end_date: endDate ?? null } : null,
  };
}

const inviteEventSchema = object({
  createdAt: time,
  data: object({
    invite: object({
      id: name,
      email: text,
      createdAt: time,
      invitedBy: personSchema,
      workspace: workspaceSchema,
      sentEmail: flag,
    }),
  }),
});

/** Reads an event of the type `invite.created`, or gives the reason why it cannot be read. */
function readInvite(event: unknown): EventContent {
  const read = inviteEventSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error, event) };
  return { invite: stageInvite(read.data.data.invite) };
}

function stageInvite(invite: z.infer<typeof inviteEventSchema>['data']['invite']) {
  return {
    invite_id: invite.id,
    email: invite.email,
    created_at: invite.createdAt,
    invited_by: personName(invite.invitedBy),
    workspace_slug: invite.workspace.slug,
    sent_email: invite.sentEmail,
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
  const places = subject === undefined ? others : [fieldOf(data, subject), ...others];
  const found = places.map(referenceIn).find(({ id, slug }) => id !== null || slug !== null);
  return found ?? { id: null, slug: null };
}

function referenceIn(place: unknown) {
  const workspace = fieldOf(place, 'workspace');
  return { id: nameOf(fieldOf(workspace, 'id')), slug: nameOf(fieldOf(workspace, 'slug')) };
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
