import { once } from 'node:events';
import type { Clock } from '../../core/clock.ts';
import { TimeLimit } from './time-limit.ts';

/** A try waits this long for the answer to the one before it. */
const longestWaitMs = 1_000;

/**
 * Starts tries one after another, so that they arrive in order; a receiver that hangs holds the next
 * one up for a second, no longer.
 */
export class DeliveryLane {
  readonly #clock: Clock;
  readonly #closing: AbortSignal;
  #last: Promise<void> = Promise.resolve();

  constructor(clock: Clock, closing: AbortSignal) {
    this.#clock = clock;
    this.#closing = closing;
  }

  /** @param work must not reject */
  run(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = this.#last.then(() => this.#waitFor(done));
    return done;
  }

  async #waitFor(done: Promise<void>): Promise<void> {
    if (this.#closing.aborted) return;
    const limit = new TimeLimit(longestWaitMs, this.#clock, this.#closing);
    await Promise.race([done, once(limit.signal, 'abort')]);
    limit.lift();
  }
}
