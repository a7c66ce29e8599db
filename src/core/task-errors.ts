import { PostledgerError } from './errors.ts';

/** What work in a process of its own may take. */
export interface TaskLimits {
  readonly timeoutMs: number;
  /** Of the whole process, as the system counts it. */
  readonly memoryBytes: number;
}

/** How to ask for more than the limits, for messages: `allow more with --timeout`. */
export interface LimitRemedies {
  readonly time: string;
  readonly memory: string;
}

/** Work that took longer than it was given. */
export class TimeLimitError extends PostledgerError {
  readonly code = 'TIME_LIMIT';
  readonly recovery = 'fix-input';

  /** @param what was done: `the query` */
  constructor(what: string, { timeoutMs }: TaskLimits, remedies: LimitRemedies) {
    const seconds = timeoutMs / 1000;
    super(`${what} was given up after ${seconds} seconds; make it smaller, or ${remedies.time}`);
  }
}

/** Work that took more memory than it was given. */
export class MemoryLimitError extends PostledgerError {
  readonly code = 'MEMORY_LIMIT';
  readonly recovery = 'fix-input';

  /** @param what was done: `the query` */
  constructor(what: string, { memoryBytes }: TaskLimits, remedies: LimitRemedies) {
    const megabytes = Math.round(memoryBytes / 1e6);
    super(
      `${what} was given up for needing more than ${megabytes} MB of memory; make it smaller, or ${remedies.memory}`,
    );
  }
}

/** Work whose process ended without an answer. */
export class TaskCrashError extends PostledgerError {
  readonly code = 'TASK_CRASH';
  readonly recovery = 'fix-input';
}
