import { z } from 'zod';
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

/** One LinkedIn post and its figures, lifetime as of the reading (specification, "LinkedInPostAnalytics"). */
export const linkedInPostAnalyticsSchema = z
  .looseObject({
    id: identifier,
    url: z.string().meta({ format: 'uri' }),
    type: openEnum(linkedInPostTypes),
    commentary: z.string().nullish(),
    publishedAt: dateTime.nullish(),
    likeCount: count.nullish(),
    commentCount: count.nullish(),
    shareCount: count.nullish(),
    clickCount: count.nullish(),
    saveCount: count.nullish().meta({ description: 'Personal profiles only.' }),
    sendCount: count.nullish().meta({ description: 'Personal profiles only.' }),
    impressionCount: count.nullish(),
    engagement: z
      .number()
      .nullish()
      .meta({ description: 'Engagements by impressions; not bounded by 1 in practice.' }),
    emv: z.number().nullish().meta({ description: 'impressionCount / 1000 × CPM.' }),
    videoViewCount: count.nullish().meta({ description: videosOnly }),
    videoViewerCount: count.nullish().meta({ description: videosOnly }),
    videoWatchTimeSeconds: count.nullish().meta({ description: videosOnly }),
    servicePost: linkedPostSchema.nullish(),
  })
  .meta({
    id: 'LinkedInPostAnalytics',
    description: 'One LinkedIn post and its figures, lifetime as of the reading.',
  });
export type LinkedInPostAnalytics = z.infer<typeof linkedInPostAnalyticsSchema>;
