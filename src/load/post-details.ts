import { z } from 'zod';
import { lenient, problemsOf, type Lenient } from '../api/schemas/lenient-schema.ts';
import { postDetailsSchema, type PostDetails } from '../api/schemas/posts.ts';
import {
  columnsOf,
  parseAnswer,
  stageLabel,
  unknownFields,
  type StagedAnswer,
} from './staged-fields.ts';

const answerSchema = lenient(z.object({ post: postDetailsSchema }), [
  'post',
  'post.id',
  'post.labels.id',
]);

/** Reads the body of `GET /posts/{id}`. @param postId the post that was asked for */
export function readDetails(body: string, postId: string): StagedAnswer {
  const parsed = parseAnswer(body);
  if ('problem' in parsed) return parsed;
  const answer = answerSchema.safeParse(parsed.answer);
  if (!answer.success) return { problem: problemsOf(answer.error) };
  const post = answer.data.post ?? {};
  if (post.id !== postId) return { problem: `post.id: expected ${postId}, got ${post.id}` };
  return { fields: stageDetails(post), rejects: [] };
}

/** A post's details, as sql/load/post_details.sql reads them. */
function stageDetails(post: Lenient<PostDetails>): object {
  return {
    ...columnsOf(post, postDetailsSchema),
    labels: post.labels?.map(stageLabel) ?? null,
    // JSON, as are x and extra
    linkedin: post.linkedIn ? JSON.stringify(post.linkedIn) : null,
    x: post.x ? JSON.stringify(post.x) : null,
    extra: unknownFields(post, postDetailsSchema),
  };
}
