import type { z } from 'zod';
import { approvalSchema, type Approval } from '../api/schemas/approvals.ts';
import { inlineCommentSchema, type InlineComment } from '../api/schemas/inline-comments.ts';
import { lenient, problemsOf, type Lenient } from '../api/schemas/lenient-schema.ts';
import { parseAnswer, personName, unknownFields } from './staged-fields.ts';

const lenientApproval = lenient(approvalSchema, ['id']);
const lenientThread = lenient(inlineCommentSchema, ['id']);

/** A record of an answer that cannot be loaded, as text, and the reason. */
interface RejectedReview {
  readonly reason: string;
  readonly payload: string;
}

/** The records of an answer, or the reason why none of it can be loaded. A bad record does not cost its siblings. */
export type ReadReviews<T> =
  | { readonly rows: readonly T[]; readonly rejects: readonly RejectedReview[] }
  | { readonly problem: string };

/** An approval, as sql/load/review_readings.sql reads it. */
export type StagedApproval = ReturnType<typeof stageApproval>;
/** A thread of comments, as sql/load/review_readings.sql reads it. */
export type StagedThread = ReturnType<typeof stageThread>;

/** Reads the body of `GET /posts/{postId}/approvals`. */
export function readApprovals(body: string): ReadReviews<StagedApproval> {
  return readRecords(body, 'approvals', lenientApproval, stageApproval);
}

/** Reads the body of `GET /posts/{postId}/inline-comments`. */
export function readThreads(body: string): ReadReviews<StagedThread> {
  return readRecords(body, 'inlineComments', lenientThread, stageThread);
}

function readRecords<Schema extends z.ZodType, T>(
  body: string,
  member: string,
  schema: Schema,
  stage: (record: z.output<Schema>) => T,
): ReadReviews<T> {
  const parsed = parseAnswer(body);
  if ('problem' in parsed) return parsed;
  const answer: unknown = Reflect.get(Object(parsed.answer), member);
  if (!Array.isArray(answer)) return { problem: `${member}: expected a list` };
  const rows: T[] = [];
  const rejects: RejectedReview[] = [];
  for (const record of answer as readonly unknown[]) {
    const result = schema.safeParse(record);
    if (result.success) rows.push(stage(result.data));
    else rejects.push({ reason: problemsOf(result.error), payload: JSON.stringify(record) });
  }
  return { rows, rejects };
}

function stageApproval(approval: Lenient<Approval>) {
  const { user, requestedBy } = approval;
  return {
    approval_id: approval.id ?? null,
    status: approval.status ?? null,
    is_blocking: approval.isBlocking ?? null,
    message: approval.message ?? null,
    due_date: approval.dueDate ?? null,
    approved_at: approval.approvedAt ?? null,
    created_at: approval.createdAt ?? null,
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
    resolved: thread.resolved ?? null,
    channel: thread.channel ?? null,
    highlighted_text: thread.highlightedText ?? null,
    created_at: thread.createdAt ?? null,
    updated_at: thread.updatedAt ?? null,
    replies: thread.replies?.map(stageReply) ?? null,
    extra: unknownFields(thread, inlineCommentSchema),
  };
}

function stageReply({
  id,
  user,
  message,
  createdAt,
  reactions,
}: Lenient<InlineComment['replies'][number]>) {
  return {
    reply_id: id ?? null,
    user_id: user?.id ?? null,
    user_name: user ? personName(user) : null,
    message: message ?? null,
    created_at: createdAt ?? null,
    reactions:
      reactions?.map(({ emoji, users }) => ({ emoji: emoji ?? null, users: users?.length ?? 0 })) ??
      null,
  };
}
