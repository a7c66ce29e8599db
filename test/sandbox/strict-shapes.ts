import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../src/api/schemas/analytics.ts';
import { inviteCreatedEventSchema, postDeletedEventSchema } from '../../src/api/schemas/events.ts';
import { operations } from '../../src/api/schemas/operations.ts';
import { commentChannels, postStatuses } from '../../src/api/schemas/vocabulary.ts';

/*
 * Schemas of posts that follow the API's specification to the letter: every field, no other, and only the values that it
 * names. The schemas of src/api/schemas allow services to add to it.
 */

const uuid = z.uuid();
/** A time in UTC. */
const instant = z.iso.datetime();
const color = z.string().regex(/^#[0-9a-f]{6}$/);
const label = z.strictObject({ id: uuid, name: z.string(), color, backgroundColor: color });
const profile = z.strictObject({ id: uuid, name: z.string(), detail: z.string() });
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

// test/contract tests that the sandbox answers these exactly as the document describes them
export const analyticsRecord = linkedInPostAnalyticsSchema;
export const approvalList = operations.listApprovals.answer;
export const askedApprovals = operations.createApprovals.answer;
export const archivedIdea = operations.archiveIdea.answer;
export const inlineComments = operations.listInlineComments.answer;
export const deletionEvent = postDeletedEventSchema;
export const inviteEvent = inviteCreatedEventSchema;
