import { PostledgerError } from '../core/errors.ts';

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

/** The archive already has a part of this name. */
export class ArchiveConflictError extends PostledgerError {
  readonly code = 'ARCHIVE_CONFLICT';
  readonly recovery = 'fix-input';
}
