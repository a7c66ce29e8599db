import { setTimeout as delay } from 'node:timers/promises';
import { InterruptedError } from '../../build/index.js';

/** A clock of the program's own form: its wall stands elsewhere, and what waits by it waits shorter. */
export class SimulatedClock {
  #speed;
  shiftMs = 0;

  constructor(speed) {
    this.#speed = speed;
  }

  now() {
    return new Date(Date.now() + this.shiftMs);
  }

  monotonicMs() {
    return (Number(process.hrtime.bigint()) / 1e6) * this.#speed;
  }

  async sleep(ms, signal) {
    try {
      await delay(ms / this.#speed, undefined, signal ? { signal } : {});
    } catch (error) {
      if (signal?.aborted) throw new InterruptedError('stopped while waiting', { cause: error });
      throw error;
    }
  }
}
