import type { z } from 'zod';
import {
  contentSchemas,
  day,
  labelSchema,
  list,
  name,
  object,
  optionalText,
  parseAnswer,
  problemsOf,
  stageLabel,
  text,
  time,
  unknownFields,
} from './lenient-schemas.ts';

/** Strict on types, and on nothing else: a field that is missing is not known. */
const postSchema = object({
  id: name,
  url: optionalText,
  title: optionalText,
  channels: list(text).nullish(),
  status: optionalText,
  publishDate: day.nullish(),
  publishAt: time.nullish(),
  createdAt: time.nullish(),
  updatedAt: time.nullish(),
  labels: list(labelSchema).nullish(),
  ...contentSchemas,
});
const answerSchema = object({ post: postSchema });

/** The details, or the reason why the answer cannot be loaded. */
export type ReadDetails = { readonly details: StagedDetails } | { readonly problem: string };

/** Reads the body of `GET /posts/{id}`. @param postId the post that was asked for */
export function readDetails(body: string, postId: string): ReadDetails {
  const parsed = parseAnswer(body);
  if ('problem' in parsed) return parsed;
  const answer = answerSchema.safeParse(parsed.answer);
  if (!answer.success) return { problem: problemsOf(answer.error, parsed.answer) };
  const { post } = answer.data;
  if (post.id !== postId) return { problem: `post.id: expected ${postId}, got ${post.id}` };
  return { details: stageDetails(post) };
}

/** A post's details, as sql/load/post_details.sql reads them. */
export type StagedDetails = ReturnType<typeof stageDetails>;

function stageDetails(post: z.infer<typeof postSchema>) {
  return {
    title: post.title ?? null,
    url: post.url ?? null,
    status: post.status ?? null,
    channels: post.channels ?? null,
    publish_date: post.publishDate ?? null,
    publish_at: post.publishAt ?? null,
    created_at: post.createdAt ?? null,
    updated_at: post.updatedAt ?? null,
    labels: post.labels?.map(stageLabel) ?? null,
    // JSON, as are x and extra
    linkedin: post.linkedIn ? JSON.stringify(post.linkedIn) : null,
    x: post.x ? JSON.stringify(post.x) : null,
    extra: unknownFields(post, postSchema),
  };
}
