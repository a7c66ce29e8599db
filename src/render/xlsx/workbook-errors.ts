import { PostledgerError } from '../../core/errors.ts';

/** A table that no sheet of Excel can hold. */
export class WorkbookLimitError extends PostledgerError {
  readonly code = 'WORKBOOK_LIMIT';
  readonly recovery = 'fix-input';
}
