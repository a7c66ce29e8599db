import { InterruptedError } from '../../core/errors.ts';
import { ApiError, type Call } from './api-error.ts';

/** A call that changes something, and by how one finds out what became of it. */
export interface ChangingCall extends Call {
  /** A sentence without its end, for example `look at the post: postledger posts get <id>`. */
  readonly howToFindOut: string;
}

/**
 * What was asked for went out, and no proper answer came: it may have been carried out or not. It is
 * never sent again without knowing (RFC 9110, section 9.2.2).
 */
export class OutcomeUnknownError extends ApiError {
  readonly code = 'API_OUTCOME_UNKNOWN';
  readonly recovery = 'abort';
  readonly isRetryable = false;
  readonly call: ChangingCall;
  override readonly cause: ApiError | InterruptedError;

  /** @param findings what reading back gave, where the API allows it; a clause */
  constructor(call: ChangingCall, cause: ApiError | InterruptedError, findings?: string) {
    const unknown = 'so it is unknown whether this was carried out';
    const found = findings === undefined ? '' : `; ${findings}`;
    super(call, statusOf(cause), `${problemOf(cause)}, ${unknown}${found}`, call.howToFindOut);
    this.call = call;
    this.cause = cause;
  }
}

function statusOf(cause: ApiError | InterruptedError): number | null {
  return cause instanceof ApiError ? cause.status : null;
}

function problemOf(cause: ApiError | InterruptedError): string {
  return cause instanceof ApiError ? cause.problem : 'stopped before the answer came';
}

/**
 * Whether a call that changes something may have been carried out in spite of the error. A refusal
 * (3xx, 4xx) says that it was not; everything else that went wrong on the way or at the service does not.
 */
export function leavesOutcomeOpen(error: unknown): error is ApiError | InterruptedError {
  if (error instanceof InterruptedError) return true;
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status === null || status < 300 || status >= 500 || status === 408;
}
