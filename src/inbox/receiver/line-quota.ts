import type { Clock } from '../../core/clock.ts';
import { InterruptedError } from '../../core/errors.ts';

interface QuotaOptions {
  readonly clock: Clock;
  /** In each period. */
  readonly lines: number;
  readonly periodMs: number;
  /** Told at the end of a period how many were beyond the quota, if any were. */
  readonly sumUp: (more: number) => void;
  /** Ends the period early. */
  readonly signal: AbortSignal;
}

/** Lets so many lines through in a period, and counts the rest for one line at its end. */
export class LineQuota {
  readonly #options: QuotaOptions;
  #periodStartMs = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #more = 0;

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /** @returns whether a line may be written now */
  take(): boolean {
    const { clock, lines, periodMs } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#periodStartMs >= periodMs && this.#more === 0) {
      this.#periodStartMs = nowMs;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= lines) return true;
    this.#more += 1;
    if (this.#more === 1) void this.#sumUpLater(this.#periodStartMs + periodMs - nowMs);
    return false;
  }

  async #sumUpLater(waitMs: number): Promise<void> {
    const { clock, signal, sumUp } = this.#options;
    try {
      await clock.sleep(waitMs, signal);
    } catch (error) {
      if (!(error instanceof InterruptedError)) throw error;
    }
    const more = this.#more;
    this.#more = 0;
    sumUp(more);
  }
}
