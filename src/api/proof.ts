import { operations } from './schemas/operations.ts';

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
