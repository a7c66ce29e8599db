import {
  PostledgerError,
  exitCodes,
  isSystemError,
  type ExitCode,
  type Recovery,
} from './errors.ts';

/** An error on its way from one process to another. Causes stay behind. */
export interface RelayedError {
  /** Of its class; null for what is no error of this program's tree. */
  readonly foreseenAs: string | null;
  readonly message: string;
  readonly stack: string | undefined;
  /** What it tells beside its message, for example its code. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A class of errors that is known on the other side, too. */
export type ErrorClass = abstract new (...given: never[]) => PostledgerError;

/** A foreseen error of a class that the receiving side was not told of. */
class ForeignError extends PostledgerError {
  readonly code: string = 'FOREIGN';
  readonly recovery: Recovery = 'abort';
  override readonly exitCode: ExitCode = exitCodes.failed;
}

export function relayError(error: unknown): RelayedError {
  if (!(error instanceof Error)) {
    return { foreseenAs: null, message: String(error), stack: undefined, fields: {} };
  }
  const isForeseen = error instanceof PostledgerError;
  return {
    foreseenAs: isForeseen ? error.constructor.name : null,
    message: error.message,
    stack: error.stack,
    fields: isForeseen || isSystemError(error) ? Object.fromEntries(Object.entries(error)) : {},
  };
}

/** The error as it was, of one of `classes` where it was of that one. */
export function reviveError(relayed: RelayedError, classes: readonly ErrorClass[]): Error {
  const { foreseenAs, message, stack, fields } = relayed;
  const error = new Error(message);
  if (foreseenAs !== null) {
    const known = classes.find(({ name }) => name === foreseenAs) ?? ForeignError;
    Object.setPrototypeOf(error, known.prototype as object);
    error.name = foreseenAs;
  }
  return Object.assign(error, fields, { stack });
}
