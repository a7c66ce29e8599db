import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { RateLimit } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, InterruptedError } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';
import type { Log } from '../core/log.ts';
import { readOwnIdentity } from '../core/process-identity.ts';
import { readBudget, writeBudget, type BudgetState, type Moment } from './budget-file.ts';
import { rateWindow, waitForRoom, type RateWindow } from './rate-window.ts';

/** Leave to send one request, at once. */
export interface Slot {
  /** Call it when the request goes out, after whatever connecting took: it may come that much later, too. */
  depart(): void;
  /** Call it when the answer has come, or cannot come any more: it frees quota earlier. The first call counts. */
  settle(): void;
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

/** A request's time: the latest it can get, or the one that it has in the end. */
interface SlotNews {
  readonly timeMs: number;
  readonly isSettled: boolean;
}

/** A stalled process may hold the file's lock; its death frees it at once. */
const lockWaitMs = 60_000;
/** Another process may change what there is to wait for; a timer has an upper bound, too. */
const longestSleepMs = 30_000;
/** A reset further off than this is asked for again, so that no nonsense can block a workspace for long. */
const longestBlockMs = 3_600_000;
const mostStamps = 3;

/**
 * One workspace's quota, shared by all processes of this machine through a file: at most
 * `limit.requests` are sent, and arrive, in any interval of `limit.perSeconds`. Slots are given in the
 * order of asking. Whether a request may go is decided under the file's lock, by requests that went
 * before and nothing else, so no killed process and no early timer can loosen it.
 */
export class RateBudget {
  readonly #options: RateBudgetOptions;
  readonly #path: string;
  readonly #window: RateWindow;
  readonly #oneAtATime = pLimit(1);
  readonly #nonce = randomBytes(4).toString('hex');
  /** What became of slots since the file was written, by their ids. */
  readonly #news = new Map<string, SlotNews>();
  #slots = 0;

  constructor(options: RateBudgetOptions) {
    this.#options = options;
    this.#path = join(options.folder, `${encodeURIComponent(options.workspace)}.json`);
    this.#window = rateWindow(options.limit);
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
    const blockMs = Math.min(ms, longestBlockMs);
    await this.#update((state, now) => {
      state.blockedUntilMs = Math.max(state.blockedUntilMs, now.monotonicMs + blockMs);
    });
  }

  async #waitForSlot(signal: AbortSignal): Promise<Slot> {
    this.#slots += 1;
    const id = `${this.#nonce}-${this.#slots}`;
    let hasWaited = false;
    try {
      for (;;) {
        if (signal.aborted) throw new InterruptedError('stopped while waiting for the rate limit');
        const outcome = await this.#depart(id, signal);
        if (typeof outcome === 'number') return this.#slot(id, outcome);
        hasWaited = true;
        this.#options.onWait?.(outcome);
        await this.#options.clock.sleep(Math.min(Math.ceil(outcome.ms), longestSleepMs), signal);
      }
    } finally {
      if (hasWaited) this.#options.onWait?.(null);
    }
  }

  /** The time of departure that is now on file, or what there is to wait for. */
  async #depart(id: string, signal: AbortSignal): Promise<number | BudgetWait> {
    for (let stamps = 1; ; stamps += 1) {
      const outcome = await this.#update((state, now) => this.#claim(state, now, id), signal);
      if (typeof outcome !== 'number' || stamps === mostStamps || this.#isFresh(outcome)) {
        return outcome;
      }
    }
  }

  #claim(state: BudgetState, now: Moment, id: string): number | BudgetWait {
    state.inFlight.delete(id);
    const blockedMs = state.blockedUntilMs - now.monotonicMs;
    if (blockedMs > 0) return { reason: 'throttled', ms: blockedMs };
    const timesMs = [...state.settled, ...state.inFlight.values()];
    const ms = waitForRoom(this.#window, timesMs, now.monotonicMs);
    if (ms > 0) return { reason: 'rate-limit', ms };
    state.inFlight.set(id, now.monotonicMs + this.#window.marginMs);
    return now.monotonicMs;
  }

  /** When writing it down took long (a slow disk, a busy machine), too little of the margin is left. */
  #isFresh(departureMs: number): boolean {
    return this.#options.clock.monotonicMs() - departureMs <= this.#window.marginMs / 2;
  }

  #slot(id: string, stampedMs: number): Slot {
    const { clock } = this.#options;
    const { marginMs } = this.#window;
    let departedMs = stampedMs;
    let isSettled = false;
    return {
      depart: () => {
        departedMs = clock.monotonicMs();
        this.#news.set(id, { timeMs: departedMs + marginMs, isSettled: false });
        if (departedMs - stampedMs > marginMs / 2) this.#publishNews();
      },
      settle: () => {
        if (isSettled) return;
        isSettled = true;
        const timeMs = Math.min(clock.monotonicMs(), departedMs + marginMs);
        this.#news.set(id, { timeMs, isSettled: true });
      },
    };
  }

  /** News of an answer can wait for the next slot: others take it for later than it was, no harm in that. */
  #publishNews(): void {
    this.#update(() => undefined).catch((error: unknown) => {
      const message = `a late request could not be noted: ${errorMessage(error)}`;
      this.#options.log.warn({ file: this.#path }, message);
    });
  }

  /** Reads, changes and writes the file under its lock. */
  async #update<Result>(
    change: (state: BudgetState, now: Moment) => Result,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { clock } = this.#options;
    const { bootId } = await readOwnIdentity();
    const lock = await acquireLock(`${this.#path}.lock`, {
      purpose: 'counting a request',
      waitMs: lockWaitMs,
      clock,
      ...(signal ? { signal } : {}),
    });
    try {
      const now: Moment = {
        boot: bootId ?? 'unknown',
        monotonicMs: clock.monotonicMs(),
        wallMs: clock.now().getTime(),
      };
      const state = (await readBudget(this.#path, now)) ?? this.#startOver(now);
      this.#tidy(state, now);
      const result = change(state, now);
      await writeBudget(this.#path, state, now);
      return result;
    } finally {
      await lock.release();
    }
  }

  #startOver(now: Moment): BudgetState {
    const message =
      'the record of sent requests is unreadable: waiting for one window of the limit';
    this.#options.log.warn({ file: this.#path }, message);
    const blockedUntilMs = now.monotonicMs + this.#window.spanMs;
    return { settled: [], inFlight: new Map(), blockedUntilMs };
  }

  /** Enters what became of slots since, and drops what counts no more. */
  #tidy(state: BudgetState, now: Moment): void {
    const oldestMs = now.monotonicMs - this.#window.spanMs;
    for (const [id, { timeMs, isSettled }] of this.#news) {
      if (!state.inFlight.delete(id)) continue;
      if (isSettled) state.settled.push(timeMs);
      else state.inFlight.set(id, timeMs);
    }
    this.#news.clear();
    state.settled = state.settled.filter((timeMs) => timeMs > oldestMs);
    for (const [id, timeMs] of state.inFlight) {
      if (timeMs <= oldestMs) state.inFlight.delete(id);
    }
  }
}
