import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { RateLimit } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, InterruptedError, isSystemError } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';
import type { Log } from '../core/log.ts';

/** Permission to send one request now. */
export interface Slot {
  /** Call it when the request is sent, since connecting may have taken long. */
  markSent(): void;
}

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
 * than the limit's period: most of that for its way to the service, the rest for clocks of different rates.
 */
const marginShare = 0.02;
const driftShare = 0.001;
/** A stalled process may hold the file's lock for a while; a dead one frees it at once. */
const lockWaitMs = 60_000;
/** A sleeper looks again at least this often, since another process may have changed the wait. */
const maxSleepMs = 30_000;
/** The service is asked again after at most this time, so that an absurd reset cannot block a workspace. */
const maxBlockMs = 3_600_000;

/** All times are milliseconds of the monotonic clock. */
interface BudgetState {
  /** The times at which requests were sent, in order. */
  sentMs: number[];
  /** Nothing is sent before this time. */
  blockedUntilMs: number;
}

const fileSchema = z.object({
  version: z.literal(2),
  /** The time at which the file was written. */
  monotonic_ms: z.number(),
  wall_ms: z.number(),
  blocked_until_ms: z.number(),
  sent_ms: z.array(z.number()),
});

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
  /** The times of slots that were claimed for queued callers, together with the slot of the first one. */
  readonly #claimedMs: number[] = [];

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

  /** Stops the whole workspace, in all processes, for `ms` from now, after the service answered 429. */
  async block(ms: number): Promise<void> {
    await this.#update((state, nowMs) => {
      const untilMs = nowMs + Math.min(ms, maxBlockMs);
      state.blockedUntilMs = Math.max(state.blockedUntilMs, untilMs);
    });
  }

  async #waitForSlot(signal: AbortSignal): Promise<Slot> {
    const { clock, onWait } = this.#options;
    let hasWaited = false;
    try {
      for (;;) {
        if (signal.aborted) throw new InterruptedError('stopped while waiting for the rate limit');
        const claimedMs = this.#takeClaimed();
        if (claimedMs !== null) return this.#slot(claimedMs);
        const outcome = await this.#update((state, nowMs) => this.#claim(state, nowMs), signal);
        if (typeof outcome === 'number') return this.#slot(outcome);
        hasWaited = true;
        onWait?.(outcome);
        await clock.sleep(Math.min(Math.ceil(outcome.ms), maxSleepMs), signal);
      }
    } finally {
      if (hasWaited) onWait?.(null);
    }
  }

  /** Returns the time of a slot that was claimed earlier. Slots of callers that have left may be too old to use. */
  #takeClaimed(): number | null {
    const oldestMs = this.#options.clock.monotonicMs() - this.#onTimeMs;
    const claimedMs = this.#claimedMs.splice(0).filter((timeMs) => timeMs >= oldestMs);
    const [first = null, ...others] = claimedMs;
    this.#claimedMs.push(...others);
    return first;
  }

  /**
   * Returns the sending time that was added to the file, or the wait until there is a slot. It also claims slots for
   * the queued callers, as far as the quota goes.
   */
  #claim(state: BudgetState, nowMs: number): number | BudgetWait {
    const blockedMs = state.blockedUntilMs - nowMs;
    if (blockedMs > 0) return { reason: 'throttled', ms: blockedMs };
    const { sentMs } = state;
    // This request has to leave the window before another one fits.
    const { requests } = this.#options.limit;
    const leavingMs = sentMs[sentMs.length - requests];
    if (leavingMs !== undefined)
      return { reason: 'rate-limit', ms: leavingMs + this.#spanMs - nowMs };
    const queued = Math.min(this.#oneAtATime.pendingCount, requests - sentMs.length - 1);
    const others = Array<number>(queued).fill(nowMs);
    sentMs.push(nowMs, ...others);
    this.#claimedMs.push(...others);
    return nowMs;
  }

  /** A request that is sent later than this after its slot was claimed is counted once more. */
  get #onTimeMs(): number {
    return (this.#options.limit.perSeconds * 1000 * (marginShare - driftShare)) / 2;
  }

  #slot(claimedMs: number): Slot {
    const { clock, log } = this.#options;
    return {
      markSent: () => {
        if (clock.monotonicMs() - claimedMs <= this.#onTimeMs) return;
        // The margin no longer covers so late a request, so it counts once more, from now on.
        this.#update(({ sentMs }, nowMs) => sentMs.push(nowMs)).catch((error: unknown) => {
          const message = `a request that was sent late could not be recorded: ${errorMessage(error)}`;
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
   * Reads the file. One that is unreadable, or was written shortly before a reboot (the monotonic clock went
   * back), counts as a used-up quota: waiting for one window is safe.
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

  /** Writes without a sync: after a power cut, the requests in the file belong to an earlier boot. */
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
