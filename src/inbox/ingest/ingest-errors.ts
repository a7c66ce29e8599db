import { PostledgerError } from '../../core/errors.ts';

/** An input that cannot be read as text, or not to its end. What came before is taken in all the same. */
export class IngestInputError extends PostledgerError {
  readonly code = 'INGEST_INPUT';
  readonly recovery = 'fix-input';
}

/** The remedy where an input is there in part only. */
export const getItWhole = 'get it whole and ingest it again, what is stored already counts once';

/** The folder for what is no event cannot take it. */
export class QuarantineError extends PostledgerError {
  readonly code = 'QUARANTINE_UNAVAILABLE';
  readonly recovery = 'retry';
}

/** Storing came to an end before the input did. What was stored stays so. */
export class IngestStoppedError extends PostledgerError {
  readonly code = 'INGEST_STOPPED';
  readonly recovery = 'retry';
}
