import { isPlainAnswer } from '../api/analytics-record.ts';
import { ApiError } from '../api/api-error.ts';
import { judgeAnswer, type AnswerProof } from '../api/answer-proof.ts';
import type { Day } from '../core/calendar.ts';
import { fieldOf } from '../core/json.ts';
import { proofRecord, type RequestRecord } from '../store/manifest.ts';
import type { ResponseResult } from '../store/run-writer.ts';
import type { ExtractedAnswer, ExtractContext, Failure } from './extraction.ts';

export interface DueRequest {
  readonly request: RequestRecord;
  readonly workspace: string;
  /** The subject of the call in messages. */
  readonly subject: string;
  /** The id of the profile whose failures make the call pointless. Null if the call belongs to no profile. */
  readonly profileId: string | null;
  /** True for a part of a window that failed or looked cut off. */
  readonly isAgain: boolean;
  /** True if it only asks whether the service is down: a failure of it says nothing new, and is not stored. */
  readonly isProbe: boolean;
  /** True if an answer that there is no such profile, or no right to read it, is no failure: it has ended and was read. */
  readonly mayBeGone: boolean;
  /** What a person may do if the profile is not found; null if there is nothing more to say than the failure does. */
  readonly adviceIfGone: string | null;
  /** Returns the first day of the window of which an answer with these posts is stored as a part; null if it is whole. */
  partOf(postIds: ReadonlySet<string>): Day | null;
  ask(): Promise<AskedAnswer>;
}

export interface AskedAnswer extends ExtractedAnswer {
  /** The records of an analytics answer, and what was asked for in the end. */
  readonly analytics?: {
    readonly request: RequestRecord & { readonly kind: 'analytics' };
    readonly endsToday: boolean;
    /** The last day that the answer is to prove. */
    readonly lastDay: Day;
    readonly records: readonly unknown[];
  };
}

export interface CallResult {
  /** The ids of the posts in an analytics answer; null if there is no answer. */
  readonly postIds: ReadonlySet<string> | null;
  readonly proof: AnswerProof | null;
  /** The number of records in an analytics answer. */
  readonly records: number;
  readonly failure: Failure | null;
}

const nothing: CallResult = { postIds: null, proof: null, records: 0, failure: null };

/**
 * Sends the request and stores the answer with what it proves, or logs and stores the failure. A failure that further calls
 * share is reported once, even if several calls were running.
 */
export async function fetchAndStore(
  call: DueRequest,
  context: ExtractContext,
): Promise<CallResult> {
  const { writer, stops, outcome, signal, clock } = context;
  const answer = await call.ask().catch((error: unknown) => describeFailure(error, call));
  if (!('reach' in answer)) return storeAnswer(call, answer, context);
  if (signal.aborted) return nothing;
  if (call.isProbe) return { ...nothing, failure: answer };
  const isOfPost = call.request.kind !== 'analytics';
  const isGone = call.mayBeGone && (answer.httpStatus === 404 || answer.httpStatus === 403);
  const isMissing = isGone || (isOfPost && answer.httpStatus === 404);
  const partOf = call.partOf(new Set());
  await writer.storeResponse(call.request, {
    ...failedResult(answer, clock.now(), isMissing),
    ...(partOf !== null && { part_of: partOf }),
  });
  if (isMissing) {
    stops.sawSuccess();
    if (isGone && call.profileId !== null) stops.sawEnd(call.profileId);
    outcome.succeeded += 1;
    return nothing;
  }
  if (answer.reach !== 'call' && stops.causeFor(call.profileId)) {
    outcome.notRead += 1;
    return { ...nothing, failure: answer };
  }
  report(answer, stops.sawFailure(answer, call), context);
  return { ...nothing, failure: answer };
}

async function storeAnswer(
  call: DueRequest,
  { analytics, body, fetchedAt, requests, headers }: AskedAnswer,
  context: ExtractContext,
): Promise<CallResult> {
  const { writer, stops, outcome } = context;
  const records = analytics?.records.length ?? 0;
  const postIds = new Set(analytics?.records.map(postIdOf));
  const { start_date: start = '', end_date: end = '' } = analytics?.request ?? {};
  const proof = analytics ? judgeAnswer({ ...analytics, start, end, headers }) : null;
  const linkedField = writer.record.linked_post_field;
  const isPlain = analytics !== undefined && isPlainAnswer(body, analytics.records, linkedField);
  const partOf = call.partOf(postIds);
  const isFailed = proof?.isUnreadable === true;
  await writer.storeResponse(analytics?.request ?? call.request, {
    outcome: isFailed ? 'failed' : 'succeeded',
    http_status: 200,
    fetchedAt,
    requests,
    error: proof?.problem ?? null,
    body,
    records: analytics ? records : null,
    distinct_posts: analytics ? postIds.size : null,
    ...(proof && { proof: proofRecord(proof) }),
    ...(isPlain && { plain_with: linkedField }),
    ...(partOf !== null && { part_of: partOf }),
  });
  stops.sawSuccess();
  if (!isFailed) outcome.succeeded += 1;
  outcome.postsRead += records;
  const failure: Failure | null = proof?.problem
    ? {
        subject: call.subject,
        message: proof.problem,
        httpStatus: 200,
        requests,
        reach: 'call',
        mayBeDivided: proof.reason !== 'other_dates',
      }
    : null;
  if (failure && !call.isProbe) report(failure, null, context);
  return { postIds, proof, records, failure };
}

function report(
  failure: Failure,
  consequence: string | null,
  { log, outcome }: ExtractContext,
): void {
  const problem = `${failure.subject}: ${failure.message}`;
  log.warn(
    { status: failure.httpStatus },
    consequence === null ? problem : `${problem}; ${consequence}`,
  );
  outcome.failures.push(failure);
}

/** The codes of failures that may be due to the number of days, or to one of them. */
const codesOfRange = new Set([
  'API_SERVER_ERROR',
  'API_TIMEOUT',
  'API_BODY_CUT',
  'API_RESPONSE_TOO_LARGE',
  'API_BAD_REQUEST',
  'API_NOT_WHOLE',
]);

/**
 * Turns an ApiError into a failure.
 * @throws any other error, such as an interruption or a bug
 */
function describeFailure(
  error: unknown,
  { workspace, subject, adviceIfGone }: DueRequest,
): Failure {
  if (!(error instanceof ApiError)) throw error;
  const { code, reason, status, requests, reach } = error;
  const isGone = code === 'API_NOT_FOUND' || code === 'API_FORBIDDEN';
  return {
    subject: reach === 'workspace' ? workspace : subject,
    message: isGone && adviceIfGone !== null ? `${reason}; ${adviceIfGone}` : reason,
    httpStatus: status,
    requests,
    reach,
    mayBeDivided: codesOfRange.has(code),
  };
}

/** Returns the record's id. A record without one, which the load rejects, is told apart by its text. */
function postIdOf(record: unknown): string {
  const id = fieldOf(record, 'id');
  return typeof id === 'string' && id !== '' ? id : JSON.stringify(record);
}

/** @param isMissing true if the failure is the answer that there is no such post, or no such profile any more */
export function failedResult(failure: Failure, fetchedAt: Date, isMissing = false): ResponseResult {
  return {
    outcome: isMissing ? 'not-found' : 'failed',
    http_status: failure.httpStatus,
    fetchedAt,
    requests: failure.requests,
    error: isMissing ? null : failure.message,
    body: null,
    records: null,
    distinct_posts: null,
  };
}
