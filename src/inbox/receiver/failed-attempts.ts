import type { Clock } from '../../core/clock.ts';

const minuteMs = 60_000;
/** Addresses beyond the table's size are counted as one. */
const allOthers = '';

interface AttemptLimits {
  readonly failuresPerMinute: number;
  readonly addresses: number;
}

/** Counts failed authentications by address and minute, in a table that has an end. */
export class FailedAttempts {
  readonly #clock: Clock;
  readonly #limits: AttemptLimits;
  readonly #counts = new Map<string, number>();
  #minuteStartMs: number;

  constructor(clock: Clock, limits: AttemptLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#minuteStartMs = clock.monotonicMs();
  }

  /** @returns whether the address has had more than it may, this one included */
  add(address: string): boolean {
    this.#keepUpWithTime();
    const key = this.#keyOf(address);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count > this.#limits.failuresPerMinute;
  }

  /** Seconds, at least 1, until all start anew. */
  get retryAfterSeconds(): number {
    const endMs = this.#minuteStartMs + minuteMs;
    return Math.max(1, Math.ceil((endMs - this.#clock.monotonicMs()) / 1000));
  }

  #keyOf(address: string): string {
    const isCounted = this.#counts.has(address) || this.#counts.size < this.#limits.addresses;
    return isCounted ? address : allOthers;
  }

  #keepUpWithTime(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#minuteStartMs < minuteMs) return;
    this.#minuteStartMs = nowMs;
    this.#counts.clear();
  }
}
