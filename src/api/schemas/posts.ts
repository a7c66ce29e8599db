import { z } from 'zod';
import { count, dateTime, identifier, openEnum, postStatuses } from './vocabulary.ts';

export const labelSchema = z
  .looseObject({
    id: identifier,
    name: z.string(),
    color: z.string().meta({ description: 'Hex, as is backgroundColor.' }),
    backgroundColor: z.string(),
  })
  .meta({ id: 'Label' });
export type Label = z.infer<typeof labelSchema>;

const profileReferenceSchema = z
  .looseObject({
    id: identifier,
    name: z.string(),
    detail: z.string().meta({ description: 'The handle, or another short name.' }),
  })
  .meta({ id: 'ProfileReference' });

const assetSchema = z
  .looseObject({
    id: identifier,
    name: z.string(),
    url: z.string(),
    mimetype: z.string(),
    size: count.meta({ description: 'Bytes.' }),
    width: count,
    height: count,
    duration: z.number().nullable().meta({ description: 'Seconds; null for images.' }),
  })
  .meta({ id: 'Asset' });
export type Asset = z.infer<typeof assetSchema>;

export const linkedInContentSchema = z
  .looseObject({
    profile: profileReferenceSchema,
    copy: z.string(),
    assets: z.array(assetSchema),
  })
  .meta({ id: 'LinkedInContent' });

export const xContentSchema = z
  .looseObject({
    profile: profileReferenceSchema,
    tweets: z.array(z.looseObject({ copy: z.string(), assets: z.array(assetSchema) })),
  })
  .meta({ id: 'XContent' });

/** A post as unscheduling gives it back. */
export const postSchema = z
  .looseObject({
    id: identifier,
    url: z.string(),
    title: z.string(),
    channels: z.array(z.string()),
    status: openEnum(postStatuses),
    publishDate: z.iso
      .date()
      .nullable()
      .meta({ description: "A day of the workspace's time zone; null when not set." }),
    publishAt: dateTime.nullable(),
    updatedAt: dateTime,
  })
  .meta({ id: 'Post', description: 'A post as unscheduling gives it back.' });
export type Post = z.infer<typeof postSchema>;

/** A post as reading it gives it. */
export const postDetailsSchema = postSchema
  .extend({
    createdAt: dateTime,
    labels: z.array(labelSchema),
    linkedIn: linkedInContentSchema.nullish(),
    x: xContentSchema.nullish(),
  })
  .meta({ id: 'PostDetails', description: 'A post as reading it gives it.' });
export type PostDetails = z.infer<typeof postDetailsSchema>;
