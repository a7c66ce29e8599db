import { PostledgerError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';

/** A landed file that is not what its writer left: it is set aside, and its siblings load. */
export class DamagedFileError extends PostledgerError {
  readonly code = 'LANDING_DAMAGED';
  readonly recovery = 'quarantine';
  /** Absolute paths of all that belongs to what is damaged. */
  readonly files: readonly string[];

  constructor(message: string, files: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.files = files;
  }
}

/**
 * A landed file whose bytes the machine does not give: the disk fails, the right to it is missing, too many files are
 * open. It may be as good as ever, and stays where it is.
 */
export class UnreadableFileError extends PostledgerError {
  readonly code = 'LANDING_UNREADABLE';
  readonly recovery = 'retry';
  readonly path: string;
  override readonly cause: NodeJS.ErrnoException;

  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(`${path} cannot be read: ${problemText(cause)}`);
    this.path = path;
    this.cause = cause;
  }
}

/** The archive already has a part of this name. */
export class ArchiveConflictError extends PostledgerError {
  readonly code = 'ARCHIVE_CONFLICT';
  readonly recovery = 'fix-input';
}
