import type { Reach } from '../api/api-error.ts';
import type { DetailKind } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { ProgressTask } from '../core/progress.ts';
import type { RunWriter } from '../store/run-writer.ts';

/** A complete answer with status 200. The body is unchanged. */
export interface ExtractedAnswer {
  readonly body: Buffer;
  readonly fetchedAt: Date;
  /** The number of HTTP requests sent for it, retries and 429s included. */
  readonly requests: number;
}

/** The part of the API that extraction uses. Both methods reject with an ApiError. */
interface WorkspaceReader {
  readAnalytics(
    profileId: string,
    window: { start: string; end: string },
    options: { signal: AbortSignal; encoding: 'latin1' },
  ): Promise<ExtractedAnswer & { readonly records: readonly unknown[] }>;
  readDetail(
    kind: DetailKind,
    postId: string,
    options: { signal: AbortSignal },
  ): Promise<ExtractedAnswer>;
}

export interface ExtractTools {
  readonly reader: WorkspaceReader;
  readonly writer: Pick<RunWriter, 'storeResponse' | 'storeCheck'>;
  /** The maximum number of concurrent requests. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly task: ProgressTask;
  readonly signal: AbortSignal;
}

/** The result of carrying out a plan, as it is counted. */
export class Tally {
  /** The number of answered calls, including the halves of windows that looked truncated. */
  succeeded = 0;
  /** The number of records in the analytics answers. */
  postsRead = 0;
  readonly failures: Failure[] = [];
  /** The number of planned calls that were skipped, most without a request, because an earlier call failed. */
  notRead = 0;
  /** The windows that were found truncated for the first time. */
  readonly cutOff: CutOffWindow[] = [];
}

/** A window whose answer lacks some of its posts. */
export interface CutOffWindow {
  /** The profile and the days, as shown to people. */
  readonly subject: string;
  /**
   * `indivisible` means that the window is a single day that looks truncated. Its missing posts cannot be
   * read.
   */
  readonly kind: 'cut_off' | 'indivisible';
  /** The number of posts in the answer. */
  readonly posts: number;
  /** The number of further posts in the answers to its halves. */
  readonly missing: number;
}

/** A failed call. */
export interface Failure {
  /**
   * The subject of the call, as shown to people. It is the workspace if no call to the workspace can succeed.
   */
  readonly subject: string;
  /** The problem and its remedy. */
  readonly message: string;
  /** The HTTP status. Null if no answer came. */
  readonly httpStatus: number | null;
  /** The number of HTTP requests spent on the call. */
  readonly requests: number;
  /** The calls that must fail for the same reason. */
  readonly reach: Reach;
}

/** Describes a truncated window in a sentence for people. */
export function describeCutOff({ subject, kind, posts, missing }: CutOffWindow): string {
  return kind === 'indivisible'
    ? `${subject}: the answer looks cut off at ${posts} posts; a single day has no halves to read, so posts of it may be missing`
    : `${subject}: the answer was cut off at ${posts} posts, ${missing} more were in its halves; it is read in halves from now on`;
}

/** The number of consecutive failed calls, each already retried, after which the service counts as down. */
const unansweredLimit = 5;

/** Decides which of the remaining calls are pointless after a failure. */
export class StopRules {
  readonly #profiles = new Map<string, Failure>();
  #ofWorkspace: Failure | null = null;
  #unanswered = 0;

  /**
   * Returns the failure that makes a call for this profile pointless by now; null if none does. Pass null for a
   * call that belongs to no profile.
   */
  causeFor(profileId: string | null): Failure | null {
    if (this.#ofWorkspace || profileId === null) return this.#ofWorkspace;
    return this.#profiles.get(profileId) ?? null;
  }

  sawSuccess(): void {
    this.#unanswered = 0;
  }

  /**
   * Records a failure.
   * @returns the consequence in words, or null if the failure stops no more than its own profile
   */
  sawFailure(failure: Failure, call: { readonly profileId: string | null }): string | null {
    const isDown = failure.httpStatus === null || failure.httpStatus >= 500;
    this.#unanswered = isDown ? this.#unanswered + 1 : 0;
    const isOutage = this.#unanswered >= unansweredLimit;
    if (failure.reach === 'workspace' || isOutage) {
      if (this.#ofWorkspace) return null;
      this.#ofWorkspace = failure;
      const reason = isOutage ? `${unansweredLimit} calls in a row have failed: ` : '';
      return `${reason}no further requests are sent to this workspace in this run`;
    }
    if (failure.reach === 'profile' && call.profileId !== null)
      this.#profiles.set(call.profileId, failure);
    return null;
  }
}

/** The state that all calls of one extraction share. */
export interface ExtractContext extends ExtractTools {
  readonly stops: StopRules;
  readonly outcome: Tally;
}
