import { join } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import type { WorkspaceConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { ApiError, describeCall, type Call, type Spent } from './api-error.ts';
import { Connection, type Answer } from './connection.ts';
import { RateBudget, type BudgetWait } from './rate-budget.ts';
import { backoffMs, longestRetryAfterMs, mostAttempts } from './retry-timing.ts';
import { unusableKey } from './transport-errors.ts';

/** What a call waits for: the quota, a 429's reset, or the pause before another attempt. */
export type ClientWait = BudgetWait | { readonly reason: 'retry'; readonly ms: number };

/** What has to be known of a workspace to ask its API. */
export type Endpoint = Pick<
  WorkspaceConfig,
  'key' | 'baseUrl' | 'apiKey' | 'rateLimit' | 'concurrency' | 'timeoutSeconds'
>;

export interface CallRunnerOptions {
  readonly workspace: Endpoint;
  /** Absolute; the rate budget's file is kept there. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Of this program, for the User-Agent. */
  readonly version: string;
  /** Gives a number of at least 0 and below 1. */
  readonly random: () => number;
  /** Of one answer, before and after decompression. */
  readonly maxResponseBytes?: number;
  /** Told what a call waits for, and null when one goes on. */
  readonly onWait?: (wait: ClientWait | null) => void;
}

/** An answer, and what it took. */
export interface Reading extends Spent {
  /** As it came, after content-decoding. */
  readonly body: Buffer;
  /** When the answer was complete. */
  readonly fetchedAt: Date;
}

/** A call as it is sent. */
export interface ClientCall extends Call {
  /** JSON; null for none. */
  readonly body: string | null;
  /**
   * How one finds out what became of a call that changes something, a sentence without its end. Null:
   * it changes nothing (RFC 9110, section 9.2.1) and may be repeated without knowing what became of it.
   */
  readonly howToFindOut: string | null;
}

interface CallState extends Spent {
  requests: number;
  retries: number;
  throttled: number;
  /** Whether the present attempt went out. */
  hasDeparted: boolean;
}

/** Answers in a row that say to wait; after that something else is wrong. */
const mostThrottled = 30;
const defaultMaxBytes = 64 * 1024 * 1024;

/** Carries out the calls of one workspace, within its rate limit, its concurrency and its time-out. */
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
   * @param read makes the value of a 2xx answer, or throws what is wrong with it
   * @throws ApiError with what was spent; InterruptedError when nothing can have been changed
   */
  run<Value>(
    call: ClientCall,
    signal: AbortSignal,
    read: (call: Call, answer: Answer) => Value,
  ): Promise<Reading & { value: Value }> {
    return this.#atOnce(async () => {
      const spent: CallState = { requests: 0, retries: 0, throttled: 0, hasDeparted: false };
      for (;;) {
        try {
          const answer = await this.#attempt(call, signal, spent);
          const value = read(call, answer);
          const { requests, retries } = spent;
          const fetchedAt = this.#options.clock.now();
          return { body: answer.body, fetchedAt, requests, retries, value };
        } catch (error) {
          await this.#takeFailure(call, error, spent, signal);
        }
      }
    });
  }

  async #attempt(call: ClientCall, signal: AbortSignal, spent: CallState): Promise<Answer> {
    spent.hasDeparted = false;
    if (this.#isClosed) throw new InterruptedError('the client is closed');
    const key = this.#options.workspace.apiKey.reveal();
    if (!/^[\x21-\x7e]+$/.test(key)) throw unusableKey(call);
    const slot = await this.#budget.acquire(signal);
    spent.requests += 1;
    this.#requests += 1;
    return this.#connection.send(call, {
      key,
      body: call.body,
      signal,
      onDeparture: () => {
        spent.hasDeparted = true;
        slot.depart();
      },
    });
  }

  /** Returns when the call may go again. @throws what became of it when it may not */
  async #takeFailure(
    call: ClientCall,
    failure: unknown,
    spent: CallState,
    signal: AbortSignal,
  ): Promise<void> {
    const error = withOutcome(call, failure, spent.hasDeparted);
    if (!(error instanceof ApiError)) throw error;
    error.requests = spent.requests;
    error.retries = spent.retries;
    if (error.status === 429) {
      spent.throttled += 1;
      if (spent.throttled >= mostThrottled) throw error;
      await this.#block(error);
      return;
    }
    if (this.#isClosed && error.isRetryable) return; // the next attempt says so
    await this.#backOff(error, signal).catch((reason: unknown) => {
      throw withOutcome(call, reason, false);
    });
    spent.retries += 1;
  }

  /** Holds every call of the workspace back; this one waits for its next slot. */
  async #block(error: ApiError): Promise<void> {
    const { log, workspace } = this.#options;
    this.#throttled += 1;
    const ms = error.waitMs ?? workspace.rateLimit.perSeconds * 1000;
    const message = 'the service says that its rate limit is exceeded: all calls wait';
    log.warn({ workspace: workspace.key, seconds: ms / 1000 }, message);
    await this.#budget.block(ms);
  }

  /** Waits until the call may go again. @throws the error itself when it may not */
  async #backOff(error: ApiError, signal: AbortSignal): Promise<void> {
    const { clock, log, random, workspace, onWait } = this.#options;
    if (!error.isRetryable || error.retries + 1 >= mostAttempts) throw error;
    if ((error.waitMs ?? 0) > longestRetryAfterMs) throw error;
    const ms = backoffMs(error.retries, error.waitMs, random);
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

/** A call that changes something, went out and got no proper answer must not go again. */
function withOutcome(call: ClientCall, failure: unknown, hasDeparted: boolean): unknown {
  const { howToFindOut } = call;
  if (howToFindOut === null || !leavesOutcomeOpen(failure)) return failure;
  if (hasDeparted) return outcomeUnknown(call, failure, howToFindOut);
  if (!(failure instanceof InterruptedError)) return failure;
  const problem = `${describeCall(call)}: ${failure.message}; nothing was changed`;
  return new InterruptedError(problem, { cause: failure });
}

/**
 * A change went out, and no proper answer came.
 * @param howToFindOut what became of it, a sentence without its end
 */
function outcomeUnknown(
  call: Call,
  cause: ApiError | InterruptedError,
  howToFindOut: string,
): ApiError {
  const { status, problem } =
    cause instanceof ApiError ? cause : { status: null, problem: 'stopped before the answer came' };
  return new ApiError(call, {
    code: 'API_OUTCOME_UNKNOWN',
    recovery: 'abort',
    status,
    problem: `${problem}, so it is unknown whether this was carried out`,
    advice: howToFindOut,
    cause,
  });
}

/**
 * Whether a change may have been carried out in spite of the error. A refusal (3xx, 4xx) says that it was
 * not; everything else that went wrong on the way or at the service does not.
 */
function leavesOutcomeOpen(error: unknown): error is ApiError | InterruptedError {
  if (error instanceof InterruptedError) return true;
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status === null || status < 300 || status >= 500 || status === 408;
}
