import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { RateLimit } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError, isSystemError } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';
import type { Log } from '../core/log.ts';

/** A wait because the quota is used up (`rate-limit`) or because the service answered 429 (`throttled`). */
export interface BudgetWait {
  reason: 'rate-limit' | 'throttled';
  ms: number;
}

export interface RateBudgetOptions {
  /** The folder `budget` in `data_dir`. */
  folder: string;
  workspace: string;
  limit: RateLimit;
  clock: Clock;
  log: Log;
  /** Called with the wait when a slot has to wait, and with null when it goes on. */
  onWait?: (wait: BudgetWait | null) => void;
}

/**
 * The service counts requests as they arrive, this program as it sends them. So a request counts for 2 % longer
 * than the limit's period.
 */
const marginShare = 0.02;
/** A stalled process may hold the file's lock for a while; a dead one frees it at once. */
const lockWaitMs = 60_000;
/** A sleeper looks again at least this often, since another process may have changed the wait. */
const maxSleepMs = 30_000;
/** The service is asked again after at most this time, so that an absurd reset cannot block a workspace. */
const maxBlockMs = 3_600_000;

/** The file of a budget. Its times are milliseconds of the monotonic clock. */
const budgetSchema = z.object({
  version: z.literal(2),
  /** The time at which the file was written, by both clocks. */
  monotonic_ms: z.number(),
  wall_ms: z.number(),
  /** Nothing is sent before this time. */
  blocked_until_ms: z.number(),
  /** The times at which requests were sent, in order. */
  sent_ms: z.array(z.number()),
});
type BudgetFile = z.output<typeof budgetSchema>;
type BudgetState = Pick<BudgetFile, 'blocked_until_ms' | 'sent_ms'>;

/**
 * The quota of one workspace, shared by all processes of this machine through a file: at most `limit.requests`
 * are sent, and arrive, in any interval of `limit.perSeconds`. Slots are given in the order of asking. The
 * decision is made under the file's lock and from earlier requests alone, so neither a killed process nor an
 * early timer can exceed the limit.
 */
export class RateBudget {
  readonly #options: RateBudgetOptions;
  readonly #path: string;
  /** The time for which a request counts. */
  readonly #spanMs: number;
  readonly #oneAtATime = pLimit(1);
  /** A block holds in this process at once, whoever has the file's lock. */
  #blockedUntilMs = 0;

  constructor(options: RateBudgetOptions) {
    this.#options = options;
    this.#path = join(options.folder, `${encodeURIComponent(options.workspace)}.json`);
    this.#spanMs = options.limit.perSeconds * 1000 * (1 + marginShare);
  }

  /**
   * Waits until one request may be sent, and counts it.
   * @throws InterruptedError when the signal aborts first
   */
  acquire(signal: AbortSignal): Promise<void> {
    return this.#oneAtATime(() => this.#waitForSlot(signal));
  }

  /**
   * Stops the whole workspace for `ms` from now, after the service answered 429: this process at once, others when
   * they next read the file.
   */
  async block(ms: number): Promise<void> {
    const untilMs = this.#options.clock.monotonicMs() + Math.min(ms, maxBlockMs);
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
    await this.#update(() => undefined);
  }

  async #waitForSlot(signal: AbortSignal): Promise<void> {
    const { clock, onWait } = this.#options;
    let hasWaited = false;
    try {
      for (;;) {
        if (signal.aborted) throw new InterruptedError('stopped while waiting for the rate limit');
        const wait = await this.#update((state, nowMs) => this.#claim(state, nowMs), signal);
        // a block may have come while the file was written
        if (wait === null && clock.monotonicMs() >= this.#blockedUntilMs) return;
        if (wait === null) continue;
        hasWaited = true;
        onWait?.(wait);
        await clock.sleep(Math.min(Math.ceil(wait.ms), maxSleepMs), signal);
      }
    } finally {
      if (hasWaited) onWait?.(null);
    }
  }

  /** Adds a request to the file, if the quota allows it. @returns the wait until it does; null if it was added */
  #claim({ sent_ms: sentMs, blocked_until_ms: untilMs }: BudgetState, nowMs: number) {
    if (untilMs > nowMs) return { reason: 'throttled', ms: untilMs - nowMs } as const;
    // This request has to leave the window before another one fits.
    const leavingMs = sentMs.at(-this.#options.limit.requests);
    if (leavingMs !== undefined)
      return { reason: 'rate-limit', ms: leavingMs + this.#spanMs - nowMs } as const;
    sentMs.push(nowMs);
    return null;
  }

  /** Reads, changes and writes the file under its lock. */
  async #update<Result>(
    change: (state: BudgetState, nowMs: number) => Result,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { clock } = this.#options;
    const lock = await acquireLock(`${this.#path}.lock`, {
      purpose: 'counting a request',
      waitMs: lockWaitMs,
      clock,
      ...(signal ? { signal } : {}),
    });
    try {
      const nowMs = clock.monotonicMs();
      const state = await this.#read(nowMs);
      state.blocked_until_ms = Math.max(state.blocked_until_ms, this.#blockedUntilMs);
      const result = change(state, nowMs);
      await this.#write(state, nowMs);
      return result;
    } finally {
      await lock.release();
    }
  }

  /**
   * Reads the file. One that is unreadable, or was written shortly before a reboot (the monotonic clock went
   * back), counts as a used-up quota: waiting for one window is safe.
   */
  async #read(nowMs: number): Promise<BudgetState> {
    const { clock, log } = this.#options;
    const file = await readBudgetFile(this.#path);
    if (file === null) {
      const message =
        'the record of sent requests is unreadable: waiting for one window of the limit';
      log.warn({ file: this.#path }, message);
    } else if (file.monotonic_ms <= nowMs) {
      return { ...file, sent_ms: file.sent_ms.filter((timeMs) => timeMs + this.#spanMs > nowMs) };
    }
    const isLongAgo = file && clock.now().getTime() - file.wall_ms > this.#spanMs;
    return { sent_ms: [], blocked_until_ms: isLongAgo ? 0 : nowMs + this.#spanMs };
  }

  /** Writes without a sync: after a power cut, the requests in the file belong to an earlier boot. */
  async #write(state: BudgetState, nowMs: number): Promise<void> {
    const wallMs = this.#options.clock.now().getTime();
    const file: BudgetFile = { ...state, version: 2, monotonic_ms: nowMs, wall_ms: wallMs };
    await writeFile(`${this.#path}.tmp`, JSON.stringify(file), { mode: 0o600 });
    await rename(`${this.#path}.tmp`, this.#path);
  }
}

/** Returns null for a file that is unreadable. */
async function readBudgetFile(path: string): Promise<BudgetFile | null> {
  try {
    return budgetSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (!isSystemError(error)) return null;
    if (error.code !== 'ENOENT') throw error;
    return { version: 2, monotonic_ms: 0, wall_ms: 0, blocked_until_ms: 0, sent_ms: [] };
  }
}
