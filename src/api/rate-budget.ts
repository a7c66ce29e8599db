import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { RateLimit } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, InterruptedError, isSystemError } from '../core/errors.ts';
import { withLock } from '../core/lock.ts';
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

interface Claimed {
  readonly atMs: number;
  count: number;
}

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
  /** Slots that are in the file, all of one time, and that no caller has taken yet. */
  #claimed: Claimed = { atMs: 0, count: 0 };
  /** A block holds in this process at once, whoever has the file's lock. */
  #blockedUntilMs = 0;

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

  /**
   * Stops the whole workspace for `ms` from now, after the service answered 429: this process at once, others when
   * they next read the file.
   */
  async block(ms: number): Promise<void> {
    const untilMs = this.#options.clock.monotonicMs() + Math.min(ms, maxBlockMs);
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
    await this.#update(() => undefined);
  }

  async #waitForSlot(signal: AbortSignal): Promise<Slot> {
    const { clock, onWait } = this.#options;
    let hasWaited = false;
    try {
      for (;;) {
        if (signal.aborted) throw new InterruptedError('stopped while waiting for the rate limit');
        const { atMs, count } = this.#claimed;
        const isUsable = count > 0 && this.#isOnTime(atMs) && !this.#isBlocked;
        const outcome = isUsable
          ? this.#claimed
          : await this.#update((state, nowMs) => this.#claim(state, nowMs), signal);
        if ('count' in outcome) {
          this.#claimed = outcome;
          if (this.#isBlocked) continue;
          outcome.count -= 1;
          return this.#slot(outcome.atMs);
        }
        hasWaited = true;
        onWait?.(outcome);
        await clock.sleep(Math.min(Math.ceil(outcome.ms), maxSleepMs), signal);
      }
    } finally {
      if (hasWaited) onWait?.(null);
    }
  }

  /**
   * Gives back what was claimed and not used, then adds the slots of this caller and of those queued behind it to
   * the file, as far as the quota goes.
   * @returns what was claimed, or the wait until there is a slot
   */
  #claim(state: BudgetState, nowMs: number): Claimed | BudgetWait {
    const { sent_ms: sentMs, blocked_until_ms: blockedUntilMs } = state;
    const unusedAt = sentMs.indexOf(this.#claimed.atMs);
    if (unusedAt !== -1) sentMs.splice(unusedAt, this.#claimed.count);
    this.#claimed.count = 0;
    if (blockedUntilMs > nowMs) return { reason: 'throttled', ms: blockedUntilMs - nowMs };
    const { requests } = this.#options.limit;
    // This request has to leave the window before another one fits.
    const leavingMs = sentMs.at(-requests);
    if (leavingMs !== undefined)
      return { reason: 'rate-limit', ms: leavingMs + this.#spanMs - nowMs };
    const count = Math.min(1 + this.#oneAtATime.pendingCount, requests - sentMs.length);
    sentMs.push(...Array<number>(count).fill(nowMs));
    return { atMs: nowMs, count };
  }

  get #isBlocked(): boolean {
    return this.#options.clock.monotonicMs() < this.#blockedUntilMs;
  }

  /** A request that is sent later after its slot was claimed is counted once more. */
  #isOnTime(claimedMs: number): boolean {
    const { clock, limit } = this.#options;
    return clock.monotonicMs() - claimedMs <= limit.perSeconds * 500 * (marginShare - driftShare);
  }

  #slot(claimedMs: number): Slot {
    return {
      markSent: () => {
        if (this.#isOnTime(claimedMs)) return;
        // The margin no longer covers so late a request, so it counts once more, from now on.
        this.#update(({ sent_ms: sentMs }, nowMs) => sentMs.push(nowMs)).catch((error: unknown) => {
          const message = `a request that was sent late could not be recorded: ${errorMessage(error)}`;
          this.#options.log.warn({ file: this.#path }, message);
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
    const lock = { purpose: 'counting a request', waitMs: lockWaitMs, clock, signal };
    return withLock(`${this.#path}.lock`, lock, async () => {
      const nowMs = clock.monotonicMs();
      const state = await this.#read(nowMs);
      state.blocked_until_ms = Math.max(state.blocked_until_ms, this.#blockedUntilMs);
      const result = change(state, nowMs);
      await this.#write(state, nowMs);
      return result;
    });
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
