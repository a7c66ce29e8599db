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
  type StagedLabel,
} from './lenient-schemas.ts';

/** One event, as sql/load/webhook_events.sql reads it. */
export interface StagedEvent {
  readonly event_key: string;
  readonly type: string;
  readonly created_at: string;
  readonly received_at: string;
  readonly workspace_id: string | null;
  readonly workspace_slug: string | null;
  readonly payload: string;
  /** Its content, if its type is known and it fits that type; else null. */
  readonly post: StagedRemoval | null;
  readonly invite: StagedInvite | null;
  /** Why it does not fit its type. */
  readonly problem: string | null;
}

type ReadEvent = { post: StagedRemoval } | { invite: StagedInvite } | { problem: string };

/** How events of known types are read, and the field of their data that holds their subject. */
const knownTypes = new Map<string, { subject: string; read: (event: unknown) => ReadEvent }>([
  ['post.permanently_deleted', { subject: 'post', read: readRemoval }],
  ['invite.created', { subject: 'invite', read: readInvite }],
]);

/** Reads an event by its type. What becomes of it depends on the configured slugs too: sql/load/event_outcomes.sql. */
export function readEvent({ key, receivedAt, bodyText }: StoredEvent): StagedEvent {
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
    post: null,
    invite: null,
    problem: null,
    ...known?.read(event),
  };
}

/** A post's deletion, as sql/load/webhook_events.sql reads it. */
interface StagedRemoval {
  readonly post_id: string;
  readonly title: string;
  readonly url: string;
  readonly status: string;
  readonly channels: string[];
  readonly labels: StagedLabel[];
  readonly campaign: StagedCampaign | null;
  readonly removed_at: string;
  /** Null when it was deleted automatically, after its time in the trash. */
  readonly removed_by: string | null;
  /** JSON of what was in the post in each channel; null when the event does not say. */
  readonly linkedin: string | null;
  readonly x: string | null;
  /** JSON, of the fields that are not documented; null when there are none. */
  readonly extra: string | null;
}

interface StagedCampaign {
  readonly campaign_id: string;
  readonly name: string | null;
  /** Null when the event has neither. */
  readonly dates: { readonly start_date: string | null; readonly end_date: string | null } | null;
}

const campaignSchema = object({
  id: name,
  name: optionalText,
  startDate: optionalDay,
  endDate: optionalDay,
});

/** What is documented as required has to be there; all else may be missing or null, but of no other type. */
const postSchema = object({
  id: name,
  title: text,
  status: text,
  channels: list(text),
  campaign: campaignSchema.nullish(),
  url: text,
  labels: list(labelSchema),
  workspace: workspaceSchema,
  deletedBy: personSchema.nullish(),
  deletedAt: time,
  ...contentSchemas,
});
type Post = z.infer<typeof postSchema>;

const removalEventSchema = object({ createdAt: time, data: object({ post: postSchema }) });

/** Reads an event of the type `post.permanently_deleted`, or gives the reason why it cannot be read. */
function readRemoval(event: unknown): { post: StagedRemoval } | { problem: string } {
  const read = removalEventSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error, event) };
  return { post: stageRemoval(read.data.data.post) };
}

function stageRemoval(post: Post): StagedRemoval {
  return {
    post_id: post.id,
    title: post.title,
    url: post.url,
    status: post.status,
    channels: post.channels,
    labels: post.labels.map(stageLabel),
    campaign: post.campaign ? stageCampaign(post.campaign) : null,
    removed_at: post.deletedAt,
    removed_by: post.deletedBy ? personName(post.deletedBy) : null,
    linkedin: post.linkedIn ? JSON.stringify(post.linkedIn) : null,
    x: post.x ? JSON.stringify(post.x) : null,
    extra: unknownFields(post, postSchema),
  };
}

function stageCampaign(campaign: z.infer<typeof campaignSchema>): StagedCampaign {
  const { id, name: campaignName, startDate, endDate } = campaign;
  const areDatesGiven = startDate !== undefined || endDate !== undefined;
  return {
    campaign_id: id,
    name: campaignName ?? null,
    dates: areDatesGiven ? { start_date: startDate ?? null, end_date: endDate ?? null } : null,
  };
}

/** An invitation, as sql/load/webhook_events.sql reads it. */
interface StagedInvite {
  readonly invite_id: string;
  readonly email: string;
  readonly created_at: string;
  readonly invited_by: string | null;
  readonly workspace_slug: string;
  readonly sent_email: boolean;
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
function readInvite(event: unknown): { invite: StagedInvite } | { problem: string } {
  const read = inviteEventSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error, event) };
  return { invite: stageInvite(read.data.data.invite) };
}

function stageInvite(invite: z.infer<typeof inviteEventSchema>['data']['invite']): StagedInvite {
  return {
    invite_id: invite.id,
    email: invite.email,
    created_at: invite.createdAt,
    invited_by: personName(invite.invitedBy),
    workspace_slug: invite.workspace.slug,
    sent_email: invite.sentEmail,
  };
}

interface WorkspaceReference {
  readonly id: string | null;
  readonly slug: string | null;
}

/**
 * The workspace that an event names, of whatever type it is: that of its subject, else `data.workspace`,
 * else the first `workspace` of anything in its data, by name.
 * @param subject the field of the data that the event is of, where its type is known
 */
function findWorkspace(data: unknown, subject: string | undefined): WorkspaceReference {
  const keys = typeof data === 'object' && data !== null ? Object.keys(data).sort() : [];
  const others = [data, ...keys.map((key) => fieldOf(data, key))];
  const places = subject === undefined ? others : [fieldOf(data, subject), ...others];
  const found = places.map(referenceIn).find(({ id, slug }) => id !== null || slug !== null);
  return found ?? { id: null, slug: null };
}

function referenceIn(place: unknown): WorkspaceReference {
  const workspace = fieldOf(place, 'workspace');
  return { id: nameOf(fieldOf(workspace, 'id')), slug: nameOf(fieldOf(workspace, 'slug')) };
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
