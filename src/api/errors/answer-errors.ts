import { ApiError, type Call, type Reach } from './api-error.ts';
import type { FieldErrors } from '../schemas/error.ts';
import { FieldError } from './field-errors.ts';

/** 400 or 422: the request was refused for its values. */
export class BadRequestError extends FieldError {
  readonly code = 'API_BAD_REQUEST';

  constructor(call: Call, status: number, said: string, fieldErrors: FieldErrors) {
    const hasFields = Object.keys(fieldErrors).length > 0;
    const advice = hasFields ? 'correct this and try again' : 'see what the API expects here';
    super(call, status, `${said} (${status})`, fieldErrors, advice);
  }
}

/** 404: there is no such thing in this workspace, or it was deleted. */
export class NotFoundError extends ApiError {
  readonly code = 'API_NOT_FOUND';
  readonly recovery = 'fix-input';
  readonly isRetryable = false;
  override readonly reach: Reach = 'profile';

  constructor(call: Call, status: number, said: string) {
    super(
      call,
      status,
      `${said} (${status})`,
      `it does not exist, was deleted, or belongs to another workspace than the key in ${call.keyVariable}: check the id, and ${call.place}.base_url`,
    );
  }
}

/** 409: the state of things does not allow it. */
export class ConflictError extends ApiError {
  readonly code = 'API_CONFLICT';
  readonly recovery = 'fix-input';
  readonly isRetryable = false;

  constructor(call: Call, status: number, said: string) {
    super(call, status, `${said} (${status})`, 'look at its present state in the workspace first');
  }
}

/** 429: the workspace's quota is used up, by whomever. */
export class TooManyRequestsError extends ApiError {
  readonly code = 'API_TOO_MANY_REQUESTS';
  readonly recovery = 'retry';
  readonly isRetryable = true;
  override readonly reach: Reach = 'workspace';
  /** Until the quota resets, as the service says; null when it does not say. */
  readonly seconds: number | null;

  constructor(call: Call, status: number, said: string, seconds: number | null) {
    super(
      call,
      status,
      `${said} (${status})`,
      `try again ${seconds === null ? 'later' : `in ${seconds} s`}`,
    );
    this.seconds = seconds;
  }
}

/** 5xx, or a gateway that gave up waiting. */
export class ServerError extends ApiError {
  readonly code = 'API_SERVER_ERROR';
  readonly recovery = 'retry';
  readonly isRetryable = true;
  /** What a Retry-After header asked for. */
  readonly retryAfterMs: number | null;

  constructor(call: Call, status: number, said: string, retryAfterMs: number | null) {
    const when = retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    super(call, status, `${said} (${status})`, `the service has a problem, try again ${when}`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 3xx: the API is elsewhere. Not followed: the key must not go where nobody sent it. */
export class RedirectError extends ApiError {
  readonly code = 'API_REDIRECT';
  readonly recovery = 'fix-input';
  readonly isRetryable = false;
  override readonly reach: Reach = 'workspace';

  constructor(call: Call, status: number, location: string) {
    const target = location === '' ? '' : ` to ${location}`;
    super(
      call,
      status,
      `the service redirects${target} (${status})`,
      `set ${call.place}.base_url to the API's own address`,
    );
  }
}

/** A status that the API has no use for. */
export class UnexpectedStatusError extends ApiError {
  readonly code = 'API_UNEXPECTED_STATUS';
  readonly recovery = 'abort';
  readonly isRetryable = false;

  constructor(call: Call, status: number, said: string) {
    super(
      call,
      status,
      `${said} (${status}), which this API never answers`,
      `check ${call.place}.base_url and the proxy`,
    );
  }
}
