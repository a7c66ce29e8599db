import type { z } from 'zod';
import type { StagedAsset, StagedLabel } from '../post-details.ts';
import { day, list, name, object, optionalText, problemsOf, text, time } from './field-problems.ts';
import { personName, personSchema } from './person-name.ts';
import { stageContentAssets } from './content-assets.ts';
import { sortedObject } from './sorted-object.ts';

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
  /** Null when the event does not say what was in the post. */
  readonly content: Record<string, unknown> | null;
  readonly assets: StagedAsset[];
  readonly extra: Record<string, unknown> | null;
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

/**
 * What a deletion cannot do without, and the types of what tables take from it. What the post said is not
 * looked into here: an asset without a width must not cost a deletion.
 */
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
  workspace: object({ slug: name }),
  deletedBy: personSchema.nullish(),
  deletedAt: time,
});
type Post = z.infer<typeof postSchema>;

const eventSchema = object({ createdAt: time, data: object({ post: postSchema }) });
const contentFields = ['linkedIn', 'x'];
const knownFields = new Set([...Object.keys(postSchema.shape), ...contentFields]);

/**
 * Reads an event of the type `post.permanently_deleted` (specification, "Events"), or says in words why it
 * cannot be.
 */
export function readRemoval(event: unknown): { post: StagedRemoval } | { problem: string } {
  const read = eventSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error, event) };
  return { post: stageRemoval(read.data.data.post) };
}

function stageRemoval(post: Post): StagedRemoval {
  const given = Object.entries(post).filter(([, value]) => value !== null);
  const content = given.filter(([key]) => contentFields.includes(key));
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
    content: content.length > 0 ? sortedObject(content) : null,
    assets: stageContentAssets(post['linkedIn'], post['x']),
    extra: unknown.length > 0 ? sortedObject(unknown) : null,
  };
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
