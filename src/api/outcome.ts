import { operations } from './schemas/operations.ts';

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
