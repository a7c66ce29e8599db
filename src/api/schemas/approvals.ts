import { z } from 'zod';
import { dateTime, identifier, personSchema } from './vocabulary.ts';

const approvalUserSchema = personSchema
  .extend({
    createdAt: dateTime,
    email: z
      .string()
      .optional()
      .meta({ description: 'Given when approvals are listed, not when they are created.' }),
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
    message: z.string().nullish().meta({ description: 'A message to the person asked.' }),
    dueDate: dateTime.nullish(),
    approvedAt: dateTime.nullable().meta({ description: 'Null until approved.' }),
    createdAt: dateTime,
    user: approvalUserSchema.meta({ description: 'The person asked to approve.' }),
    requestedBy: approvalUserSchema.meta({ description: 'The person who asked.' }),
  })
  .meta({ id: 'Approval', description: "A request for a person's approval of a post." });
export type Approval = z.infer<typeof approvalSchema>;
