import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { ProgressTask } from '../core/progress.ts';
import type { RequestRecord, ResponseManifest } from '../store/manifest.ts';
import type { ResponseResult, TruncationFinding } from '../store/run-writer.ts';
import type { Tally } from './extract-outcome.ts';
import type { StopRules } from './stop-rules.ts';

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

/** What all calls of one extraction share. */
export interface ExtractContext extends ExtractTools {
  readonly stops: StopRules;
  readonly outcome: Tally;
}
