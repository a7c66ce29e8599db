import { PostledgerError } from '../../core/errors.ts';

/** The file of the archive's keys cannot be used, and is better made anew than repaired. */
export class KeyFileError extends PostledgerError {
  readonly code = 'KEYS_UNREADABLE';
  readonly recovery = 'fix-input';
  readonly path: string;

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(
      `${path} cannot be read (${reason}); remove it: it is made anew from the archive`,
      options,
    );
    this.path = path;
  }
}

/** A segment that this process may not read, or that nobody can. Its events are not lost: they wait. */
export class SegmentUnreadableError extends PostledgerError {
  readonly code = 'SEGMENT_UNREADABLE';
  readonly recovery = 'fix-input';
  override readonly cause: Error;

  constructor(path: string, cause: Error) {
    super(
      `${path} cannot be read (${cause.message}); give this user the right to it, or put the file back, and its events are loaded`,
    );
    this.cause = cause;
  }
}

/** The inbox cannot take events now. None that was accepted is affected, and it tries again by itself. */
export class SpoolUnavailableError extends PostledgerError {
  readonly code = 'SPOOL_UNAVAILABLE';
  readonly recovery = 'retry';
}
