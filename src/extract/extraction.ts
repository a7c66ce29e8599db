import type { AnswerHeaders } from '../api/answer-proof.ts';
import type { Reach } from '../api/api-error.ts';
import type { DetailKind } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { ProgressTask } from '../core/progress.ts';
import type { RunWriter } from '../store/run-writer.ts';

/** A complete answer with status 200. The body is unchanged. */
export interface ExtractedAnswer {
  readonly body: Buffer;
  readonly headers: AnswerHeaders;
  readonly fetchedAt: Date;
  /** The number of HTTP requests sent for it, retries and 429s included. */
  readonly requests: number;
}

/** The part of the API that extraction uses. Both methods reject with an ApiError. */
interface WorkspaceReader {
  readAnalytics(
    profileId: string,
    window: { start: string; end: string },
    options: { signal: AbortSignal; encoding: 'latin1'; attempts?: number | undefined },
  ): Promise<ExtractedAnswer & { readonly records: readonly unknown[] }>;
  readDetail(
    kind: DetailKind,
    postId: string,
    options: { signal: AbortSignal },
  ): Promise<ExtractedAnswer>;
}

export interface ExtractTools {
  readonly reader: WorkspaceReader;
  readonly writer: Pick<RunWriter, 'record' | 'storeResponse'>;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly task: ProgressTask;
  readonly signal: AbortSignal;
}

/** The result of carrying out a plan, as it is counted. */
export class Tally {
  /** The number of answered calls, including the parts of windows that were asked for again. */
  succeeded = 0;
  /** The number of records in the analytics answers. */
  postsRead = 0;
  /** What failed, and was not made good by answers to its parts; and answers that prove less than they were asked for. */
  readonly failures: Failure[] = [];
  /** The number of planned calls that were skipped, most without a request, because an earlier call failed. */
  notRead = 0;
  /** A sentence for each answer that was found to lack posts. */
  readonly cutOff: string[] = [];
}

/** A failed call, or an answer that does not prove what it was asked for. */
export interface Failure {
  /**
   * The subject of the call, as shown to people. It is the workspace if no call to the workspace can succeed.
   */
  readonly subject: string;
  readonly message: string;
  /** The HTTP status. Null if no answer came. */
  readonly httpStatus: number | null;
  /** The number of HTTP requests spent on the call. */
  readonly requests: number;
  /** The calls that must fail for the same reason. */
  readonly reach: Reach;
  /** True if a request for fewer days may succeed. */
  readonly mayBeDivided: boolean;
}

/** The number of consecutive failed calls, each already retried, after which the service counts as down. */
const unansweredLimit = 5;

/** Decides which of the remaining calls are pointless after a failure. */
export class StopRules {
  readonly #profiles = new Map<string, Failure>();
  readonly #ended = new Set<string>();
  #ofWorkspace: Failure | null = null;
  #outage: Failure | null = null;
  #unanswered = 0;

  /**
   * Returns the failure that makes a call for this profile pointless by now; null if none does. Pass null for a
   * call that belongs to no profile.
   */
  causeFor(profileId: string | null): Failure | null {
    const ofWorkspace = this.#ofWorkspace ?? this.#outage;
    if (ofWorkspace || profileId === null) return ofWorkspace;
    return this.#profiles.get(profileId) ?? null;
  }

  /** True if the service counts as down. */
  get isOutage(): boolean {
    return this.#outage !== null;
  }

  /** Forgets that the service counted as down. */
  endOutage(): void {
    this.#outage = null;
    this.#unanswered = 0;
  }

  /** Records that the service no longer has a profile of which all days are read that count. */
  sawEnd(profileId: string): void {
    this.#ended.add(profileId);
  }

  hasEnded(profileId: string): boolean {
    return this.#ended.has(profileId);
  }

  sawSuccess(): void {
    this.#unanswered = 0;
  }

  /**
   * Records a failure.
   * @param call isAgain: true for a part of a window that failed, which says nothing about the service
   * @returns the consequence in words, or null if the failure stops no more than its own profile
   */
  sawFailure(
    failure: Failure,
    call: { readonly profileId: string | null; readonly isAgain: boolean },
  ): string | null {
    const { httpStatus: status } = failure;
    const isDown = status === null || status >= 500 || status === 202;
    if (!call.isAgain) this.#unanswered = isDown ? this.#unanswered + 1 : 0;
    const isOutage = this.#unanswered >= unansweredLimit;
    if (failure.reach === 'workspace' || isOutage) {
      if (this.#ofWorkspace ?? this.#outage) return null;
      if (isOutage) this.#outage = failure;
      else this.#ofWorkspace = failure;
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
