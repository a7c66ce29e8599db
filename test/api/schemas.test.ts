import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import { approvalSchema } from '../../src/api/schemas/approvals.ts';
import { errorBodySchema } from '../../src/api/schemas/error.ts';
import {
  inviteCreatedEventSchema,
  postDeletedEventSchema,
  webhookEventSchema,
} from '../../src/api/schemas/events.ts';
import { archivedIdeaSchema } from '../../src/api/schemas/ideas.ts';
import { inlineCommentSchema } from '../../src/api/schemas/inline-comments.ts';
import { postDetailsSchema, postSchema } from '../../src/api/schemas/posts.ts';
import {
  commentChannels,
  linkedInPostTypes,
  postStatuses,
} from '../../src/api/schemas/vocabulary.ts';

const id = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const at = '2026-01-15T12:00:00.000Z';

const analytics = {
  id,
  url: 'https://www.linkedin.com/feed/update/urn:li:share:1',
  type: 'Video',
  commentary: 'Hello',
  publishedAt: at,
  likeCount: -1,
  commentCount: 2,
  shareCount: 3,
  clickCount: null,
  saveCount: 4,
  sendCount: 5,
  impressionCount: 0,
  engagement: 2.5,
  emv: 1.23,
  videoViewCount: 6,
  videoViewerCount: 7,
  videoWatchTimeSeconds: 8,
  servicePost: {
    id,
    title: 'Title',
    labels: [{ labelId: id, name: 'Launch' }],
    campaign: { id, name: 'Spring' },
  },
};

const label = { id, name: 'Launch', color: '#ffffff', backgroundColor: '#000000' };
const profile = { id, name: 'Acme', detail: 'acme' };
const asset = {
  id,
  name: 'film.mp4',
  url: 'https://cdn.example.com/film.mp4',
  mimetype: 'video/mp4',
  size: 1_000,
  width: 640,
  height: 480,
  duration: 12.5,
};
const linkedIn = { profile, copy: 'Hello', assets: [asset] };
const x = { profile, tweets: [{ copy: 'Hello', assets: [{ ...asset, duration: null }] }] };
const post = {
  id,
  url: 'https://social.example.com/posts/1',
  title: 'Title',
  channels: ['LinkedIn', 'Twitter'],
  status: 'Scheduled',
  publishDate: '2026-01-15',
  publishAt: at,
  updatedAt: at,
};
const person = { id, firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
const approver = { id, firstName: 'Ada', lastName: 'Byron', createdAt: at };
const workspace = { id, slug: 'acme', name: 'Acme' };

const resources: [string, z.ZodType, object][] = [
  ['an analytics record', linkedInPostAnalyticsSchema, analytics],
  ['a post', postSchema, post],
  ["a post's details", postDetailsSchema, { ...post, createdAt: at, labels: [label], linkedIn, x }],
  [
    'an approval',
    approvalSchema,
    {
      id,
      status: 'Requested',
      isBlocking: true,
      message: 'Please',
      dueDate: at,
      approvedAt: null,
      createdAt: at,
      user: { ...approver, email: 'ada@example.com' },
      requestedBy: approver,
    },
  ],
  ['an archived idea', archivedIdeaSchema, { id, workspaceId: id, archivedAt: at }],
  [
    'an inline comment thread',
    inlineCommentSchema,
    {
      id: 'thread-1',
      resolved: false,
      channel: 'LinkedIn',
      highlightedText: 'Hello',
      replies: [
        {
          id: 'reply-1',
          user: person,
          message: `@[Ada Byron](${id}) yes`,
          createdAt: at,
          reactions: [{ emoji: '👍', users: [person] }],
        },
      ],
      createdAt: at,
      updatedAt: at,
    },
  ],
  [
    'an error',
    errorBodySchema,
    { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors: { startDate: ['Invalid'] } } },
  ],
  ['an event of any type', webhookEventSchema, { type: 'post.created', data: {}, createdAt: at }],
  [
    'a deletion',
    postDeletedEventSchema,
    {
      type: 'post.permanently_deleted',
      createdAt: at,
      data: {
        post: {
          id,
          title: 'Title',
          status: 'archived',
          channels: ['LinkedIn'],
          campaign: { id, name: 'Spring', startDate: '2026-01-01', endDate: null },
          url: post.url,
          labels: [label],
          workspace,
          deletedBy: null,
          deletedAt: at,
          linkedIn,
          x: null,
        },
      },
    },
  ],
  [
    'an invitation',
    inviteCreatedEventSchema,
    {
      type: 'invite.created',
      createdAt: at,
      data: {
        invite: {
          id,
          email: 'new@example.com',
          createdAt: at,
          invitedBy: person,
          workspace,
          sentEmail: false,
        },
      },
    },
  ],
];

describe('the schemas of the API', () => {
  it.each(resources)('accept %s as specified, and change nothing', (_, schema, value) => {
    expect(schema.parse(value)).toEqual(value);
  });

  it.each(resources)('keep unknown fields of %s', (_, schema, value) => {
    const more = { ...value, newField: { kept: true } };
    expect(schema.parse(more)).toEqual(more);
  });

  it('require only id, url and type of an analytics record', () => {
    const { url } = analytics;
    const record = { id: 'no-uuid', url, type: 'Carousel' };
    expect(linkedInPostAnalyticsSchema.parse(record)).toEqual(record);
    const nulls = Object.fromEntries(Object.keys(analytics).map((name) => [name, null]));
    expect(linkedInPostAnalyticsSchema.parse({ ...nulls, ...record })).toEqual({
      ...nulls,
      ...record,
    });
  });

  it.each([
    ['a count as text', { likeCount: '3' }],
    ['a fraction of a count', { likeCount: 1.5 }],
    ['a missing id', { id: undefined }],
    ['a type that is not text', { type: 7 }],
    ['a time without a zone', { publishedAt: '2026-01-15 12:00' }],
    ['a post without labels', { servicePost: { id, title: 'Title' } }],
  ])('refuse %s', (_, change) => {
    expect(linkedInPostAnalyticsSchema.safeParse({ ...analytics, ...change }).success).toBe(false);
  });

  it('list each known word once', () => {
    for (const words of [linkedInPostTypes, postStatuses, commentChannels]) {
      expect(new Set(words).size).toBe(words.length);
    }
  });
});
