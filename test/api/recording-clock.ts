import type { Clock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';

/** A clock on which sleeping takes no real time: it moves ahead, and records by how much. */
export class RecordingClock implements Clock {
  readonly sleptMs: number[] = [];
  #aheadMs = 0;

  now(): Date {
    return new Date(Date.parse('2026-01-15T12:00:00Z') + this.#aheadMs);
  }

  monotonicMs(): number {
    return 1_000_000 + this.#aheadMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted) throw new InterruptedError('stopped while waiting');
    this.sleptMs.push(ms);
    this.#aheadMs += ms;
  }
}
