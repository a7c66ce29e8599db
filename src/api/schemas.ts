import { z } from 'zod';

/*
 * The resources of the workspace API (its specification, "Resources and their fields" and "Events").
 * Fields that are not known here are kept, types are strict, and lists of known words are not: a service
 * adds a status or a type before its documentation does.
 */

/** Types of LinkedIn posts that the specification names; others occur. */
export const linkedInPostTypes = [
  'Text',
  'Article',
  'Image',
  'Video',
  'Poll',
  'Celebration',
  'Job',
  'Event',
  'Document',
  'Repost',
  'QuotePost',
  'MultiImage',
] as const;

/** States of a post that the specification names; others occur in events. */
export const postStatuses = [
  'Tentative',
  'ToDo',
  'InProgress',
  'ForReview',
  'Blocked',
  'Finalized',
  'Scheduled',
  'Posted',
] as const;

/** Channels by which inline comments can be filtered. */
export const commentChannels = [
  'LinkedIn',
  'Twitter',
  'Instagram',
  'Facebook',
  'Threads',
  'TikTok',
  'Discord',
  'Slack',
  'Webflow',
  'YouTubeShorts',
] as const;

/** A UUID as a rule; an identifier of another form is kept as it is. */
const identifier = z.string().min(1);
/** ISO 8601, in UTC as a rule. */
const dateTime = z.iso.datetime({ offset: true });
const count = z.int();

/** The body of every error response. */
export const errorBodySchema = z.looseObject({
  code: z.string().optional(),
  message: z.string(),
  /** On validation failures: a field's name to what is wrong with it. */
  data: z
    .looseObject({ errors: z.record(z.string(), z.array(z.string())).optional() })
    .nullish()
    .catch(null),
});

/** The post of the workspace that a LinkedIn post was published from. */
const linkedPostSchema = z.looseObject({
  id: identifier,
  title: z.string(),
  labels: z.array(z.looseObject({ labelId: identifier, name: z.string() })),
  campaign: z.looseObject({ id: identifier, name: z.string() }).nullish(),
});

/** One LinkedIn post and its figures, lifetime as of the reading. */
export const linkedInPostAnalyticsSchema = z.looseObject({
  id: identifier,
  url: z.string(),
  type: z.string(),
  commentary: z.string().nullish(),
  publishedAt: dateTime.nullish(),
  likeCount: count.nullish(),
  commentCount: count.nullish(),
  shareCount: count.nullish(),
  clickCount: count.nullish(),
  /** Personal profiles only, as is `sendCount`. */
  saveCount: count.nullish(),
  sendCount: count.nullish(),
  impressionCount: count.nullish(),
  /** Engagements by impressions; not bounded by 1 in practice. */
  engagement: z.number().nullish(),
  emv: z.number().nullish(),
  /** Null, as the next two, for anything but a video, and for a video that is not synced yet. */
  videoViewCount: count.nullish(),
  videoViewerCount: count.nullish(),
  videoWatchTimeSeconds: count.nullish(),
  servicePost: linkedPostSchema.nullish(),
});
export type LinkedInPostAnalytics = z.infer<typeof linkedInPostAnalyticsSchema>;

const labelSchema = z.looseObject({
  id: identifier,
  name: z.string(),
  /** Hex, as is `backgroundColor`. */
  color: z.string(),
  backgroundColor: z.string(),
});

const profileReferenceSchema = z.looseObject({
  id: identifier,
  name: z.string(),
  detail: z.string(),
});

const assetSchema = z.looseObject({
  id: identifier,
  name: z.string(),
  url: z.string(),
  mimetype: z.string(),
  /** Bytes. */
  size: count,
  width: count,
  height: count,
  /** Seconds; null for images. */
  duration: z.number().nullable(),
});

const linkedInContentSchema = z.looseObject({
  profile: profileReferenceSchema,
  copy: z.string(),
  assets: z.array(assetSchema),
});

const xContentSchema = z.looseObject({
  profile: profileReferenceSchema,
  tweets: z.array(z.looseObject({ copy: z.string(), assets: z.array(assetSchema) })),
});

/** A post as unscheduling gives it back. */
export const postSchema = z.looseObject({
  id: identifier,
  url: z.string(),
  title: z.string(),
  channels: z.array(z.string()),
  status: z.string(),
  /** A day of the workspace's time zone. */
  publishDate: z.iso.date().nullable(),
  publishAt: dateTime.nullable(),
  updatedAt: dateTime,
});

/** A post as reading it gives it. */
export const postDetailsSchema = postSchema.extend({
  createdAt: dateTime,
  labels: z.array(labelSchema),
  linkedIn: linkedInContentSchema.nullish(),
  x: xContentSchema.nullish(),
});
export type PostDetails = z.infer<typeof postDetailsSchema>;

const personSchema = z.looseObject({
  id: identifier,
  firstName: z.string(),
  lastName: z.string(),
});

/** The answer to creating approvals leaves the e-mail address out. */
const approvalUserSchema = personSchema.extend({
  createdAt: dateTime,
  email: z.string().optional(),
});

export const approvalSchema = z.looseObject({
  id: identifier,
  status: z.string(),
  isBlocking: z.boolean(),
  message: z.string().nullish(),
  dueDate: dateTime.nullish(),
  approvedAt: dateTime.nullable(),
  createdAt: dateTime,
  user: approvalUserSchema,
  requestedBy: approvalUserSchema,
});

/** An idea as archiving gives it back. */
export const archivedIdeaSchema = z.looseObject({
  id: identifier,
  workspaceId: identifier,
  archivedAt: dateTime,
});

const accountSchema = personSchema.extend({ email: z.string() });

export const inlineCommentSchema = z.looseObject({
  id: identifier,
  resolved: z.boolean(),
  channel: z.string(),
  highlightedText: z.string(),
  replies: z.array(
    z.looseObject({
      id: identifier,
      user: accountSchema,
      /** Mentions stand as `@[Display Name](userId)`. */
      message: z.string(),
      createdAt: dateTime,
      reactions: z.array(z.looseObject({ emoji: z.string(), users: z.array(accountSchema) })),
    }),
  ),
  createdAt: dateTime,
  updatedAt: dateTime,
});

/** What every webhook event has, whatever its type. */
export const webhookEventSchema = z.looseObject({
  type: z.string(),
  data: z.looseObject({}),
  createdAt: dateTime,
});

const workspaceReferenceSchema = z.looseObject({
  id: identifier,
  slug: z.string(),
  name: z.string(),
});

export const postDeletedEventSchema = webhookEventSchema.extend({
  type: z.literal('post.permanently_deleted'),
  data: z.looseObject({
    post: z.looseObject({
      id: identifier,
      title: z.string(),
      status: z.string(),
      channels: z.array(z.string()),
      campaign: z
        .looseObject({
          id: identifier,
          name: z.string(),
          startDate: z.string().nullish(),
          endDate: z.string().nullish(),
        })
        .nullish(),
      url: z.string(),
      labels: z.array(labelSchema),
      workspace: workspaceReferenceSchema,
      /** Null when the post's time in the trash was over. */
      deletedBy: accountSchema.nullish(),
      deletedAt: dateTime,
      linkedIn: linkedInContentSchema.nullish(),
      x: xContentSchema.nullish(),
    }),
  }),
});

export const inviteCreatedEventSchema = webhookEventSchema.extend({
  type: z.literal('invite.created'),
  data: z.looseObject({
    invite: z.looseObject({
      id: identifier,
      email: z.string(),
      createdAt: dateTime,
      invitedBy: accountSchema,
      workspace: workspaceReferenceSchema,
      /** False when the person had an account and was added at once. */
      sentEmail: z.boolean(),
    }),
  }),
});
