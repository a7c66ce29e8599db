import type { Reach } from '../api/api-error.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { ProgressTask } from '../core/progress.ts';
import type { RequestRecord, ResponseManifest } from '../store/manifest.ts';
import type { ResponseResult, TruncationFinding } from '../store/run-writer.ts';

/** A whole 200 answer, its body as it came. */
export interface Answer {
  readonly body: Buffer;
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

/** Where responses go. A RunWriter is one. */
interface ResponseSink {
  storeResponse(request: RequestRecord, result: ResponseResult): Promise<ResponseManifest>;
  storeCheck(finding: TruncationFinding): Promise<void>;
}

export interface ExtractTools {
  readonly reader: WorkspaceReader;
  readonly writer: ResponseSink;
  /** The name that the workspace's service gives the linked post. */
  readonly linkedField: string;
  /** How many requests are under way at once. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly task: ProgressTask;
  readonly signal: AbortSignal;
}

/** What became of a plan. */
export interface ExtractOutcome {
  /** Answered, the halves of windows that looked cut off among them. */
  readonly succeeded: number;
  /** Posts in the analytics answers. */
  readonly postsRead: number;
  readonly failures: readonly Failure[];
  /** Planned, but not read for the reason of an earlier failure: most of it was not asked for. */
  readonly notRead: number;
  /** What was found to be cut off, now and for the first time. */
  readonly cutOff: readonly CutOffWindow[];
}

/** A window whose answer has not all of its posts. */
export interface CutOffWindow {
  /** Profile and days, for people. */
  readonly subject: string;
  /** `indivisible`: a single day that looks so; what is missing there cannot be read. */
  readonly kind: 'cut_off' | 'indivisible';
  /** That the answer gave. */
  readonly posts: number;
  /** That its halves gave beside them. */
  readonly missing: number;
}

/** A call that did not give what was asked for. */
export interface Failure {
  /** What was asked for, for people; the workspace where no call of it can succeed. */
  readonly subject: string;
  /** What went wrong and what to do about it. */
  readonly message: string;
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  /** HTTP requests spent on it. */
  readonly requests: number;
  /** What else must fail for the same reason. */
  readonly reach: Reach;
}

/** An outcome while it is being made. */
export interface Tally extends ExtractOutcome {
  succeeded: number;
  postsRead: number;
  failures: Failure[];
  notRead: number;
  cutOff: CutOffWindow[];
}

export function emptyTally(): Tally {
  return { succeeded: 0, postsRead: 0, failures: [], notRead: 0, cutOff: [] };
}

/** What was found of a window, in a sentence for people. */
export function describeCutOff({ subject, kind, posts, missing }: CutOffWindow): string {
  return kind === 'indivisible'
    ? `${subject}: the answer looks cut off at ${posts} posts; a single day has no halves to read, so posts of it may be missing`
    : `${subject}: the answer was cut off at ${posts} posts, ${missing} more were in its halves; it is read in halves from now on`;
}

/** So many calls in a row failed though each was tried again: the service is down, more buy nothing. */
const unansweredLimit = 5;

/** Decides which of the remaining calls are pointless after a failure. */
export class StopRules {
  readonly #profiles = new Set<string>();
  #isWorkspaceStopped = false;
  #unanswered = 0;

  /** Whether a call for this profile (null: for none in particular) is pointless by now. */
  covers(profileId: string | null): boolean {
    return this.#isWorkspaceStopped || (profileId !== null && this.#profiles.has(profileId));
  }

  sawSuccess(): void {
    this.#unanswered = 0;
  }

  /** @returns what it keeps from being asked, in words; null when it stops no more than its own profile */
  sawFailure(failure: Failure, call: { readonly profileId: string | null }): string | null {
    const isDown = failure.httpStatus === null || failure.httpStatus >= 500;
    this.#unanswered = isDown ? this.#unanswered + 1 : 0;
    const isOutage = this.#unanswered >= unansweredLimit;
    if (failure.reach === 'workspace' || isOutage) {
      if (this.#isWorkspaceStopped) return null;
      this.#isWorkspaceStopped = true;
      const reason = isOutage ? `${unansweredLimit} calls in a row have failed: ` : '';
      return `${reason}nothing more is asked of this workspace in this run`;
    }
    if (failure.reach === 'profile' && call.profileId !== null) this.#profiles.add(call.profileId);
    return null;
  }
}

/** What all calls of one extraction share. */
export interface ExtractContext extends ExtractTools {
  readonly stops: StopRules;
  readonly outcome: Tally;
}
