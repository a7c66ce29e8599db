import { PostledgerError } from '../../core/errors.ts';

/** The inbox cannot take events now. None that was accepted is affected, and it tries again by itself. */
export class SpoolUnavailableError extends PostledgerError {
  readonly code = 'SPOOL_UNAVAILABLE';
  readonly recovery = 'retry';
}
