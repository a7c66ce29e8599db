import { z } from 'zod';
import { ApiError } from './api-error.ts';
import type { Reading } from './call-runner.ts';
import { operations } from './schemas/operations.ts';
import { postSchema, type Post } from './schemas/posts.ts';

/*
 * A change counts as made only if its answer, beyond having the documented form, passes these checks.
 */

export function unscheduled(postId: string) {
  return operations.unschedulePost.answer
    .refine(({ id }) => isSameId(id, postId), { path: ['id'], error: 'it is a different post' })
    .refine(({ status }) => status === 'Finalized', {
      path: ['status'],
      error: 'the post is not Finalized',
    });
}

export function archived(ideaId: string) {
  return operations.archiveIdea.answer.refine(({ id }) => isSameId(id, ideaId), {
    path: ['id'],
    error: 'it is a different idea',
  });
}

/** Requires an approval, new or old, for everybody who was asked. */
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
 * These functions read the outcome of a change whose answer was lost. A service can go on with a request whose
 * connection broke, so a change that is not visible yet may still be carried out; nothing here claims that it was
 * not. The schemas ask only for the fields that decide.
 */

/** The part of a post that tells whether it was unscheduled. */
export const postStatusSchema = z.looseObject({ post: z.looseObject({ status: z.string() }) });

/** The part of a post's approvals that tells who was asked. */
export const approversSchema = z.looseObject({
  approvals: z.array(z.looseObject({ user: z.looseObject({ id: z.string() }) })),
});

/**
 * @returns the post if it is Finalized, or null in its place if the rest of it does not have the documented form
 * @throws ApiError with the post's status if that is another, or with the reason that it cannot be read
 */
export async function readStatusBack(
  lost: ApiError,
  read: () => Promise<Reading & { value: z.output<typeof postStatusSchema> }>,
): Promise<Reading & { post: Post | null }> {
  const { value, ...reading } = await readBack(lost, read);
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

/** @returns the error to throw: the people may have been asked before this call, so approvals prove nothing */
export async function readApproversBack(
  lost: ApiError,
  askedUserIds: readonly string[],
  read: () => Promise<Reading & { value: z.output<typeof approversSchema> }>,
): Promise<ApiError> {
  const { value, ...reading } = await readBack(lost, read);
  const present = new Set(value.approvals.map(({ user }) => user.id.toLowerCase()));
  const missing = askedUserIds.filter((id) => !present.has(id.toLowerCase()));
  return lost.withFindings(describeMissing(missing, askedUserIds), reading);
}

function describeMissing(missing: readonly string[], asked: readonly string[]): string {
  if (missing.length === 0) return 'everyone asked has an approval of the post now';
  if (missing.length === asked.length) {
    return 'none of the people asked has an approval of the post so far';
  }
  const verb = missing.length === 1 ? 'has' : 'have';
  return `of the people asked, ${missing.join(', ')} ${verb} no approval of the post so far`;
}

async function readBack<Found>(lost: ApiError, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw lost;
    throw lost.withFindings(`reading it back failed too: ${error.problem}`, error);
  }
}
