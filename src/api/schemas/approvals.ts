import { z } from 'zod';
import { dateTime, identifier, personSchema } from './vocabulary.ts';

const approvalUserSchema = personSchema
  .extend({
    createdAt: dateTime,
    email: z
      .string()
      .optional()
      .meta({ description: 'Listing approvals gives it, creating them does not.' }),
  })
  .meta({ id: 'User', description: 'A person who asks for an approval, or is asked for one.' });

export const approvalSchema = z
  .looseObject({
    id: identifier,
    status: z.string().meta({
      description: 'Requested at first; no other word is specified.',
      examples: ['Requested'],
    }),
    isBlocking: z.boolean(),
    message: z.string().nullish().meta({ description: 'To the person asked.' }),
    dueDate: dateTime.nullish(),
    approvedAt: dateTime.nullable().meta({ description: 'Null until approved.' }),
    createdAt: dateTime,
    user: approvalUserSchema.meta({ description: 'The person asked to approve.' }),
    requestedBy: approvalUserSchema.meta({ description: 'The person who asked.' }),
  })
  .meta({ id: 'Approval', description: 'That a person was asked to approve a post.' });
export type Approval = z.infer<typeof approvalSchema>;
