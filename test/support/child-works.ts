import { readFileSync, writeFileSync } from 'node:fs';
import { PostledgerError, UsageError } from '../../src/core/errors.ts';

/** What tests have a process of its own do. */

export function answerWith(input: unknown): Promise<unknown> {
  return Promise.resolve(input);
}

export function readEnvironment(): Promise<unknown> {
  return Promise.resolve({ ...process.env });
}

class PlacedError extends PostledgerError {
  readonly code = 'PLACED';
  readonly recovery = 'fix-input';
  readonly places = [{ line: 3, column: null }];
}

export function fail(how: 'usage' | 'placed' | 'system' | 'bug'): Promise<never> {
  if (how === 'usage') throw new UsageError('--set x: no such thing');
  if (how === 'placed') throw new PlacedError('line 3 is wrong');
  if (how === 'bug') throw new TypeError('x is not a function');
  writeFileSync('/proc/none', '');
  throw new RangeError('it was written');
}

/** Says who it is first. */
export function goOnForEver(pidFile: string): Promise<never> {
  writeFileSync(pidFile, String(process.pid));
  return new Promise(() => setInterval(() => undefined, 1000));
}

/** Says who it is in a file, and answers once the file says `end`. */
export async function waitForEnd(file: string): Promise<string> {
  writeFileSync(file, String(process.pid));
  while (readFileSync(file, 'utf8') !== 'end') await new Promise((done) => setImmediate(done));
  return 'it goes on';
}

/** No timer and no message gets through to it. */
export function spinForEver(pidFile: string): never {
  writeFileSync(pidFile, String(process.pid));
  for (;;) process.hrtime();
}

export function takeMemory(kind: 'buffers' | 'objects'): never {
  const kept: unknown[] = [];
  for (;;) kept.push(kind === 'buffers' ? Buffer.alloc(2 ** 20, 1) : { number: Math.random() });
}

export function dieBy(signal: NodeJS.Signals): Promise<never> {
  process.stderr.write('the last words\n');
  process.kill(process.pid, signal);
  return new Promise(() => setInterval(() => undefined, 1000));
}

export function leave(): never {
  process.exit(7);
}
