import type { Clock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';

interface Sleeper {
  wakesAtMs: number;
  wake: () => void;
}

/** A clock that stands still until it is moved; sleepers wake in order as it passes them. */
export class ManualClock implements Clock {
  #nowMs: number;
  #monotonicMs = 1_000_000;
  #sleepers: Sleeper[] = [];

  constructor(start: string | Date = '2026-01-15T12:00:00Z') {
    this.#nowMs = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(new InterruptedError('stopped while waiting'));
      if (signal?.aborted) {
        stop();
        return;
      }
      signal?.addEventListener('abort', stop, { once: true });
      this.#sleepers.push({
        wakesAtMs: this.#monotonicMs + Math.max(0, ms),
        wake: () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
      });
    });
  }

  /** The number of sleepers. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Moves both clocks, waking sleepers at their own times on the way. */
  async advance(ms: number): Promise<void> {
    const target = this.#monotonicMs + ms;
    for (;;) {
      await settle();
      const next = this.#nextSleeper(target);
      if (!next) break;
      this.#moveTo(Math.max(next.wakesAtMs, this.#monotonicMs));
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
      next.wake();
    }
    this.#moveTo(target);
    await settle();
  }

  /** Sets the wall clock alone, as an administrator or a time server would. */
  jumpTo(instant: string | Date): void {
    this.#nowMs = new Date(instant).getTime();
  }

  #nextSleeper(target: number): Sleeper | undefined {
    return this.#sleepers
      .filter((sleeper) => sleeper.wakesAtMs <= target)
      .sort((a, b) => a.wakesAtMs - b.wakesAtMs)[0];
  }

  #moveTo(monotonicMs: number): void {
    this.#nowMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }
}

/** Lets promises and I/O callbacks that are ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
