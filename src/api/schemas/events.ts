import { z } from 'zod';
import { labelSchema, linkedInContentSchema, xContentSchema } from './posts.ts';
import { accountSchema, dateTime, identifier, openEnum, postStatuses } from './vocabulary.ts';

/** The fields that every webhook event has, whatever its type (specification, "Events"). */
export const webhookEventSchema = z
  .looseObject({
    type: z.string(),
    data: z.looseObject({}),
    createdAt: dateTime.meta({ description: 'When the event was created, not when it was sent.' }),
  })
  .meta({ id: 'WebhookEvent', description: 'The fields that every webhook event has.' });
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

const workspaceReferenceSchema = z
  .looseObject({
    id: identifier,
    slug: z.string(),
    name: z.string(),
  })
  .meta({ id: 'WorkspaceReference', description: 'The workspace that an event belongs to.' });

export const postDeletedEventSchema = webhookEventSchema
  .extend({
    type: z.literal('post.permanently_deleted'),
    data: z.looseObject({
      post: z.looseObject({
        id: identifier,
        title: z.string(),
        status: openEnum([...postStatuses, 'archived']),
        channels: z
          .array(z.string())
          .meta({ description: 'The channels that the post was scheduled for.' }),
        campaign: z
          .looseObject({
            id: identifier,
            name: z.string(),
            startDate: z.string().nullish(),
            endDate: z.string().nullish(),
          })
          .nullish(),
        url: z.string(),
        labels: z.array(labelSchema),
        workspace: workspaceReferenceSchema,
        deletedBy: accountSchema
          .nullish()
          .meta({ description: 'Null if it was deleted because its time in the trash was over.' }),
        deletedAt: dateTime,
        linkedIn: linkedInContentSchema
          .nullish()
          .meta({ description: 'Given if the post was for LinkedIn.' }),
        x: xContentSchema.nullish().meta({ description: 'Given if the post was for Twitter/X.' }),
      }),
    }),
  })
  .meta({ id: 'PostPermanentlyDeleted', description: 'A post was deleted for good.' });
export type PostDeletedEvent = z.infer<typeof postDeletedEventSchema>;

export const inviteCreatedEventSchema = webhookEventSchema
  .extend({
    type: z.literal('invite.created'),
    data: z.looseObject({
      invite: z.looseObject({
        id: identifier,
        email: z.string().meta({ description: "The invited person's email address." }),
        createdAt: dateTime,
        invitedBy: accountSchema,
        workspace: workspaceReferenceSchema,
        sentEmail: z
          .boolean()
          .meta({ description: 'False if the person had an account and was added at once.' }),
      }),
    }),
  })
  .meta({ id: 'InviteCreated', description: 'Someone was invited to the workspace.' });
export type InviteCreatedEvent = z.infer<typeof inviteCreatedEventSchema>;
