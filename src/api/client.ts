import { join } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import type { WorkspaceConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { readList, readMember } from './answer-json.ts';
import { Connection, type Answer } from './connection.ts';
import { UnusableKeyError } from './errors/access-errors.ts';
import { ApiError, type Call } from './errors/api-error.ts';
import { ServerError, TooManyRequestsError } from './errors/answer-errors.ts';
import { RateBudget, type BudgetWait } from './rate-budget.ts';
import { backoffMs, mostAttempts } from './retry-timing.ts';

/** What a call waits for: the quota, a 429's reset, or the pause before another attempt. */
export type ClientWait = BudgetWait | { readonly reason: 'retry'; readonly ms: number };

export interface WorkspaceClientOptions {
  readonly workspace: WorkspaceConfig;
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

/** What reading took. */
interface Reading {
  /** As it came, after content-decoding. */
  readonly body: Buffer;
  /** When the answer was complete. */
  readonly fetchedAt: Date;
  /** HTTP requests sent for the call, repeats and 429s included. */
  readonly requests: number;
  /** How many of them tried again after a failure; 429s are none. */
  readonly retries: number;
}

/** `isSafe`: it changes nothing (RFC 9110, section 9.2.1), so it may be repeated without knowing what became of it. */
interface ClientCall extends Call {
  readonly isSafe: boolean;
}

const defaultMaxBytes = 64 * 1024 * 1024;

/** One workspace's API, within its rate limit, its concurrency and its time-out. */
export class WorkspaceClient {
  readonly #options: WorkspaceClientOptions;
  readonly #connection: Connection;
  readonly #budget: RateBudget;
  readonly #atOnce: LimitFunction;
  #requests = 0;
  #retries = 0;
  #throttled = 0;

  constructor(options: WorkspaceClientOptions) {
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

  /** HTTP requests sent so far, repeats and 429s included. */
  get requests(): number {
    return this.#requests;
  }

  /** Attempts beyond each call's first; 429s are none. */
  get retries(): number {
    return this.#retries;
  }

  /** 429 answers. */
  get throttled(): number {
    return this.#throttled;
  }

  /**
   * Analytics of a profile's LinkedIn posts that were published from `start` to `end`, both inclusive.
   * @throws ApiError with what was spent; InterruptedError
   */
  async readAnalytics(
    profileId: string,
    { start, end }: { start: string; end: string },
    { signal }: { signal: AbortSignal },
  ): Promise<Reading & { records: unknown[] }> {
    const query = new URLSearchParams({ startDate: start, endDate: end }).toString();
    const path = `/analytics/linkedin/${encodeURIComponent(profileId)}/posts?${query}`;
    const { value, ...reading } = await this.#carryOut(this.#get(path), signal, readList);
    return { ...reading, records: value };
  }

  /**
   * One post of the workspace.
   * @throws ApiError with what was spent; InterruptedError
   */
  async readPost(
    postId: string,
    { signal }: { signal: AbortSignal },
  ): Promise<Reading & { post: Record<string, unknown> }> {
    const call = this.#get(`/posts/${encodeURIComponent(postId)}`);
    const { value, ...reading } = await this.#carryOut(call, signal, (asked, answer) =>
      readMember(asked, answer, 'post'),
    );
    return { ...reading, post: value };
  }

  /** Closes the connections; what is still under way is broken off. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  #get(path: string): ClientCall {
    const { key, apiKey } = this.#options.workspace;
    const place = `workspaces.${key}`;
    return { method: 'GET', path, place, keyVariable: apiKey.variable, isSafe: true };
  }

  #carryOut<Value>(
    call: ClientCall,
    signal: AbortSignal,
    read: (call: Call, answer: Answer) => Value,
  ): Promise<Reading & { value: Value }> {
    return this.#atOnce(async () => {
      const spent = { requests: 0, retries: 0 };
      for (;;) {
        try {
          const answer = await this.#attempt(call, signal, spent);
          const value = read(call, answer);
          return { body: answer.body, fetchedAt: this.#options.clock.now(), ...spent, value };
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          Object.assign(error, spent);
          if (error instanceof TooManyRequestsError) await this.#block(error);
          else {
            await this.#backOff(call, error, signal);
            spent.retries += 1;
          }
        }
      }
    });
  }

  async #attempt(call: Call, signal: AbortSignal, spent: { requests: number }): Promise<Answer> {
    const key = this.#options.workspace.apiKey.reveal();
    if (!/^[\x21-\x7e]+$/.test(key)) throw new UnusableKeyError(call);
    const slot = await this.#budget.acquire(signal);
    spent.requests += 1;
    this.#requests += 1;
    try {
      return await this.#connection.send(call, {
        key,
        signal,
        onDeparture: () => slot.depart(),
        onAnswer: () => slot.settle(),
      });
    } finally {
      slot.settle();
    }
  }

  /** Holds every call of the workspace back; this one waits for its next slot. */
  async #block(error: TooManyRequestsError): Promise<void> {
    const { log, workspace } = this.#options;
    this.#throttled += 1;
    const seconds = error.seconds ?? workspace.rateLimit.perSeconds;
    const message = 'the service says that its rate limit is exceeded: all calls wait';
    log.warn({ workspace: workspace.key, seconds }, message);
    await this.#budget.block(seconds * 1000);
  }

  /** Waits until the call may go again. @throws the error itself when it may not */
  async #backOff(call: ClientCall, error: ApiError, signal: AbortSignal): Promise<void> {
    const { clock, log, random, workspace, onWait } = this.#options;
    if (!error.isRetryable || !call.isSafe || error.retries + 1 >= mostAttempts) throw error;
    const askedMs = error instanceof ServerError ? error.retryAfterMs : null;
    const ms = backoffMs(error.retries, askedMs, random);
    log.info({ workspace: workspace.key, ms: Math.round(ms) }, `${error.message}; going again`);
    this.#retries += 1;
    onWait?.({ reason: 'retry', ms });
    await clock.sleep(ms, signal);
    onWait?.(null);
  }
}
