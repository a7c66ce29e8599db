import type { Clock } from '../../core/clock.ts';

const secondMs = 1_000;

/** Lets so many requests pass in any second, and knows the time of each of the last ones for it. */
export class RequestRate {
  readonly #clock: Clock;
  /** A ring: when each of the last requests passed. */
  readonly #passedAtMs: Float64Array;
  #next = 0;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#passedAtMs = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  }

  /** @returns whether one more may pass now; if so, it counts */
  take(): boolean {
    const nowMs = this.#clock.monotonicMs();
    const oldestMs = this.#passedAtMs[this.#next] ?? Number.NEGATIVE_INFINITY;
    if (nowMs - oldestMs < secondMs) return false;
    this.#passedAtMs[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#passedAtMs.length;
    return true;
  }
}
