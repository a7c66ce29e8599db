import { z } from 'zod';
import { fieldOf } from '../../core/json.ts';
import { count, dateTime, identifier, linkedInPostTypes, openEnum } from './vocabulary.ts';

/** The post of the workspace that a LinkedIn post was published from. */
const linkedPostSchema = z
  .looseObject({
    id: identifier,
    title: z.string(),
    labels: z.array(z.looseObject({ labelId: identifier, name: z.string() })),
    campaign: z.looseObject({ id: identifier, name: z.string() }).nullish(),
  })
  .meta({
    id: 'LinkedPost',
    description: 'The post of the workspace that a LinkedIn post was published from.',
  });

const videosOnly = 'Null for anything but a video, and for a video that is not synced yet.';

const counts = {
  likeCount: count.nullish(),
  commentCount: count.nullish(),
  shareCount: count.nullish(),
  clickCount: count.nullish(),
  saveCount: count
    .nullish()
    .meta({ description: 'How often it was saved to view later; personal profiles only.' }),
  sendCount: count
    .nullish()
    .meta({ description: 'How often it was sent by direct message; personal profiles only.' }),
  impressionCount: count.nullish(),
};
const videoCounts = {
  videoViewCount: count.nullish().meta({ description: `All views. ${videosOnly}` }),
  videoViewerCount: count.nullish().meta({ description: `Unique viewers. ${videosOnly}` }),
  videoWatchTimeSeconds: count
    .nullish()
    .meta({ description: `The watch time of all views, in whole seconds. ${videosOnly}` }),
};

/** The fields that hold a whole number, or nothing. */
export const countFields = Object.keys({ ...counts, ...videoCounts });

/** One LinkedIn post and its figures, lifetime as of the reading (specification, "LinkedInPostAnalytics"). */
export const linkedInPostAnalyticsSchema = z
  .looseObject({
    id: identifier,
    url: z.string().meta({ format: 'uri', description: "The post's address on LinkedIn." }),
    type: openEnum(linkedInPostTypes),
    commentary: z.string().nullish().meta({ description: "The post's text." }),
    publishedAt: dateTime.nullish(),
    ...counts,
    engagement: z
      .number()
      .nullish()
      .meta({ description: 'All engagements / impressions, usually from 0 to 1.' }),
    emv: z
      .number()
      .nullish()
      .meta({ description: 'Earned media value: impressionCount / 1000 × CPM.' }),
    ...videoCounts,
    servicePost: linkedPostSchema
      .nullish()
      .meta({ description: 'Null unless it was published from the workspace.' }),
  })
  .meta({
    id: 'LinkedInPostAnalytics',
    description: 'One LinkedIn post and its figures, lifetime as of the reading.',
  });
export type LinkedInPostAnalytics = z.infer<typeof linkedInPostAnalyticsSchema>;
/** The counts that posts of every type have. */
export type PostCounts = Pick<LinkedInPostAnalytics, keyof typeof counts>;

/**
 * Returns true if the record of an analytics answer names its post. Only such a record can be loaded; any other value of it
 * that cannot be read costs its own field.
 */
export function hasReadableId(record: unknown): boolean {
  const id = fieldOf(record, 'id');
  return typeof id === 'string' && id.trim() !== '';
}

/** Names a field of the API as its column: `likeCount` becomes `like_count`. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
