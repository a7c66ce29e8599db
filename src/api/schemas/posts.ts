import { z } from 'zod';
import { count, dateTime, identifier, openEnum, postStatuses } from './vocabulary.ts';

export const labelSchema = z
  .looseObject({
    id: identifier,
    name: z.string(),
    color: z.string().meta({ description: 'A hex colour, as is backgroundColor.' }),
    backgroundColor: z.string(),
  })
  .meta({ id: 'Label', description: 'A label that groups posts.' });
export type Label = z.infer<typeof labelSchema>;

const profileReferenceSchema = z
  .looseObject({
    id: identifier,
    name: z.string(),
    detail: z.string().meta({ description: 'The handle, or another short name.' }),
  })
  .meta({ id: 'ProfileReference', description: 'The profile that a post is published under.' });

const assetSchema = z
  .looseObject({
    id: identifier,
    name: z.string().meta({ description: 'The file name.' }),
    url: z.string(),
    mimetype: z.string(),
    size: count.meta({ description: 'The size in bytes.' }),
    width: count,
    height: count,
    duration: z.number().nullable().meta({ description: 'In seconds; null for images.' }),
  })
  .meta({ id: 'Asset', description: 'A picture, a video or another file of a post.' });
export type Asset = z.infer<typeof assetSchema>;

export const linkedInContentSchema = z
  .looseObject({
    profile: profileReferenceSchema,
    copy: z.string(),
    assets: z.array(assetSchema),
  })
  .meta({ id: 'LinkedInContent', description: "A post's content on LinkedIn." });

export const xContentSchema = z
  .looseObject({
    profile: profileReferenceSchema,
    tweets: z.array(z.looseObject({ copy: z.string(), assets: z.array(assetSchema) })),
  })
  .meta({ id: 'XContent', description: "A post's content on Twitter/X, tweet by tweet." });

/** A post as unscheduling it returns it. */
export const postSchema = z
  .looseObject({
    id: identifier,
    url: z.string().meta({ description: "The post's address in the service's web application." }),
    title: z.string(),
    channels: z.array(z.string()).meta({ description: 'The channels that the post is for.' }),
    status: openEnum(postStatuses),
    publishDate: z.iso
      .date()
      .nullable()
      .meta({ description: "A day in the workspace's time zone; null if not set." }),
    publishAt: dateTime.nullable().meta({ description: 'Null if not set.' }),
    updatedAt: dateTime,
  })
  .meta({ id: 'Post', description: 'A post as unscheduling it returns it.' });
export type Post = z.infer<typeof postSchema>;

/** A post as reading it returns it. */
export const postDetailsSchema = postSchema
  .extend({
    createdAt: dateTime,
    labels: z.array(labelSchema),
    linkedIn: linkedInContentSchema
      .nullish()
      .meta({ description: 'Given if the post is for LinkedIn.' }),
    x: xContentSchema.nullish().meta({ description: 'Given if the post is for Twitter/X.' }),
  })
  .meta({ id: 'PostDetails', description: 'A post as reading it returns it.' });
export type PostDetails = z.infer<typeof postDetailsSchema>;
