import { setTimeout as delay } from 'node:timers/promises';
import { InterruptedError } from './errors.ts';

/** The source of time. It is passed in everywhere, so that tests can move it by hand. */
export interface Clock {
  /** Returns the wall-clock time. It can jump; use it for times that are stored or shown. */
  now(): Date;
  /** Returns milliseconds that never decrease and are shared by all processes since boot; use it for intervals. */
  monotonicMs(): number;
  /** @throws InterruptedError when the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      if (signal?.aborted) throw new InterruptedError('stopped while waiting', { cause: error });
      throw error;
    }
  },
};
