import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { defaultLimits, type Limits } from '../pipeline/limits.ts';
import { parseMemory, parseTimeout } from './option-values.ts';

/** Adds the flags that say how long SQL may run, and in how much memory. @param what runs it */
export function addLimits(command: CommandUnknownOpts, what: string): void {
  const seconds = defaultLimits.timeoutMs / 1000;
  command
    .option('--timeout <seconds>', `how long ${what} may take (default: ${seconds})`, parseTimeout)
    .option(
      '--memory <size>',
      `how much memory ${what} may take, such as 500MB or 4GB (default: half of what there is)`,
      parseMemory,
    );
}

/** What the flags of `addLimits` ask for. */
export function limitsOf(command: CommandUnknownOpts): Limits {
  const { timeout, memory } = command.opts() as { timeout?: number; memory?: number };
  return {
    timeoutMs: timeout === undefined ? defaultLimits.timeoutMs : timeout * 1000,
    memoryBytes: memory ?? defaultLimits.memoryBytes,
  };
}
