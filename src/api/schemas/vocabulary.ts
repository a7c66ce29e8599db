import { z } from 'zod';

/*
 * What the resources of the workspace API are made of (its specification, "Resources and their fields").
 * Fields that are not known are kept, types are strict, and lists of known words are open: a service adds
 * a status or a type before its documentation does. `meta` says what the API document adds.
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
export type PostStatus = (typeof postStatuses)[number];

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
export type CommentChannel = (typeof commentChannels)[number];

/** Of an answer: a UUID as a rule; an identifier of another form is kept as it is. */
export const identifier = z.string().min(1).meta({ format: 'uuid' });
/** Of an answer: an identifier that is no UUID. */
export const plainIdentifier = z.string().min(1);
/** ISO 8601, in UTC as a rule. */
export const dateTime = z.iso.datetime({ offset: true });
export const count = z.int();

/** A list of known words to which a service may add. */
export function openEnum<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).or(z.string());
}

/** A person, as far as every place names one. */
export const personSchema = z.looseObject({
  id: identifier,
  firstName: z.string(),
  lastName: z.string(),
});

/** A person with an account. */
export const accountSchema = personSchema
  .extend({ email: z.string() })
  .meta({ id: 'Account', description: 'A person with an account.' });
export type Account = z.infer<typeof accountSchema>;
