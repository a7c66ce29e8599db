import type { Clock } from '../../src/core/clock.ts';

interface Sleeper {
  wakesAtMs: number;
  wake: () => void;
}

/** A clock that jumps to the time of the next sleeper when it is told that all workers sleep. */
export class EventClock implements Clock {
  #monotonicMs: number;
  #wallMs: number;
  #sleepers: Sleeper[] = [];

  constructor(start = '2026-01-15T12:00:00Z', monotonicMs = 5_000_000) {
    this.#monotonicMs = monotonicMs;
    this.#wallMs = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#wallMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ wakesAtMs: this.#monotonicMs + ms, wake });
    });
  }

  /** The number of current sleepers. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Moves to the time of the next sleeper, and wakes it. */
  wakeNext(): void {
    const [next] = this.#sleepers.sort((a, b) => a.wakesAtMs - b.wakesAtMs).splice(0, 1);
    if (!next) return;
    const passedMs = Math.max(0, next.wakesAtMs - this.#monotonicMs);
    this.#monotonicMs += passedMs;
    this.#wallMs += passedMs;
    next.wake();
  }

  /** Sets the wall clock alone. */
  jumpTo(instant: string): void {
    this.#wallMs = Date.parse(instant);
  }
}
