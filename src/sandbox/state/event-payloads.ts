import type { InviteCreatedEvent, PostDeletedEvent } from '../../api/schemas/events.ts';
import type { Account } from '../../api/schemas/vocabulary.ts';
import type { DeletedPost } from './post-book.ts';

export interface WorkspaceReference {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** @param deletedBy null when the post's time in the trash was over */
export function postDeletedEvent(
  deleted: DeletedPost,
  workspace: WorkspaceReference,
  deletedBy: Account | null,
): PostDeletedEvent {
  const { details, plan } = deleted.post;
  const deletedAt = deleted.deletedAt.toISOString();
  return {
    type: 'post.permanently_deleted',
    data: {
      post: {
        id: plan.id,
        title: details.title ?? '',
        status: deleted.wasInTrash ? 'archived' : (details.status ?? ''),
        channels: details.channels ?? [],
        campaign: plan.campaign && { ...plan.campaign },
        url: details.url ?? '',
        labels: details.labels ?? [],
        workspace: { ...workspace },
        deletedBy,
        deletedAt,
        linkedIn: details.linkedIn ?? null,
        x: details.x ?? null,
      },
    },
    createdAt: deletedAt,
  };
}

export interface Invite {
  readonly id: string;
  readonly email: string;
  readonly hasAccount: boolean;
  readonly createdAt: Date;
}

export function inviteCreatedEvent(
  invite: Invite,
  workspace: WorkspaceReference,
  invitedBy: Account,
): InviteCreatedEvent {
  const createdAt = invite.createdAt.toISOString();
  return {
    type: 'invite.created',
    data: {
      invite: {
        id: invite.id,
        email: invite.email,
        createdAt,
        invitedBy,
        workspace: { ...workspace },
        sentEmail: !invite.hasAccount,
      },
    },
    createdAt,
  };
}
