import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { ProgressTask } from '../core/progress.ts';
import type { LandedFinding, LandedResult } from '../landing/landing-part.ts';
import type { LandedRequest, ResponseManifest } from '../landing/manifest.ts';

/** A whole 200 answer, its body as it came. */
export interface Answer {
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
  landCheck(finding: LandedFinding): Promise<void>;
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
