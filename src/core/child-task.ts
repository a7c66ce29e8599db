import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from './clock.ts';
import { InterruptedError } from './errors.ts';
import { residentMemory } from './resident-memory.ts';
import { reviveError, type ErrorClass, type RelayedError } from './relayed-error.ts';
import {
  MemoryLimitError,
  TaskCrashError,
  TimeLimitError,
  type LimitRemedies,
  type TaskLimits,
} from './task-errors.ts';

/** A function that a module exports, and what it is called with. */
export interface ChildTask {
  /** URL of the module, see {@link moduleBeside}. */
  readonly module: string;
  readonly work: string;
  /** Plain data, maps and bigints included. */
  readonly input: unknown;
}

export interface TaskOptions {
  /** What is done, for messages: `the query`. */
  readonly what: string;
  readonly limits: TaskLimits;
  readonly remedies: LimitRemedies;
  /** Folders of the task's own, which it removes itself should this process die before it. */
  readonly scratch: readonly string[];
  /** Classes of errors that the task throws. */
  readonly errors: readonly ErrorClass[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface TaskOrder extends ChildTask {
  readonly scratch: readonly string[];
}

export type TaskAnswer =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly error: RelayedError };

/** All that a task needs of the environment. No key, token or proxy's password is in it. */
const passedOn = ['PATH', 'TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT'];
const memoryCheckMs = 100;
const keptErrorBytes = 4096;

/** The URL of a module that stands beside the one whose URL is `of`. @param name without its extension */
export function moduleBeside(name: string, of: string): string {
  return new URL(`./${name}${extname(of)}`, of).href;
}

/**
 * Does a task in a process of its own, which is killed when it takes too long or too much memory, when the signal
 * aborts, and when this process dies. It never sees this process's environment.
 * @throws what the task throws
 * @throws TimeLimitError, MemoryLimitError, TaskCrashError
 * @throws InterruptedError when the signal aborts
 */
export async function runChildTask<Output>(task: ChildTask, options: TaskOptions): Promise<Output> {
  const child = startChild(options.limits);
  const ended = once(child, 'close');
  const over = new AbortController();
  const waits = [
    answerOf(child, task, options),
    overTime(options, over.signal),
    overMemory(child, options, over.signal),
    aborted(options, over.signal),
  ];
  try {
    return (await Promise.race(waits)) as Output;
  } finally {
    over.abort();
    child.kill('SIGKILL');
    await Promise.all([ended, Promise.allSettled(waits)]);
  }
}

function startChild({ memoryBytes }: TaskLimits): ChildProcess {
  const entry = fileURLToPath(moduleBeside('child-entry', import.meta.url));
  const environment = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return fork(entry, [], {
    env: Object.fromEntries(environment) as NodeJS.ProcessEnv,
    execArgv: [`--max-old-space-size=${Math.ceil(memoryBytes / 2 ** 20)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

async function answerOf(
  child: ChildProcess,
  task: ChildTask,
  { what, limits, remedies, scratch, errors }: TaskOptions,
): Promise<unknown> {
  const words = lastWordsOf(child);
  const answer = await new Promise<TaskAnswer | Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (told: TaskAnswer) => resolve(told));
    child.once('close', (code, signal) => resolve({ kind: 'ended', code, signal }));
    const order: TaskOrder = { ...task, scratch };
    child.send(order, (error) => {
      // it has ended, which is told by the event
      if (error && child.connected) reject(error);
    });
  });
  if (answer.kind === 'done') return answer.output;
  if (answer.kind === 'failed') throw reviveError(answer.error, errors);
  if (words().includes('heap out of memory')) throw new MemoryLimitError(what, limits, remedies);
  throw crashError(what, answer, words());
}

interface Ending {
  readonly kind: 'ended';
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function crashError(what: string, { code, signal }: Ending, words: string): TaskCrashError {
  const how = signal ?? `exit code ${code}`;
  const detail = words.trim().split('\n').at(-1) ?? '';
  return new TaskCrashError(
    `${what} brought its process down (${how}${detail === '' ? '' : `: ${detail}`}); nothing was changed, make it simpler`,
  );
}

/** The end of what the process wrote to its standard error. */
function lastWordsOf(child: ChildProcess): () => string {
  let kept = Buffer.alloc(0);
  child.stderr?.on('data', (data: Buffer) => {
    kept = Buffer.concat([kept, data]).subarray(-keptErrorBytes);
  });
  return () => kept.toString('utf8');
}

async function overTime(
  { what, limits, remedies, clock }: TaskOptions,
  over: AbortSignal,
): Promise<never> {
  await clock.sleep(limits.timeoutMs, over);
  throw new TimeLimitError(what, limits, remedies);
}

/** Where the system does not tell what a process holds, this never ends by itself. */
async function overMemory(
  { pid }: ChildProcess,
  { what, limits, remedies, clock }: TaskOptions,
  over: AbortSignal,
): Promise<never> {
  for (;;) {
    await clock.sleep(memoryCheckMs, over);
    const bytes = pid === undefined ? null : await residentMemory(pid);
    if (bytes !== null && bytes > limits.memoryBytes)
      throw new MemoryLimitError(what, limits, remedies);
  }
}

async function aborted({ what, signal }: TaskOptions, over: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => {
    const stop = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    signal.addEventListener('abort', stop);
    over.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  throw new InterruptedError(`${what} was stopped`);
}
