import { ApiError } from '../api/api-error.ts';
import type { RequestRecord, ResponseManifest } from '../store/manifest.ts';
import type { ResponseResult } from '../store/run-writer.ts';
import type { ExtractedAnswer, ExtractContext, Failure } from './extraction.ts';

/** A request and the function that sends it. */
export interface DueRequest {
  readonly request: RequestRecord;
  readonly workspace: string;
  /** The subject of the call in messages. */
  readonly subject: string;
  /** The id of the profile whose failures make the call pointless. Null if the call belongs to no profile. */
  readonly profileId: string | null;
  ask(): Promise<ExtractedAnswer & { readonly records?: readonly unknown[] }>;
}

/** A successful answer that is on disk. */
export interface StoredAnswer {
  readonly manifest: ResponseManifest;
  /** The ids of the posts in an analytics answer; empty for any other. */
  readonly postIds: ReadonlySet<string>;
}

/**
 * Sends the request and stores the answer, or logs and stores the failure. A failure that further calls share
 * is reported once, even if several calls were running.
 * @returns null if there is no answer
 */
export async function fetchAndStore(
  call: DueRequest,
  { writer, stops, outcome, signal, clock, log }: ExtractContext,
): Promise<StoredAnswer | null> {
  const answer = await call.ask().catch((error: unknown) => describeFailure(error, call));
  if (!('reach' in answer)) {
    const { records } = answer;
    const postIds = new Set(records?.map(postIdOf));
    const manifest = await writer.storeResponse(call.request, {
      outcome: 'succeeded',
      http_status: 200,
      fetchedAt: answer.fetchedAt,
      requests: answer.requests,
      error: null,
      body: answer.body,
      records: records?.length ?? null,
      distinct_posts: records ? postIds.size : null,
    });
    stops.sawSuccess();
    outcome.succeeded += 1;
    outcome.postsRead += records?.length ?? 0;
    return { manifest, postIds };
  }
  if (signal.aborted) return null;
  const isMissing = call.request.kind !== 'analytics' && answer.httpStatus === 404;
  await writer.storeResponse(call.request, failedResult(answer, clock.now(), isMissing));
  if (isMissing) {
    stops.sawSuccess();
    outcome.succeeded += 1;
    return null;
  }
  if (answer.reach !== 'call' && stops.causeFor(call.profileId)) {
    outcome.notRead += 1;
    return null;
  }
  const consequence = stops.sawFailure(answer, call);
  const problem = `${answer.subject}: ${answer.message}`;
  log.warn(
    { status: answer.httpStatus },
    consequence === null ? problem : `${problem}; ${consequence}`,
  );
  outcome.failures.push(answer);
  return null;
}

/**
 * Turns an ApiError into a failure.
 * @throws any other error, such as an interruption or a bug
 */
function describeFailure(error: unknown, { workspace, subject }: DueRequest): Failure {
  if (!(error instanceof ApiError)) throw error;
  const { reason, status, requests, reach } = error;
  const place = reach === 'workspace' ? workspace : subject;
  return { subject: place, message: reason, httpStatus: status, requests, reach };
}

/** Returns the record's id. A record without one, which the load rejects, is told apart by its text. */
function postIdOf(record: unknown): string {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : null;
  return typeof id === 'string' && id !== '' ? id : JSON.stringify(record);
}

/** @param isMissing true if the failure is the answer that the post does not exist */
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
