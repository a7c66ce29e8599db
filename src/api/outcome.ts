import { z } from 'zod';
import { ApiError, OutcomeUnknownError } from './api-error.ts';
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

type Read<Schema extends z.ZodType> = () => Promise<Reading & { value: z.output<Schema> }>;

/**
 * @returns the post when it is Finalized; null in its place where the rest of it is not as documented
 * @throws OutcomeUnknownError with its status when that is another, or why it cannot be read
 */
export async function readStatusBack(
  unknown: OutcomeUnknownError,
  read: Read<typeof postStatusSchema>,
): Promise<Reading & { post: Post | null }> {
  const { value, ...reading } = await readOrGiveUp(unknown, read);
  const { status } = value.post;
  const spent = sumOf(unknown, reading);
  if (status === 'Finalized') {
    return { ...reading, ...spent, post: postSchema.safeParse(value.post).data ?? null };
  }
  const soFar = status === 'Scheduled' ? ' so far; look again before you repeat it' : '';
  throw withFindings(unknown, `the post is ${status}${soFar}`, spent);
}

/** @returns what to throw: who was asked before this call is not known, so it proves nothing */
export async function readApproversBack(
  unknown: OutcomeUnknownError,
  askedUserIds: readonly string[],
  read: Read<typeof approversSchema>,
): Promise<OutcomeUnknownError> {
  const { value, ...reading } = await readOrGiveUp(unknown, read);
  const present = new Set(value.approvals.map(({ user }) => user.id.toLowerCase()));
  const missing = askedUserIds.filter((id) => !present.has(id.toLowerCase()));
  return withFindings(unknown, describeMissing(missing, askedUserIds), sumOf(unknown, reading));
}

function describeMissing(missing: readonly string[], asked: readonly string[]): string {
  if (missing.length === 0) return 'everyone asked has an approval of the post now';
  if (missing.length === asked.length) {
    return 'none of those asked has an approval of the post so far';
  }
  const verb = missing.length === 1 ? 'has' : 'have';
  return `of those asked, ${missing.join(', ')} ${verb} no approval of the post so far`;
}

async function readOrGiveUp<Found>(
  unknown: OutcomeUnknownError,
  read: () => Promise<Found>,
): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw unknown;
    const findings = `reading it back failed, too: ${error.problem}`;
    throw withFindings(unknown, findings, sumOf(unknown, error));
  }
}

interface Spent {
  readonly requests: number;
  readonly retries: number;
}

function sumOf(one: Spent, other: Spent): Spent {
  return { requests: one.requests + other.requests, retries: one.retries + other.retries };
}

function withFindings(
  unknown: OutcomeUnknownError,
  findings: string,
  { requests, retries }: Spent,
): OutcomeUnknownError {
  const error = new OutcomeUnknownError(unknown.call, unknown.cause, findings);
  error.requests = requests;
  error.retries = retries;
  return error;
}

function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
