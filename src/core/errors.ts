/** The action that an error asks of the caller: correct the input, try again later, or stop. */
export type Recovery = 'fix-input' | 'retry' | 'abort';

/** The process's exit codes, on which users and scripts rely. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partial: 3, busy: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * The base class of every expected error. Its message says what failed, with which value, where, and what to do.
 * It never holds a secret. An error of any other class is a bug.
 */
export abstract class PostledgerError extends Error {
  abstract readonly code: string;
  abstract readonly recovery: Recovery;
  readonly exitCode: ExitCode = exitCodes.failed;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** Returns the message for a terminal, with one line for each item of a list. */
  explain(): string {
    return this.message;
  }
}

/** A command line that cannot be carried out as it was typed. */
export class UsageError extends PostledgerError {
  readonly code = 'USAGE';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
}

/** Another live process holds what this one needs. */
export class BusyError extends PostledgerError {
  readonly code = 'BUSY';
  readonly recovery = 'retry';
  override readonly exitCode = exitCodes.busy;
}

/** Another run is at the same work, and reports on it itself. */
export class OtherRunError extends BusyError {}

/** What machines share, such as a database or a bucket, cannot be reached or was taken over: a later attempt may do it. */
export abstract class UnreachableError extends PostledgerError {
  readonly recovery = 'retry';
}

/** The user asked the process to stop (SIGINT, SIGTERM); everything on disk is whole. */
export class InterruptedError extends PostledgerError {
  readonly code = 'INTERRUPTED';
  readonly recovery = 'retry';
}

/** The message of anything thrown, for a log line or a sentence. */
export function errorMessage(error: unknown): string {
  // of several addresses of a host, the first says why
  if (error instanceof AggregateError && error.message === '') return errorMessage(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** True if Node reports that a system call failed. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** True if `error` has this code, for example `ENOENT`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
