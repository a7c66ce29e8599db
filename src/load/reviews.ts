import type { z } from 'zod';
import { approvalSchema, type Approval } from '../api/schemas/approvals.ts';
import { inlineCommentSchema, type InlineComment } from '../api/schemas/inline-comments.ts';
import { lenient, problemsOf, type Lenient } from '../api/schemas/lenient-schema.ts';
import {
  columnsOf,
  parseAnswer,
  personName,
  unknownFields,
  type StagedAnswer,
} from './staged-fields.ts';

const lenientApproval = lenient(approvalSchema, ['id']);
const lenientThread = lenient(inlineCommentSchema, ['id']);

/** Reads the body of `GET /posts/{postId}/approvals` or of `GET /posts/{postId}/inline-comments`. */
export function readReviews(kind: 'approvals' | 'comments', body: string): StagedAnswer {
  return kind === 'approvals'
    ? readRecords(body, ['approvals', 'approvals'], lenientApproval, stageApproval)
    : readRecords(body, ['inlineComments', 'threads'], lenientThread, stageThread);
}

/** @param names those of the list in the answer and in sql/load/review_readings.sql */
function readRecords<Schema extends z.ZodType>(
  body: string,
  [member, column]: readonly [string, string],
  schema: Schema,
  stage: (record: z.output<Schema>) => object,
): StagedAnswer {
  const parsed = parseAnswer(body);
  if ('problem' in parsed) return parsed;
  const answer: unknown = Reflect.get(Object(parsed.answer), member);
  if (!Array.isArray(answer)) return { problem: `${member}: expected a list` };
  const rows: object[] = [];
  const rejects: { reason: string; payload: string }[] = [];
  for (const record of answer as readonly unknown[]) {
    const result = schema.safeParse(record);
    if (result.success) rows.push(stage(result.data));
    else rejects.push({ reason: problemsOf(result.error), payload: JSON.stringify(record) });
  }
  return { fields: { [column]: rows }, rejects };
}

function stageApproval(approval: Lenient<Approval>) {
  const { user, requestedBy } = approval;
  return {
    approval_id: approval.id ?? null,
    ...columnsOf(approval, approvalSchema),
    user_id: user?.id ?? null,
    user_name: user ? personName(user) : null,
    requested_by_id: requestedBy?.id ?? null,
    requested_by_name: requestedBy ? personName(requestedBy) : null,
    extra: unknownFields(approval, approvalSchema),
  };
}

function stageThread(thread: Lenient<InlineComment>) {
  return {
    thread_id: thread.id ?? null,
    ...columnsOf(thread, inlineCommentSchema),
    replies: thread.replies?.map(stageReply) ?? null,
    extra: unknownFields(thread, inlineCommentSchema),
  };
}

function stageReply(reply: Lenient<InlineComment['replies'][number]>) {
  const { id, user, reactions } = reply;
  return {
    reply_id: id ?? null,
    user_id: user?.id ?? null,
    user_name: user ? personName(user) : null,
    ...columnsOf(reply, inlineCommentSchema.shape.replies.element),
    reactions:
      reactions?.map(({ emoji, users }) => ({ emoji: emoji ?? null, users: users?.length ?? 0 })) ??
      null,
  };
}
