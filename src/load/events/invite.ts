import type { z } from 'zod';
import { flag, name, object, text, time } from './event-schemas.ts';
import { problemsOf } from './field-problems.ts';
import { personName, personSchema } from './person-name.ts';
import { workspaceSchema } from './workspace-reference.ts';

/** An invitation as sql/load/stage_events.sql takes it. */
export interface StagedInvite {
  readonly invite_id: string;
  readonly email: string;
  readonly created_at: string;
  readonly invited_by: string | null;
  readonly workspace_slug: string;
  readonly sent_email: boolean;
}

const eventSchema = object({
  createdAt: time,
  data: object({
    invite: object({
      id: name,
      email: text,
      createdAt: time,
      invitedBy: personSchema,
      workspace: workspaceSchema,
      sentEmail: flag,
    }),
  }),
});

/** Reads an event of the type `invite.created` (specification, "Events"), or says in words why it cannot be. */
export function readInvite(event: unknown): { invite: StagedInvite } | { problem: string } {
  const read = eventSchema.safeParse(event);
  if (!read.success) return { problem: problemsOf(read.error, event) };
  return { invite: stageInvite(read.data.data.invite) };
}

function stageInvite(invite: z.infer<typeof eventSchema>['data']['invite']): StagedInvite {
  return {
    invite_id: invite.id,
    email: invite.email,
    created_at: invite.createdAt,
    invited_by: personName(invite.invitedBy),
    workspace_slug: invite.workspace.slug,
    sent_email: invite.sentEmail,
  };
}
