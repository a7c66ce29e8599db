import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { defaultLimits, type Limits } from '../warehouse/limits.ts';
import { parseNumber } from './option-values.ts';

/** Adds the flags that say how long SQL may run, and in how much memory. @param what runs it */
export function addLimits(command: CommandUnknownOpts, what: string): void {
  const seconds = defaultLimits.timeoutMs / 1000;
  command
    .option('--timeout <seconds>', `how long ${what} may take (default: ${seconds})`, parseTimeout)
    .option(
      '--memory <size>',
      `how much memory ${what} may take, such as 500MB or 4GB (default: half of what there is, up to 2 GB)`,
      parseMemory,
    );
}

/** Returns the limits that the flags of {@link addLimits} ask for. */
export function limitsOf(command: CommandUnknownOpts): Limits {
  const { timeout, memory } = command.opts() as { timeout?: number; memory?: number };
  return {
    timeoutMs: timeout === undefined ? defaultLimits.timeoutMs : timeout * 1000,
    memoryBytes: memory ?? defaultLimits.memoryBytes,
    remedy: (flag) => `allow more with ${flag}`,
  };
}

function parseTimeout(text: string): number {
  const rule = 'Give seconds, more than 0 and at most 604800 (a week).';
  return parseNumber(text, rule, (value) => value > 0 && value <= 604_800);
}

const memoryUnits: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9 };
/** Less does not hold the program and the database themselves. */
const leastMemory = 200e6;

/** @returns bytes */
function parseMemory(text: string): number {
  const rule = 'Give a size such as 500MB or 4GB, 200MB or more.';
  const [, number = '', unit = ''] = /^(.*?) ?([MG]B)$/i.exec(text) ?? [];
  const factor = memoryUnits[unit.toUpperCase()] ?? Number.NaN;
  return parseNumber(number, rule, (value) => value * factor >= leastMemory) * factor;
}
