import type { PlannedDetail, PlannedWindow, WorkspacePlan } from '../plan/plan.ts';
import type { LandedRequest, ResponseManifest } from '../landing/manifest.ts';
import type { LandedResult } from '../landing/landing-part.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { ProgressTask } from '../core/progress.ts';
import { describeFailure, type Failure } from './failure.ts';
import { StopRules } from './stop-rules.ts';

/** A whole 200 answer, its body as it came. */
interface Answer {
  readonly body: Uint8Array;
  readonly fetchedAt: Date;
  /** HTTP requests sent for it, retries and 429s included. */
  readonly requests: number;
}

/** The API as far as extraction asks it. Both reject with an ApiError. */
interface WorkspaceReader {
  readAnalytics(
    profileId: string,
    window: { start: string; end: string },
    options: { signal: AbortSignal },
  ): Promise<Answer & { readonly records: readonly unknown[] }>;
  readPost(postId: string, options: { signal: AbortSignal }): Promise<Answer>;
}

/** Where responses go. A LandingPart is one. */
interface ResponseSink {
  landResponse(request: LandedRequest, result: LandedResult): Promise<ResponseManifest>;
}

export interface ExtractTools {
  readonly reader: WorkspaceReader;
  readonly part: ResponseSink;
  /** How many requests are under way at once. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly task: ProgressTask;
  readonly signal: AbortSignal;
}

/** What became of a plan. */
export interface ExtractOutcome {
  readonly succeeded: number;
  /** Posts in the analytics answers. */
  readonly postsRead: number;
  readonly failures: readonly Failure[];
  /** Planned, but not asked for, because an earlier failure made it pointless. */
  readonly notAsked: number;
}

/** One thing to ask for, and how. */
interface Call {
  readonly request: LandedRequest;
  /** What a message calls it. */
  readonly subject: string;
  /** Whose failure stops it: the profile's id; null where no profile is known. */
  readonly profileId: string | null;
  ask(): Promise<Answer & { readonly records?: readonly unknown[] }>;
}

/**
 * Reads the planned windows, newest first, and lands each answer before going on. A failure is landed
 * too, and costs the others nothing; one that must repeat for its profile or its workspace (a wrong key)
 * stops these, so that no request is spent that buys nothing.
 * @throws InterruptedError when the signal aborts; what has landed stays
 */
export async function extractWindows(
  plan: Pick<WorkspacePlan, 'windows'>,
  tools: ExtractTools,
): Promise<ExtractOutcome> {
  return extractAll(
    plan.windows.map((planned) => windowCall(planned, tools)),
    tools,
  );
}

/** Reads the planned posts' details; a post that is not found is an answer, not a failure. */
export async function extractDetails(
  details: readonly PlannedDetail[],
  tools: ExtractTools,
): Promise<ExtractOutcome> {
  return extractAll(
    details.map((detail) => detailCall(detail, tools)),
    tools,
  );
}

function windowCall({ profile, window }: PlannedWindow, tools: ExtractTools): Call {
  return {
    request: {
      kind: 'analytics',
      profile_id: profile.id,
      start_date: window.start,
      end_date: window.end,
    },
    subject: `${profile.workspace}/${profile.name} ${window.start} to ${window.end}`,
    profileId: profile.id,
    ask: () => tools.reader.readAnalytics(profile.id, window, { signal: tools.signal }),
  };
}

function detailCall({ workspace, postId }: PlannedDetail, tools: ExtractTools): Call {
  return {
    request: { kind: 'post', post_id: postId },
    subject: `${workspace} post ${postId}`,
    profileId: null,
    ask: () => tools.reader.readPost(postId, { signal: tools.signal }),
  };
}

async function extractAll(calls: readonly Call[], tools: ExtractTools): Promise<ExtractOutcome> {
  const queue = calls.values();
  const stops = new StopRules(tools.log);
  const outcome = { succeeded: 0, postsRead: 0, failures: [] as Failure[], notAsked: 0 };
  const work = async () => {
    for (const call of queue) {
      if (tools.signal.aborted) return;
      if (stops.covers(call.profileId)) outcome.notAsked += 1;
      else await carryOut(call, tools, stops, outcome);
      tools.task.advance();
    }
  };
  await settleAll(Array.from({ length: tools.concurrency }, work));
  if (tools.signal.aborted) throw new InterruptedError('stopped while reading the API');
  return outcome;
}

/** Waits for every worker before the first error goes up, so that nothing is left running. */
async function settleAll(workers: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(workers);
  const rejected = results.find((result) => result.status === 'rejected');
  if (rejected) throw rejected.reason;
}

async function carryOut(
  call: Call,
  tools: ExtractTools,
  stops: StopRules,
  outcome: { succeeded: number; postsRead: number; failures: Failure[] },
): Promise<void> {
  const answer = await call.ask().catch((error: unknown) => describeFailure(error, call.subject));
  if (!('reach' in answer)) {
    await tools.part.landResponse(call.request, success(answer));
    stops.sawSuccess();
    outcome.succeeded += 1;
    outcome.postsRead += answer.records?.length ?? 0;
    return;
  }
  if (tools.signal.aborted) return;
  const isMissing = call.request.kind === 'post' && answer.httpStatus === 404;
  await tools.part.landResponse(call.request, failed(answer, isMissing, tools.clock));
  if (isMissing) {
    stops.sawSuccess();
    outcome.succeeded += 1;
    return;
  }
  tools.log.warn({ status: answer.httpStatus }, `${call.subject}: ${answer.message}`);
  stops.sawFailure(answer, call);
  outcome.failures.push(answer);
}

function success(answer: Answer & { records?: readonly unknown[] }): LandedResult {
  return {
    outcome: 'succeeded',
    httpStatus: 200,
    fetchedAt: answer.fetchedAt,
    requests: answer.requests,
    error: null,
    body: answer.body,
    records: answer.records?.length ?? null,
  };
}

function failed(failure: Failure, isMissing: boolean, clock: Clock): LandedResult {
  return {
    outcome: isMissing ? 'not-found' : 'failed',
    httpStatus: failure.httpStatus,
    fetchedAt: clock.now(),
    requests: failure.requests,
    error: isMissing ? null : failure.message,
    body: null,
    records: null,
  };
}
