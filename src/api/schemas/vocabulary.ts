import { z } from 'zod';

/*
 * The values that the resources of the workspace API consist of (specification, "Resources and their fields").
 * Unknown fields are kept, types are strict, and lists of known words are open, since a service may add a
 * status or a type before its documentation does. `meta` holds what the API document adds.
 */

/** The types of LinkedIn posts that the specification names; others occur. */
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

/** The states of a post that the specification names; others occur in events. */
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

/** The channels by which inline comments can be filtered. */
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

/** An identifier in an answer, usually a UUID. One of another form is kept as it is. */
export const identifier = z.string().min(1).meta({ format: 'uuid' });
/** An identifier in an answer that is not a UUID. */
export const plainIdentifier = z.string().min(1);
/** A time in ISO 8601, usually in UTC. */
export const dateTime = z.iso.datetime({ offset: true });
export const count = z.int();

/** Accepts any text and documents the known words, to which a service may add. */
export function openEnum<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).or(z.string());
}

/** The fields of a person that every answer gives. */
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
