import { z } from 'zod';
import {
  accountSchema,
  commentChannels,
  dateTime,
  openEnum,
  plainIdentifier,
} from './vocabulary.ts';

const replySchema = z
  .looseObject({
    id: plainIdentifier,
    user: accountSchema,
    message: z.string().meta({ description: 'Mentions are written as @[Display Name](userId).' }),
    createdAt: dateTime,
    reactions: z.array(z.looseObject({ emoji: z.string(), users: z.array(accountSchema) })),
  })
  .meta({ id: 'Reply', description: 'One message of a thread, with reactions to it.' });

/** A thread of comments on a part of a post's text. */
export const inlineCommentSchema = z
  .looseObject({
    id: plainIdentifier,
    resolved: z.boolean(),
    channel: openEnum(commentChannels),
    highlightedText: z.string().meta({ description: 'The text that the thread is anchored to.' }),
    replies: z.array(replySchema),
    createdAt: dateTime,
    updatedAt: dateTime,
  })
  .meta({
    id: 'InlineCommentThread',
    description: "A thread of comments on a part of a post's text.",
  });
export type InlineComment = z.infer<typeof inlineCommentSchema>;
