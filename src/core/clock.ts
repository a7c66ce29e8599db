import { setTimeout as delay } from 'node:timers/promises';
import { InterruptedError } from './errors.ts';

/** Where time comes from. Passed in everywhere, so that tests move it by hand. */
export interface Clock {
  /** The wall clock. It can jump; use it for what is stored and shown. */
  now(): Date;
  /** Milliseconds that only ever grow, shared by all processes of this boot; for intervals. */
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
