import type { z } from 'zod';
import { readJsonObject } from '../../inbox/events/json-text.ts';
import { UnfitEventError } from '../../inbox/events/unfit-event-error.ts';
import type { StagedLabel } from '../post-details.ts';
import { contentSchemas } from './content-schemas.ts';
import { day, list, name, object, optionalText, problemsOf, text, time } from './field-problems.ts';
import { personName, personSchema } from './person-name.ts';
import { workspaceSchema } from './workspace-reference.ts';

/** A post's deletion as sql/load/stage_events.sql takes it. */
export interface StagedRemoval {
  readonly post_id: string;
  readonly title: string;
  readonly url: string;
  readonly status: string;
  readonly channels: string[];
  readonly labels: StagedLabel[];
  readonly campaign: StagedCampaign | null;
  readonly removed_at: string;
  /** Null when nobody removed it: its time in the trash was over. */
  readonly removed_by: string | null;
  /** JSON; null when the event does not say what was in the post. */
  readonly content: string | null;
  /** JSON, of the fields that are not documented; null when there are none. */
  readonly extra: string | null;
}

interface StagedCampaign {
  readonly campaign_id: string;
  readonly name: string | null;
  /** Null when the event does not speak of them. */
  readonly dates: { readonly start_date: string | null; readonly end_date: string | null } | null;
}

const campaignSchema = object({
  id: name,
  name: optionalText,
  startDate: day.nullish(),
  endDate: day.nullish(),
});

/** What is documented as required has to be there; all else may be missing or null, but of no other type. */
const postSchema = object({
  id: name,
  title: text,
  status: text,
  channels: list(text),
  campaign: campaignSchema.nullish(),
  url: text,
  labels: list(
    object({ id: name, name: optionalText, color: optionalText, backgroundColor: optionalText }),
  ),
  workspace: workspaceSchema,
  deletedBy: personSchema.nullish(),
  deletedAt: time,
  ...contentSchemas,
});
type Post = z.infer<typeof postSchema>;

const eventSchema = object({ createdAt: time, data: object({ post: postSchema }) });
const contentFields = new Set(Object.keys(contentSchemas));
const knownFields = new Set(Object.keys(postSchema.shape));

/**
 * Reads an event of the type `post.permanently_deleted` (specification, "Events"), or says in words why it
 * cannot be.
 * @param payload the event's JSON
 */
export function readRemoval(
  event: unknown,
  payload: string,
): { post: StagedRemoval } | { problem: string } {
  const read = eventSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error, event) };
  try {
    return { post: stageRemoval(read.data.data.post, membersOfPost(payload)) };
  } catch (error) {
    if (!(error instanceof UnfitEventError)) throw error;
    // keys that differed in nothing but what DuckDB cannot hold are one key by now
    return { problem: `data ${Object.values(error.errors).flat().join(', ')}` };
  }
}

/**
 * The canonical text of each, with all digits of its numbers and in an order that does not depend on which
 * copy of the event it was.
 */
function membersOfPost(payload: string): ReadonlyMap<string, string> {
  return ['data', 'post'].reduce(
    (members, key) => readJsonObject(members.get(key) ?? '').members,
    readJsonObject(payload).members,
  );
}

function stageRemoval(post: Post, members: ReadonlyMap<string, string>): StagedRemoval {
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
    content: objectOf(members, (key, json) => contentFields.has(key) && json !== 'null'),
    extra: objectOf(members, (key) => !knownFields.has(key)),
  };
}

/** An object's JSON, its keys in order; null when it would be empty. */
function objectOf(
  members: ReadonlyMap<string, string>,
  isWanted: (key: string, json: string) => boolean,
): string | null {
  const wanted = [...members].filter(([key, json]) => isWanted(key, json));
  if (wanted.length === 0) return null;
  const sorted = wanted.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

function stageLabel(label: Post['labels'][number]): StagedLabel {
  return {
    label_id: label.id,
    name: label.name ?? null,
    color: label.color ?? null,
    background_color: label.backgroundColor ?? null,
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
