import type { Clock } from '../core/clock.ts';
import type { ProfileConfig } from '../config/config.ts';
import type { LandedResult } from '../landing/landing-part.ts';
import type { LandedRequest, ResponseManifest } from '../landing/manifest.ts';
import type { PlannedDetail, Window } from '../plan/plan.ts';
import type { Tally } from './extract-outcome.ts';
import type { Answer, ExtractTools } from './extract-tools.ts';
import { describeFailure, type Failure } from './failure.ts';
import { PostSet } from './post-set.ts';
import type { StopRules } from './stop-rules.ts';

/** What all calls of an extraction share. */
export interface Desk {
  readonly tools: ExtractTools;
  readonly stops: StopRules;
  readonly outcome: Tally;
}

/** One thing to ask for, and how. */
export interface Call {
  readonly request: LandedRequest;
  readonly workspace: string;
  /** What a message calls it. */
  readonly subject: string;
  /** Whose failure stops it: the profile's id; null where no profile is known. */
  readonly profileId: string | null;
  ask(): Promise<Answer & { readonly records?: readonly unknown[] }>;
}

/** A success that is on disk. */
export interface LandedAnswer {
  readonly manifest: ResponseManifest;
  /** Of an analytics answer; none in any other. */
  readonly posts: PostSet;
}

export function windowCall(profile: ProfileConfig, window: Window, tools: ExtractTools): Call {
  return {
    request: {
      kind: 'analytics',
      profile_id: profile.id,
      start_date: window.start,
      end_date: window.end,
    },
    workspace: profile.workspace,
    subject: `${profile.workspace}/${profile.name} ${window.start} to ${window.end}`,
    profileId: profile.id,
    ask: () => tools.reader.readAnalytics(profile.id, window, { signal: tools.signal }),
  };
}

export function detailCall({ workspace, postId }: PlannedDetail, tools: ExtractTools): Call {
  return {
    request: { kind: 'post', post_id: postId },
    workspace,
    subject: `${workspace} post ${postId}`,
    profileId: null,
    ask: () => tools.reader.readPost(postId, { signal: tools.signal }),
  };
}

/**
 * Asks, and lands what came of it, also a failure. One that further calls
 * get as well is reported once, also when several calls were under way.
 * @returns null when there is no answer
 */
export async function carryOut(
  call: Call,
  { tools, stops, outcome }: Desk,
): Promise<LandedAnswer | null> {
  const answer = await call.ask().catch((error: unknown) => describeFailure(error, call));
  if (!('reach' in answer)) {
    const posts = new PostSet(answer.records ?? []);
    const manifest = await tools.part.landResponse(call.request, success(answer, posts));
    stops.sawSuccess();
    outcome.succeeded += 1;
    outcome.postsRead += answer.records?.length ?? 0;
    return { manifest, posts };
  }
  if (tools.signal.aborted) return null;
  const isMissing = call.request.kind === 'post' && answer.httpStatus === 404;
  await tools.part.landResponse(call.request, failed(answer, isMissing, tools.clock));
  if (isMissing) {
    stops.sawSuccess();
    outcome.succeeded += 1;
    return null;
  }
  if (answer.reach !== 'call' && stops.covers(call.profileId)) {
    outcome.notRead += 1;
    return null;
  }
  const consequence = stops.sawFailure(answer, call);
  const problem = `${answer.subject}: ${answer.message}`;
  const sentence = consequence === null ? problem : `${problem}; ${consequence}`;
  tools.log.warn({ status: answer.httpStatus }, sentence);
  outcome.failures.push(answer);
  return null;
}

function success(answer: Answer & { records?: readonly unknown[] }, posts: PostSet): LandedResult {
  return {
    outcome: 'succeeded',
    httpStatus: 200,
    fetchedAt: answer.fetchedAt,
    requests: answer.requests,
    error: null,
    body: answer.body,
    records: answer.records?.length ?? null,
    ...(answer.records && { distinctPosts: posts.size }),
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
