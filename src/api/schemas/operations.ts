import { z } from 'zod';
import { isDay } from '../../core/calendar.ts';
import { linkedInPostAnalyticsSchema } from './analytics.ts';
import { approvalSchema } from './approvals.ts';
import { archivedIdeaSchema } from './ideas.ts';
import { inlineCommentSchema } from './inline-comments.ts';
import { postDetailsSchema, postSchema } from './posts.ts';
import { commentChannels } from './vocabulary.ts';

/** One operation of the workspace API: its request and its answers. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path below the base URL, with its parameters in braces. */
  readonly path: string;
  /** The area of the API that it belongs to. */
  readonly tag: string;
  readonly summary: string;
  /** Details that the summary leaves out, for readers of the API's document. */
  readonly description: string;
  /** The schema of the path's parameters. */
  readonly parameters: z.ZodObject;
  /** The schemas of the query and of the body; left out if the operation takes none. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The status of a successful answer; `2XX` if the specification shows no number. */
  readonly status: 200 | '2XX';
  readonly answer: z.ZodType;
  /** Statuses of refusals, besides 401, 403 for a key and 429, which every operation can answer. */
  readonly refusals: readonly (400 | 403 | 404)[];
}

/** Values of requests follow the API's documentation to the letter. */
const uuid = z.guid('Invalid uuid').meta({ format: 'uuid' });
const day = z.string().refine(isDay, 'Invalid date, expected YYYY-MM-DD').meta({ format: 'date' });
const requestTime = z.iso.datetime({
  offset: true,
  error: 'Invalid date-time, expected ISO 8601 with an offset',
});
const word = z.string('Invalid string');
const yesOrNo = z.boolean('Invalid boolean, expected true or false');

const approvalRequestSchema = z
  .object({
    userId: uuid.meta({ description: 'The person asked to approve.' }),
    message: word.optional().meta({ description: 'A message to the person asked.' }),
    dueDate: requestTime.optional(),
    isBlocking: yesOrNo.optional(),
  })
  .meta({ id: 'ApprovalRequest', description: 'A request to one person to approve a post.' });
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;

/** Every operation that the specification shows ("Endpoints"). */
export const operations = {
  listLinkedInAnalytics: {
    method: 'GET',
    path: '/analytics/linkedin/{profileId}/posts',
    tag: 'Analytics',
    summary: 'Figures of the posts that a LinkedIn profile published in a range of days',
    description:
      'The default range is the last 30 days. All fields but id, url and type may be null. A profile that is only used to engage with posts has no analytics.',
    parameters: z.object({ profileId: uuid.meta({ description: 'The LinkedIn profile.' }) }),
    query: z.object({
      startDate: day.optional().meta({ description: 'Default: 30 days before today.' }),
      endDate: day.optional().meta({ description: 'Inclusive. Default: today.' }),
    }),
    status: 200,
    answer: z
      .array(linkedInPostAnalyticsSchema)
      .meta({ description: 'A record for each post, in no specified order.' }),
    refusals: [400, 403, 404],
  },
  getPost: {
    method: 'GET',
    path: '/posts/{id}',
    tag: 'Posts',
    summary: 'One post',
    description: 'The content is given for the channels LinkedIn and X.',
    parameters: z.object({ id: uuid.meta({ description: 'The post.' }) }),
    status: 200,
    answer: z.looseObject({ post: postDetailsSchema }).meta({ description: 'The post.' }),
    refusals: [400, 404],
  },
  unschedulePost: {
    method: 'POST',
    path: '/posts/{id}/unschedule',
    tag: 'Posts',
    summary: 'Take a scheduled post back to Finalized and cancel its publishing',
    description: 'Refused with 400 unless the post is Scheduled.',
    parameters: z.object({ id: uuid.meta({ description: 'The post.' }) }),
    status: 200,
    answer: postSchema,
    refusals: [400, 404],
  },
  listApprovals: {
    method: 'GET',
    path: '/posts/{postId}/approvals',
    tag: 'Approvals',
    summary: 'The approvals of a post, given or pending',
    description: 'Every user has an email here.',
    parameters: z.object({ postId: uuid.meta({ description: 'The post.' }) }),
    status: 200,
    answer: z
      .looseObject({ approvals: z.array(approvalSchema) })
      .meta({ description: 'The approvals of the post.' }),
    refusals: [400, 404],
  },
  createApprovals: {
    method: 'POST',
    path: '/approvals',
    tag: 'Approvals',
    summary: 'Ask people to approve a post',
    description:
      'People who were asked about this post before are listed under existingApprovals. Users have no email here.',
    parameters: z.object({}),
    body: z.object({
      postId: uuid.meta({ description: 'The post to approve.' }),
      approvals: z.array(approvalRequestSchema, 'Invalid array'),
    }),
    status: '2XX',
    answer: z
      .looseObject({
        createdApprovals: z.array(approvalSchema),
        existingApprovals: z
          .array(approvalSchema)
          .meta({ description: 'Approvals of people who were asked before; they do not change.' }),
      })
      .meta({ description: 'The approvals were created.' }),
    refusals: [400, 404],
  },
  archiveIdea: {
    method: 'POST',
    path: '/ideas/{id}/archive',
    tag: 'Ideas',
    summary: 'Move an idea to the trash',
    description: 'After 30 days in the trash it is deleted for good.',
    parameters: z.object({ id: uuid.meta({ description: 'The idea.' }) }),
    status: 200,
    answer: archivedIdeaSchema,
    refusals: [400, 404],
  },
  deleteEngagement: {
    method: 'DELETE',
    path: '/engagements/{id}',
    tag: 'Engagements',
    summary: 'Remove an auto-engagement from its post',
    description:
      'The engagement is a like, a comment or a repost that is made automatically once the post is published.',
    parameters: z.object({ id: word.min(1).meta({ description: 'The auto-engagement.' }) }),
    status: 200,
    answer: z
      .looseObject({ success: z.literal(true) })
      .meta({ description: 'The auto-engagement was removed.' }),
    refusals: [404],
  },
  listInlineComments: {
    method: 'GET',
    path: '/posts/{postId}/inline-comments',
    tag: 'Inline Comments',
    summary: 'Threads of comments on parts of a post',
    description: 'A filter that is not given lets every thread pass.',
    parameters: z.object({ postId: uuid.meta({ description: 'The post.' }) }),
    query: z.object({
      channel: z
        .enum(commentChannels, `Invalid channel, expected one of ${commentChannels.join(', ')}`)
        .optional()
        .meta({ description: 'Only threads on the text of this channel.' }),
      resolved: yesOrNo
        .optional()
        .meta({ description: 'Only threads that are resolved, or only those that are not.' }),
    }),
    status: 200,
    answer: z
      .looseObject({ inlineComments: z.array(inlineCommentSchema) })
      .meta({ description: 'The threads that pass the filters.' }),
    refusals: [400, 404],
  },
} as const satisfies Record<string, Operation>;
export type OperationName = keyof typeof operations;
