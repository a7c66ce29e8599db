import type { Clock } from '../../core/clock.ts';
import { InterruptedError, errorMessage } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';

const periodMs = 1_000;

/**
 * Looks after something once a second, until the signal aborts. Never throws; of failures that follow each
 * other the first one is told.
 */
export async function keepUp(
  work: () => Promise<void>,
  clock: Clock,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  let isFailing = false;
  while (!signal.aborted) {
    try {
      await clock.sleep(periodMs, signal);
      await work();
      isFailing = false;
    } catch (error) {
      if (error instanceof InterruptedError) return;
      const fields = { error: errorMessage(error) };
      if (!isFailing) log.warn(fields, 'the inbox could not be looked after; it is tried again');
      isFailing = true;
    }
  }
}
