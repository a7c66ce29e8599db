import { z } from 'zod';
import {
  commentChannels,
  linkedInPostTypes,
  postStatuses,
} from '../../src/api/schemas/vocabulary.ts';

/*
 * The API's specification to the letter, written down a second time: every field there, no other, and
 * only words that it names. The schemas of src/api/schemas are made for services that add to it.
 */

const uuid = z.uuid();
/** In UTC. */
const instant = z.iso.datetime();
const color = z.string().regex(/^#[0-9a-f]{6}$/);
const label = z.strictObject({ id: uuid, name: z.string(), color, backgroundColor: color });
const profile = z.strictObject({ id: uuid, name: z.string(), detail: z.string() });
const account = z.strictObject({
  id: uuid,
  firstName: z.string().min(1),
  lastName: z.string().min(1),
  email: z.email(),
});

const asset = z.strictObject({
  id: uuid,
  name: z.string(),
  url: z.url(),
  mimetype: z.string(),
  size: z.int(),
  width: z.int(),
  height: z.int(),
  duration: z.number().nullable(),
});
const linkedIn = z.strictObject({ profile, copy: z.string(), assets: z.array(asset) });
const x = z.strictObject({
  profile,
  tweets: z.array(z.strictObject({ copy: z.string().max(280 * 2), assets: z.array(asset) })).min(1),
});

export const unscheduledPost = z.strictObject({
  id: uuid,
  url: z.url(),
  title: z.string(),
  channels: z.array(z.enum(commentChannels)).min(1),
  status: z.enum(postStatuses),
  publishDate: z.iso.date().nullable(),
  publishAt: instant.nullable(),
  updatedAt: instant,
});
export const post = unscheduledPost.extend({
  createdAt: instant,
  labels: z.array(label),
  linkedIn: linkedIn.optional(),
  x: x.optional(),
});
export const postAnswer = z.strictObject({ post });

const count = z.int().nullable();
export const analyticsRecord = z.strictObject({
  id: uuid,
  url: z.url(),
  commentary: z.string().nullable(),
  type: z.enum(linkedInPostTypes),
  publishedAt: instant.nullable(),
  likeCount: count,
  commentCount: count,
  shareCount: count,
  clickCount: count,
  saveCount: count,
  sendCount: count,
  impressionCount: count,
  engagement: z.number().nullable(),
  emv: z.number().nullable(),
  videoViewCount: count,
  videoViewerCount: count,
  videoWatchTimeSeconds: count,
  servicePost: z
    .strictObject({
      id: uuid,
      title: z.string(),
      labels: z.array(z.strictObject({ labelId: uuid, name: z.string() })),
      campaign: z.strictObject({ id: uuid, name: z.string() }).nullable(),
    })
    .nullable(),
});

const approver = z.strictObject({
  id: uuid,
  firstName: z.string(),
  lastName: z.string(),
  createdAt: instant,
});
const approvalOf = <User extends z.ZodType>(user: User) =>
  z.strictObject({
    id: uuid,
    status: z.enum(['Requested', 'Approved']),
    isBlocking: z.boolean(),
    message: z.string(),
    dueDate: instant,
    approvedAt: instant.nullable(),
    createdAt: instant,
    user,
    requestedBy: user,
  });
export const approvalList = z.strictObject({
  approvals: z.array(approvalOf(approver.extend({ email: z.email() }))),
});
export const askedApprovals = z.strictObject({
  createdApprovals: z.array(approvalOf(approver)),
  existingApprovals: z.array(approvalOf(approver)),
});

export const archivedIdea = z.strictObject({ id: uuid, workspaceId: uuid, archivedAt: instant });

const plainId = z.string().refine((id) => !uuid.safeParse(id).success, 'is a UUID');
const reply = z.strictObject({
  id: plainId,
  user: account,
  message: z.string().min(1),
  createdAt: instant,
  reactions: z.array(z.strictObject({ emoji: z.string().min(1), users: z.array(account).min(1) })),
});
export const inlineComments = z.strictObject({
  inlineComments: z.array(
    z.strictObject({
      id: plainId,
      resolved: z.boolean(),
      channel: z.enum(commentChannels),
      highlightedText: z.string().min(1),
      replies: z.array(reply).min(1),
      createdAt: instant,
      updatedAt: instant,
    }),
  ),
});

const workspace = z.strictObject({ id: uuid, slug: z.string(), name: z.string() });
export const deletionEvent = z.strictObject({
  type: z.literal('post.permanently_deleted'),
  data: z.strictObject({
    post: z.strictObject({
      id: uuid,
      title: z.string(),
      status: z.enum([...postStatuses, 'archived']),
      channels: z.array(z.enum(commentChannels)),
      campaign: z
        .strictObject({
          id: uuid,
          name: z.string(),
          startDate: z.iso.date(),
          endDate: z.iso.date(),
        })
        .nullable(),
      url: z.url(),
      labels: z.array(label),
      workspace,
      deletedBy: account.nullable(),
      deletedAt: instant,
      linkedIn: linkedIn.nullable(),
      x: x.nullable(),
    }),
  }),
  createdAt: instant,
});
export const inviteEvent = z.strictObject({
  type: z.literal('invite.created'),
  data: z.strictObject({
    invite: z.strictObject({
      id: uuid,
      email: z.email(),
      createdAt: instant,
      invitedBy: account,
      workspace,
      sentEmail: z.boolean(),
    }),
  }),
  createdAt: instant,
});
