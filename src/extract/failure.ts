import { ApiError, type Reach } from '../api/errors/api-error.ts';

/** A call that did not give what was asked for. */
export interface Failure {
  /** What was asked for, for people; the workspace where no call of it can succeed. */
  readonly subject: string;
  /** What went wrong and what to do about it. */
  readonly message: string;
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  /** HTTP requests spent on it. */
  readonly requests: number;
  /** What else must fail for the same reason. */
  readonly reach: Reach;
}

/** @throws what is no failure of the API: an interruption, a bug */
export function describeFailure(
  error: unknown,
  { workspace, subject }: { readonly workspace: string; readonly subject: string },
): Failure {
  if (!(error instanceof ApiError)) throw error;
  const { message, status, requests, reach } = error;
  return {
    subject: reach === 'workspace' ? workspace : subject,
    message,
    httpStatus: status,
    requests,
    reach,
  };
}
