import { z } from 'zod';
import { ApiError } from './api-error.ts';
import type { Reading } from './call-runner.ts';
import { operations } from './schemas/operations.ts';
import { postSchema, type Post } from './schemas/posts.ts';

/*
 * What an answer has to say beyond its form before a change counts as made.
 */

export function unscheduled(postId: string) {
  return operations.unschedulePost.answer
    .refine(({ id }) => isSameId(id, postId), { path: ['id'], error: 'it is another post' })
    .refine(({ status }) => status === 'Finalized', {
      path: ['status'],
      error: 'the post is not Finalized',
    });
}

export function archived(ideaId: string) {
  return operations.archiveIdea.answer.refine(({ id }) => isSameId(id, ideaId), {
    path: ['id'],
    error: 'it is another idea',
  });
}

/** Everybody who was asked has an approval, a new one or an old one. */
export function approvalsOf(userIds: readonly string[]) {
  return operations.createApprovals.answer.refine(
    ({ createdApprovals, existingApprovals }) => {
      const approvals = [...createdApprovals, ...existingApprovals];
      return userIds.every((userId) => approvals.some(({ user }) => isSameId(user.id, userId)));
    },
    { error: 'somebody who was asked has no approval' },
  );
}

function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/*
 * After a change whose answer was lost: what the API shows of its outcome. What is not there yet may still
 * come, as a service can go on with a request whose connection broke; so nothing here says that a change
 * was not carried out. No more is asked of these answers than what decides.
 */

/** The part of a post that tells whether it was unscheduled. */
export const postStatusSchema = z.looseObject({ post: z.looseObject({ status: z.string() }) });

/** The part of a post's approvals that tells who was asked. */
export const approversSchema = z.looseObject({
  approvals: z.array(z.looseObject({ user: z.looseObject({ id: z.string() }) })),
});

/**
 * @returns the post when it is Finalized; null in its place where the rest of it is not as documented
 * @throws ApiError with its status when that is another, or why it cannot be read
 */
export async function readStatusBack(
  lost: ApiError,
  read: () => Promise<Reading & { value: z.output<typeof postStatusSchema> }>,
): Promise<Reading & { post: Post | null }> {
  const { value, ...reading } = await readOrGiveUp(lost, read);
  const { status } = value.post;
  if (status === 'Finalized') {
    const requests = lost.requests + reading.requests;
    const retries = lost.retries + reading.retries;
    const post = postSchema.safeParse(value.post).data ?? null;
    return { ...reading, requests, retries, post };
  }
  const soFar = status === 'Scheduled' ? ' so far; look again before you repeat it' : '';
  throw lost.withFindings(`the post is ${status}${soFar}`, reading);
}

/** @returns what to throw: who was asked before this call is not known, so it proves nothing */
export async function readApproversBack(
  lost: ApiError,
  askedUserIds: readonly string[],
  read: () => Promise<Reading & { value: z.output<typeof approversSchema> }>,
): Promise<ApiError> {
  const { value, ...reading } = await readOrGiveUp(lost, read);
  const present = new Set(value.approvals.map(({ user }) => user.id.toLowerCase()));
  const missing = askedUserIds.filter((id) => !present.has(id.toLowerCase()));
  return lost.withFindings(describeMissing(missing, askedUserIds), reading);
}

function describeMissing(missing: readonly string[], asked: readonly string[]): string {
  if (missing.length === 0) return 'everyone asked has an approval of the post now';
  if (missing.length === asked.length) {
    return 'none of those asked has an approval of the post so far';
  }
  const verb = missing.length === 1 ? 'has' : 'have';
  return `of those asked, ${missing.join(', ')} ${verb} no approval of the post so far`;
}

async function readOrGiveUp<Found>(lost: ApiError, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw lost;
    throw lost.withFindings(`reading it back failed, too: ${error.problem}`, error);
  }
}
