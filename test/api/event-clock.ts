import type { Clock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';

interface Sleeper {
  wakesAtMs: number;
  wake: () => void;
}

/** A clock that goes from one awakening to the next as soon as it is told that everybody sleeps. */
export class EventClock implements Clock {
  #nowMs = 5_000_000;
  #sleepers: Sleeper[] = [];

  now(): Date {
    return new Date(Date.UTC(2026, 0, 15) + this.#nowMs);
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw new InterruptedError('stopped while waiting');
    await new Promise<void>((wake) => {
      this.#sleepers.push({ wakesAtMs: this.#nowMs + ms, wake });
    });
  }

  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Wakes the next sleeper at its time. */
  wakeNext(): void {
    this.#sleepers.sort((a, b) => a.wakesAtMs - b.wakesAtMs);
    const next = this.#sleepers.shift();
    if (!next) return;
    this.#nowMs = Math.max(this.#nowMs, next.wakesAtMs);
    next.wake();
  }
}
