import { z } from 'zod';
import { lenient, problemsOf, type Lenient } from '../api/schemas/lenient-schema.ts';
import { postDetailsSchema, type PostDetails } from '../api/schemas/posts.ts';
import { parseAnswer, stageLabel, unknownFields } from './staged-fields.ts';

const answerSchema = lenient(z.object({ post: postDetailsSchema }), [
  'post',
  'post.id',
  'post.labels.id',
]);

/** The details, or the reason why the answer cannot be loaded. */
export type ReadDetails = { readonly details: StagedDetails } | { readonly problem: string };

/** Reads the body of `GET /posts/{id}`. @param postId the post that was asked for */
export function readDetails(body: string, postId: string): ReadDetails {
  const parsed = parseAnswer(body);
  if ('problem' in parsed) return parsed;
  const answer = answerSchema.safeParse(parsed.answer);
  if (!answer.success) return { problem: problemsOf(answer.error) };
  const post = answer.data.post ?? {};
  if (post.id !== postId) return { problem: `post.id: expected ${postId}, got ${post.id}` };
  return { details: stageDetails(post) };
}

/** A post's details, as sql/load/post_details.sql reads them. */
export type StagedDetails = ReturnType<typeof stageDetails>;

function stageDetails(post: Lenient<PostDetails>) {
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
    extra: unknownFields(post, postDetailsSchema),
  };
}
