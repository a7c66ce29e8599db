import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';

/** A clock for which a sleep is over at once, and has taken its time: retries and limits cost a test nothing. */
export class SwiftClock implements Clock {
  readonly sleptMs: number[] = [];
  #nowMs: number;
  #monotonicMs = 1_000_000;

  constructor(start = '2026-01-15T12:00:00Z') {
    this.#nowMs = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await turn();
    if (signal?.aborted) throw new InterruptedError('stopped while waiting');
    this.sleptMs.push(ms);
    this.pass(Math.max(0, ms));
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#monotonicMs += ms;
  }
}
