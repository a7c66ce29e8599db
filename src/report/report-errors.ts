import { PostledgerError, errorMessage, exitCodes, isSystemError } from '../core/errors.ts';

/** One mistake in a report's files. */
export interface ReportFault {
  /** Absolute, of a file or of the report's folder. */
  readonly path: string;
  /** From 1; null where the mistake is about the whole file. */
  readonly line: number | null;
  /** From 1, in UTF-16 units as editors count; null where only the line is known. */
  readonly column: number | null;
  readonly message: string;
}

/** As editors and terminals take it: `path:line:column: message`. */
export function faultText({ path, line, column, message }: ReportFault): string {
  const place = [path, line, column].filter((part) => part !== null).join(':');
  return `${place}: ${message}`;
}

/** A report's folder that cannot be used as it is: its YAML, its files, or SQL that does not fit them. */
export class ReportDefinitionError extends PostledgerError {
  readonly code = 'REPORT_DEFINITION';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
  /** Each mistake that was found; none where there is only the message. */
  readonly faults: readonly ReportFault[];

  constructor(what: string | readonly ReportFault[], options?: ErrorOptions) {
    super(typeof what === 'string' ? what : what.map(faultText).join('\n'), options);
    this.faults = typeof what === 'string' ? [] : what;
  }
}

/** A report that could not be made; its message names the SQL file and what the database said. */
export class ReportQueryError extends PostledgerError {
  readonly code = 'REPORT_QUERY';
  readonly recovery = 'fix-input';
}

/** A report whose making failed in an unforeseen way. The cause has the place in the program. */
class ReportFailedError extends PostledgerError {
  readonly code = 'REPORT_FAILED';
  readonly recovery = 'abort';
}

/** What went wrong with one report, as an error that does not affect the others. */
export function reportErrorOf(name: string, error: unknown): Error {
  if (error instanceof PostledgerError || isSystemError(error)) return error;
  return new ReportFailedError(
    `${name} could not be made (${errorMessage(error)}); if its SQL gives what report.yaml says, this is a bug in postledger`,
    { cause: error },
  );
}
