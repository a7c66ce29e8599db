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

/** The inbox cannot take events now. None that was accepted is affected, and it tries again by itself. */
export class SpoolUnavailableError extends PostledgerError {
  readonly code = 'SPOOL_UNAVAILABLE';
  readonly recovery = 'retry';
}
