import { InterruptedError } from '../core/errors.ts';
import type { ExtractTools } from './extraction.ts';

/**
 * Works on the items in order, at most `concurrency` at a time. It waits for running work before it throws
 * the first error, so that nothing is left running.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  { concurrency, signal }: Pick<ExtractTools, 'concurrency' | 'signal'>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  });
  const results = await Promise.allSettled(workers);
  const rejected = results.find((result) => result.status === 'rejected');
  if (rejected) throw rejected.reason;
  if (signal.aborted) throw new InterruptedError('stopped while reading the API');
}
