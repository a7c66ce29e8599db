import { join } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import type { WorkspaceConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { AnswerHeaders } from './answer-proof.ts';
import { ApiError, describeCall, type Call, type Spent } from './api-error.ts';
import { Connection, type Answer } from './connection.ts';
import { RateBudget, type BudgetWait } from './rate-budget.ts';
import { backoffMs, maxAttempts, maxRetryAfterMs } from './retry-timing.ts';
import { unusableKey } from './transport-errors.ts';

/** The reason that a call waits: the quota, the reset after a 429, or the pause before another attempt. */
export type ClientWait = BudgetWait | { readonly reason: 'retry'; readonly ms: number };

/** The settings of a workspace that are needed to call its API. */
export type Endpoint = Pick<
  WorkspaceConfig,
  'key' | 'baseUrl' | 'apiKey' | 'rateLimit' | 'concurrency' | 'timeoutSeconds'
>;

export interface CallRunnerOptions {
  readonly workspace: Endpoint;
  /** An absolute path; the rate budget's file is kept there. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** This program's version, for the User-Agent header. */
  readonly version: string;
  /** Returns a number of at least 0 and below 1. */
  readonly random: () => number;
  /** The limit for one answer, both before and after decompression. */
  readonly maxResponseBytes?: number;
  /** A call is not tried again later than this after its beginning. There is no such limit by default. */
  readonly retryWithinMs?: number;
  /** Called with the wait when a call starts to wait, and with null when one goes on. */
  readonly onWait?: (wait: ClientWait | null) => void;
}

/** An answer, and the requests that it took. */
export interface Reading extends Spent {
  readonly headers: AnswerHeaders;
  /** The unchanged body, after content decoding. */
  readonly body: Buffer;
  /** The time at which the answer was complete. */
  readonly fetchedAt: Date;
}

export interface ClientCall extends Call {
  /** The JSON text of the body; null if there is none. */
  readonly body: string | null;
  /**
   * Advice on how to find out the outcome of a call that changes something, without a final full stop. It is
   * null for a call that changes nothing (RFC 9110, section 9.2.1) and so may always be repeated.
   */
  readonly outcomeAdvice: string | null;
  /** The number of attempts; left out: five. */
  readonly attempts?: number | undefined;
}

interface CallState extends Spent {
  requests: number;
  retries: number;
  throttled: number;
  readonly startedMs: number;
  /** True if the current attempt was sent. */
  wasSent: boolean;
}

/** The number of 429s in a row after which a call fails. */
const maxThrottled = 30;
const defaultMaxBytes = 64 * 1024 * 1024;

/** Sends the calls of one workspace, within its rate limit, its concurrency and its timeout. */
export class CallRunner {
  readonly #options: CallRunnerOptions;
  readonly #connection: Connection;
  readonly #budget: RateBudget;
  readonly #atOnce: LimitFunction;
  #requests = 0;
  #retries = 0;
  #throttled = 0;
  #isClosed = false;

  constructor(options: CallRunnerOptions) {
    const { workspace, dataDir, clock, log, onWait } = options;
    this.#options = options;
    this.#atOnce = pLimit(workspace.concurrency);
    this.#connection = new Connection({
      baseUrl: workspace.baseUrl,
      connections: workspace.concurrency,
      timeoutMs: workspace.timeoutSeconds * 1000,
      maxBytes: options.maxResponseBytes ?? defaultMaxBytes,
      userAgent: `postledger/${options.version}`,
      clock,
    });
    this.#budget = new RateBudget({
      folder: join(dataDir, 'budget'),
      workspace: workspace.key,
      limit: workspace.rateLimit,
      clock,
      log,
      ...(onWait ? { onWait } : {}),
    });
  }

  get requests(): number {
    return this.#requests;
  }

  get retries(): number {
    return this.#retries;
  }

  get throttled(): number {
    return this.#throttled;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection.close();
  }

  /**
   * @param read returns the value of a 2xx answer, or throws if the answer is invalid
   * @throws ApiError with the number of requests; InterruptedError when nothing can have been changed
   */
  run<Value>(
    call: ClientCall,
    signal: AbortSignal,
    read: (call: Call, answer: Answer) => Value,
  ): Promise<Reading & { value: Value }> {
    return this.#atOnce(async () => {
      const startedMs = this.#options.clock.monotonicMs();
      const state: CallState = { requests: 0, retries: 0, throttled: 0, startedMs, wasSent: false };
      for (;;) {
        try {
          const answer = await this.#attempt(call, signal, state);
          const value = read(call, answer);
          const { requests, retries } = state;
          const fetchedAt = this.#options.clock.now();
          const { headers, body } = answer;
          return { headers, body, fetchedAt, requests, retries, value };
        } catch (error) {
          await this.#handleFailure(call, error, state, signal);
        }
      }
    });
  }

  async #attempt(call: ClientCall, signal: AbortSignal, state: CallState): Promise<Answer> {
    state.wasSent = false;
    if (this.#isClosed) throw new InterruptedError('the client is closed');
    const key = this.#options.workspace.apiKey.reveal();
    if (!/^[\x21-\x7e]+$/.test(key)) throw unusableKey(call);
    const slot = await this.#budget.acquire(signal);
    state.requests += 1;
    this.#requests += 1;
    return this.#connection.send(call, {
      key,
      body: call.body,
      signal,
      onSent: () => {
        state.wasSent = true;
        slot.markSent();
      },
    });
  }

  /** Returns once the call may be tried again. @throws the call's outcome if it may not */
  async #handleFailure(
    call: ClientCall,
    failure: unknown,
    state: CallState,
    signal: AbortSignal,
  ): Promise<void> {
    const error = withOutcome(call, failure, state.wasSent);
    if (!(error instanceof ApiError)) throw error;
    error.requests = state.requests;
    error.retries = state.retries;
    if (error.status === 429) {
      state.throttled += 1;
      if (state.throttled >= maxThrottled) throw error;
      await this.#block(error);
      return;
    }
    // The next attempt reports that the client is closed.
    if (this.#isClosed && error.isRetryable) return;
    await this.#backOff(error, call, state, signal).catch((reason: unknown) => {
      throw withOutcome(call, reason, false);
    });
    state.retries += 1;
  }

  /** Holds back every call of the workspace, including the one that got the 429. */
  async #block(error: ApiError): Promise<void> {
    const { log, workspace } = this.#options;
    this.#throttled += 1;
    const ms = error.waitMs ?? workspace.rateLimit.perSeconds * 1000;
    const message = 'the service says that its rate limit is exceeded: all calls wait';
    log.warn({ workspace: workspace.key, seconds: ms / 1000 }, message);
    await this.#budget.block(ms);
  }

  /** Waits until the call may be tried again. @throws the error itself if it may not */
  async #backOff(
    error: ApiError,
    { attempts = maxAttempts }: ClientCall,
    { startedMs }: CallState,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, log, random, workspace, onWait, retryWithinMs = Infinity } = this.#options;
    if (!error.isRetryable || error.retries + 1 >= attempts) throw error;
    if ((error.waitMs ?? 0) > maxRetryAfterMs) throw error;
    const ms = backoffMs(error.retries, error.waitMs, random);
    if (clock.monotonicMs() - startedMs + ms > retryWithinMs) throw error;
    log.info({ workspace: workspace.key, ms: Math.round(ms) }, `${error.message}; retrying`);
    this.#retries += 1;
    onWait?.({ reason: 'retry', ms });
    try {
      await clock.sleep(ms, signal);
    } finally {
      onWait?.(null);
    }
  }
}

/** A change that was sent and got no valid answer must not be sent again. */
function withOutcome(call: ClientCall, failure: unknown, wasSent: boolean): unknown {
  const { outcomeAdvice } = call;
  if (outcomeAdvice === null || !leavesOutcomeOpen(failure)) return failure;
  if (wasSent) return outcomeUnknown(call, failure, outcomeAdvice);
  if (!(failure instanceof InterruptedError)) return failure;
  const problem = `${describeCall(call)}: ${failure.message}; nothing was changed`;
  return new InterruptedError(problem, { cause: failure });
}

function outcomeUnknown(call: Call, cause: ApiError | InterruptedError, advice: string): ApiError {
  const { status, problem } =
    cause instanceof ApiError ? cause : { status: null, problem: 'stopped before the answer came' };
  return new ApiError(call, {
    code: 'API_OUTCOME_UNKNOWN',
    recovery: 'abort',
    status,
    problem: `${problem}, so it is unknown whether this was carried out`,
    advice,
    cause,
  });
}

/**
 * True if a change may have been carried out in spite of the error. A refusal (3xx, 4xx) means that it was not;
 * any other failure, on the way or at the service, leaves that open.
 */
function leavesOutcomeOpen(error: unknown): error is ApiError | InterruptedError {
  if (error instanceof InterruptedError) return true;
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status === null || status < 300 || status >= 500 || status === 408;
}
