import { tmpdir, totalmem } from 'node:os';
import type { Clock } from '../core/clock.ts';
import { InterruptedError, PostledgerError } from '../core/errors.ts';
import { withPrivateFolder } from '../core/private-files.ts';
import type { EngineLimits } from './engine-limits.ts';
import { WarehouseMachineError } from './warehouse-errors.ts';

/** The limits of SQL that is not the program's own. */
export interface Limits {
  readonly timeoutMs: number;
  /** The database has half of it, and spills to disk beyond. */
  readonly memoryBytes: number;
  /** How messages name the flags that allow more, as in `allow more with --timeout`. */
  readonly remedy: (flag: string) => string;
}

/** Five minutes, and half of the memory that there is, at most 2 GB: more makes the largest reports no faster. */
export const defaultLimits: Limits = {
  timeoutMs: 300_000,
  memoryBytes: Math.min(2e9, Math.max(2 ** 29, Math.floor(availableMemory() / 2))),
  remedy: (flag) => `render it by \`postledger report run\`, whose ${flag} allows more`,
};

/** Returns the memory of the machine, or of the container. */
function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export interface LimitTools {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: Limits;
}

/** SQL that wants more time or memory than it may have. */
class LimitError extends PostledgerError {
  readonly code = 'LIMIT';
  readonly recovery = 'fix-input';
}

/**
 * Runs SQL that is not the program's own within limits of time and memory.
 * @param what is done, for messages: `the query`
 * @param work opens its database with the limits that it is given
 * @throws InterruptedError when the signal aborts
 */
export async function withinLimits<Output>(
  what: string,
  tools: LimitTools,
  work: (engine: EngineLimits) => Promise<Output>,
): Promise<Output> {
  const { memoryBytes } = tools.limits;
  return withPrivateFolder(tmpdir(), (spillFolder) =>
    withinTime(what, tools, (signal) => work({ memoryBytes, spillFolder, signal })),
  );
}

/**
 * Does the same with a database that is open already, within the memory that it was opened with.
 * @param work stops once the signal aborts
 */
export async function withinTime<Output>(
  what: string,
  { clock, signal, limits }: LimitTools,
  work: (signal: AbortSignal) => Promise<Output>,
): Promise<Output> {
  const late = new AbortController();
  const ended = new AbortController();
  const deadline = clock.sleep(limits.timeoutMs, ended.signal).then(
    () => late.abort(),
    () => undefined,
  );
  const stop = AbortSignal.any([signal, late.signal]);
  try {
    return await work(stop);
  } catch (error) {
    if (signal.aborted) throw new InterruptedError(`${what} was stopped`, { cause: error });
    if (late.signal.aborted) {
      const message = `${what} was stopped after ${limits.timeoutMs / 1000} s; make it smaller, or ${limits.remedy('--timeout')}`;
      throw new LimitError(message, { cause: error });
    }
    if (!isOutOfMemory(error)) throw error;
    const megabytes = Math.round(limits.memoryBytes / 1e6);
    const message = `${what} needs more than ${megabytes} MB of memory; make it smaller, or ${limits.remedy('--memory')}`;
    throw new LimitError(message, { cause: error });
  } finally {
    ended.abort();
    await deadline;
  }
}

/** The database's own message names settings that a user cannot change. */
function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof WarehouseMachineError &&
    /Out of Memory Error|max_temp_directory_size/.test(error.message)
  );
}
