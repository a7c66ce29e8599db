import { PostledgerError, exitCodes } from '../core/errors.ts';

/** A report's folder that cannot be used as it is: its YAML, its files, or SQL that does not fit them. */
export class ReportDefinitionError extends PostledgerError {
  readonly code = 'REPORT_DEFINITION';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
}

/** A report that could not be made; its message names the SQL file and what the database said. */
export class ReportQueryError extends PostledgerError {
  readonly code = 'REPORT_QUERY';
  readonly recovery = 'fix-input';
}
