/** What a caller may do about an error: correct input, try again later, or stop. */
export type Recovery = 'fix-input' | 'retry' | 'abort';

/** The process's exit codes, as users and scripts rely on them. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partial: 3, busy: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * The root of every error this program foresees. Its message says what failed, with which value,
 * where, and what to do; it never holds a secret. An error of no known class is a bug.
 */
export abstract class PostledgerError extends Error {
  abstract readonly code: string;
  abstract readonly recovery: Recovery;
  readonly exitCode: ExitCode = exitCodes.failed;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** The message for a person's terminal: of several lines where it holds a list. */
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

/** The user asked the process to stop (SIGINT, SIGTERM); everything on disk is whole. */
export class InterruptedError extends PostledgerError {
  readonly code = 'INTERRUPTED';
  readonly recovery = 'retry';
}

/** The message of anything thrown, for a log line or a sentence. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the machine refused something: an error of Node's that has a code and a system call. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** Whether `error` is a Node system error with this code, for example `ENOENT`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
