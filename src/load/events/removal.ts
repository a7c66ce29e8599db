import type { z } from 'zod';
import { canonicalNumber } from '../../inbox/events/canonical-number.ts';
import { hasPlainNumbers, parseDigits, writeExactly } from '../exact-numbers.ts';
import { stageLabel, type StagedLabel } from '../post-details.ts';
import { contentSchemas } from './content-schemas.ts';
import { list, name, optionalDay, object, optionalText, text, time } from './event-schemas.ts';
import { problemsOf } from './field-problems.ts';
import { fieldOf } from '../../core/own-field.ts';
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
  /** JSON of what was in the post in each channel; null when the event does not say. */
  readonly linkedin: string | null;
  readonly x: string | null;
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
  const digits = hasPlainNumbers(payload) ? event : parseDigits(payload, canonicalNumber);
  const data = fieldOf(digits, 'data');
  return { post: stageRemoval(read.data.data.post, fieldOf(data, 'post')) };
}

/** @param digits the post with its numbers as canonical texts, which all copies of the event have in common */
function stageRemoval(post: Post, digits: unknown): StagedRemoval {
  const unknown = Object.entries(post).filter(([key]) => !knownFields.has(key));
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
    linkedin: post.linkedIn ? writeSorted(post.linkedIn, fieldOf(digits, 'linkedIn')) : null,
    x: post.x ? writeSorted(post.x, fieldOf(digits, 'x')) : null,
    extra: unknown.length === 0 ? null : writeSorted(Object.fromEntries(unknown), digits),
  };
}

/** In an order that does not depend on which copy of the event it was. */
function writeSorted(value: object, digits: unknown): string {
  return writeExactly(value, digits, (keys) => keys.toSorted());
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
