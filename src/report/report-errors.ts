import { PostledgerError, errorMessage, exitCodes, isSystemError } from '../core/errors.ts';

/** One mistake in the files of a report, or in an alert. */
export interface ReportFault {
  /** The absolute path of a file or of the report's folder. */
  readonly path: string;
  /** The line, from 1. Null if the mistake concerns the whole file. */
  readonly line: number | null;
  /** The column from 1 in UTF-16 units, as editors count. Null if only the line is known. */
  readonly column: number | null;
  readonly message: string;
}

/** Returns the fault as `path:line:column: message`, which editors and terminals recognize. */
export function faultText({ path, line, column, message }: ReportFault): string {
  const location = [path, line, column].filter((part) => part !== null).join(':');
  return `${location}: ${message}`;
}

/** Thrown if a report's folder cannot be used: its YAML or files are wrong, or its SQL does not fit them; or an alert. */
export class ReportDefinitionError extends PostledgerError {
  readonly code = 'REPORT_DEFINITION';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
  /** The mistakes that were found. Empty if there is only the message. */
  readonly faults: readonly ReportFault[];

  constructor(what: string | readonly ReportFault[], options?: ErrorOptions) {
    super(typeof what === 'string' ? what : what.map(faultText).join('\n'), options);
    this.faults = typeof what === 'string' ? [] : what;
  }
}

/** Thrown if a report's SQL fails. The message names the SQL file and quotes the database. */
export class ReportQueryError extends PostledgerError {
  readonly code = 'REPORT_QUERY';
  readonly recovery = 'fix-input';
}

/** Thrown if a report fails for an unforeseen reason. The cause leads to the place in the program. */
class ReportFailedError extends PostledgerError {
  readonly code = 'REPORT_FAILED';
  readonly recovery = 'abort';
}

/** Returns the failure of one report as an error that does not affect the other reports. */
export function reportErrorOf(name: string, error: unknown): Error {
  if (error instanceof PostledgerError || isSystemError(error)) return error;
  return new ReportFailedError(
    `${name} could not be built (${errorMessage(error)}); if its SQL gives what report.yaml says, this is a bug in postledger`,
    { cause: error },
  );
}

/** Line and column of a character. They count from 1, the column in UTF-16 units, as editors count. */
interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/**
 * Converts a byte position to line and column.
 * @param position the number of bytes of the text's UTF-8 before the character, as DuckDB counts
 */
export function lineAndColumn(text: string, position: number): LineAndColumn {
  return afterText(Buffer.from(text).subarray(0, position).toString());
}

/** Returns line and column of what follows a text. */
export function afterText(before: string): LineAndColumn {
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
