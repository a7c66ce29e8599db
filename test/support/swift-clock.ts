import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';

/** A clock for which a sleep is over at once, and has taken its time: retries and limits cost a test nothing. */
export class SwiftClock implements Clock {
  #nowMs: number;
  #monotonicMs = 1_000_000;

  constructor(start: string) {
    this.#nowMs = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.pass(Math.max(0, ms));
    await turn();
    if (signal?.aborted) throw new InterruptedError('stopped while waiting');
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#monotonicMs += ms;
  }
}
