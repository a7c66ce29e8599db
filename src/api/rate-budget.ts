import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { RateLimit } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, InterruptedError, isSystemError } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';
import type { Log } from '../core/log.ts';

/** Leave to send one request, at once. */
export interface Slot {
  /** Call it when the request goes out: connecting may have taken long. */
  depart(): void;
}

/** `rate-limit`: the quota is used up; `throttled`: the service said so. */
export interface BudgetWait {
  reason: 'rate-limit' | 'throttled';
  ms: number;
}

export interface RateBudgetOptions {
  /** `data_dir`/budget. */
  folder: string;
  workspace: string;
  limit: RateLimit;
  clock: Clock;
  log: Log;
  /** Told what a slot is waiting for, and null when it goes on. */
  onWait?: (wait: BudgetWait | null) => void;
}

/**
 * The service counts arrivals; known here are departures. So a request counts for 2 % longer than the limit's
 * period: most of it for its way to the service, the rest for clocks that do not run at the same rate.
 */
const marginShare = 0.02;
const driftShare = 0.001;
/** A stalled process may hold the file's lock; its death frees it at once. */
const lockWaitMs = 60_000;
/** Another process may change what there is to wait for; a timer has an upper bound, too. */
const longestSleepMs = 30_000;
/** A reset further off than this is asked for again, so that no nonsense can block a workspace for long. */
const longestBlockMs = 3_600_000;

/** All times are milliseconds of the monotonic clock. */
interface BudgetState {
  /** When requests were sent, in order. */
  sentMs: number[];
  /** Nothing is sent before. */
  blockedUntilMs: number;
}

const fileSchema = z.object({
  version: z.literal(2),
  /** When it was written. */
  monotonic_ms: z.number(),
  wall_ms: z.number(),
  blocked_until_ms: z.number(),
  sent_ms: z.array(z.number()),
});

/**
 * One workspace's quota, shared by all processes of this machine through a file: at most
 * `limit.requests` are sent, and arrive, in any interval of `limit.perSeconds`. Slots are given in the
 * order of asking. Whether a request may go is decided under the file's lock, by requests that went
 * before and nothing else, so no killed process and no early timer can loosen it.
 */
export class RateBudget {
  readonly #options: RateBudgetOptions;
  readonly #path: string;
  /** For so long a request counts. */
  readonly #spanMs: number;
  readonly #oneAtATime = pLimit(1);

  constructor(options: RateBudgetOptions) {
    this.#options = options;
    this.#path = join(options.folder, `${encodeURIComponent(options.workspace)}.json`);
    this.#spanMs = options.limit.perSeconds * 1000 * (1 + marginShare);
  }

  /**
   * Waits for a slot.
   * @throws InterruptedError when the signal aborts first
   */
  acquire(signal: AbortSignal): Promise<Slot> {
    return this.#oneAtATime(() => this.#waitForSlot(signal));
  }

  /** Stops the whole workspace, in all processes, for `ms` from now: the service said that it is over its limit. */
  async block(ms: number): Promise<void> {
    await this.#update((state, nowMs) => {
      const untilMs = nowMs + Math.min(ms, longestBlockMs);
      state.blockedUntilMs = Math.max(state.blockedUntilMs, untilMs);
    });
  }

  async #waitForSlot(signal: AbortSignal): Promise<Slot> {
    const { clock, onWait } = this.#options;
    let hasWaited = false;
    try {
      for (;;) {
        if (signal.aborted) throw new InterruptedError('stopped while waiting for the rate limit');
        const outcome = await this.#update((state, nowMs) => this.#claim(state, nowMs), signal);
        if (typeof outcome === 'number') return this.#slot(outcome);
        hasWaited = true;
        onWait?.(outcome);
        await clock.sleep(Math.min(Math.ceil(outcome.ms), longestSleepMs), signal);
      }
    } finally {
      if (hasWaited) onWait?.(null);
    }
  }

  /** The time of departure that is now on file, or what there is to wait for. */
  #claim(state: BudgetState, nowMs: number): number | BudgetWait {
    const blockedMs = state.blockedUntilMs - nowMs;
    if (blockedMs > 0) return { reason: 'throttled', ms: blockedMs };
    const { sentMs } = state;
    // the request that has to leave the window before another one fits
    const leavingMs = sentMs[sentMs.length - this.#options.limit.requests];
    if (leavingMs !== undefined)
      return { reason: 'rate-limit', ms: leavingMs + this.#spanMs - nowMs };
    sentMs.push(nowMs);
    return nowMs;
  }

  #slot(claimedMs: number): Slot {
    const { clock, limit, log } = this.#options;
    const onTimeMs = (limit.perSeconds * 1000 * (marginShare - driftShare)) / 2;
    return {
      depart: () => {
        if (clock.monotonicMs() - claimedMs <= onTimeMs) return;
        // so late that the margin does not cover its way any more: it counts once more, from now on
        this.#update(({ sentMs }, nowMs) => sentMs.push(nowMs)).catch((error: unknown) => {
          const message = `a late request could not be noted: ${errorMessage(error)}`;
          log.warn({ file: this.#path }, message);
        });
      },
    };
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
      const result = change(state, nowMs);
      await this.#write(state, nowMs);
      return result;
    } finally {
      await lock.release();
    }
  }

  /**
   * What cannot be read, or was written shortly before a reboot (the monotonic clock went back), stands for a
   * full quota: waiting for one window is safe.
   */
  async #read(nowMs: number): Promise<BudgetState> {
    const file = await readBudgetFile(this.#path);
    const empty = { sentMs: [], blockedUntilMs: 0 };
    if (file === 'none') return empty;
    if (file === 'unreadable') {
      const message =
        'the record of sent requests is unreadable: waiting for one window of the limit';
      this.#options.log.warn({ file: this.#path }, message);
      return { ...empty, blockedUntilMs: nowMs + this.#spanMs };
    }
    if (file.monotonic_ms > nowMs) {
      const isLongAgo = this.#options.clock.now().getTime() - file.wall_ms > this.#spanMs;
      return isLongAgo ? empty : { ...empty, blockedUntilMs: nowMs + this.#spanMs };
    }
    return {
      sentMs: file.sent_ms.filter((timeMs) => timeMs + this.#spanMs > nowMs),
      blockedUntilMs: file.blocked_until_ms,
    };
  }

  /** Not synced: what a power cut takes is from an earlier boot by then. */
  async #write({ sentMs, blockedUntilMs }: BudgetState, nowMs: number): Promise<void> {
    const file: z.input<typeof fileSchema> = {
      version: 2,
      monotonic_ms: nowMs,
      wall_ms: this.#options.clock.now().getTime(),
      blocked_until_ms: blockedUntilMs,
      sent_ms: sentMs,
    };
    await writeFile(`${this.#path}.tmp`, JSON.stringify(file), { mode: 0o600 });
    await rename(`${this.#path}.tmp`, this.#path);
  }
}

async function readBudgetFile(path: string) {
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (isSystemError(error) && error.code !== 'ENOENT') throw error;
    return isSystemError(error) ? 'none' : 'unreadable';
  }
}
