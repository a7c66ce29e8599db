import { PostledgerError } from '../../core/errors.ts';

/** What was asked for, as messages show it. Holds no secret. */
export interface Call {
  readonly method: string;
  /** Below `base_url`, with its query. */
  readonly path: string;
  /** What it is about, where the path does not say, for example `post 6f1c…`. */
  readonly subject?: string;
  /** Of the service: scheme, host and port. */
  readonly origin: string;
  /** Where the config says how to reach the service, for example `workspaces.acme`. */
  readonly place: string;
  /** The environment variable that holds the API key. */
  readonly keyVariable: string;
  /** Whether it reads a window of days, which can be made smaller. */
  readonly isWindow?: boolean;
}

/** What else must fail for the same reason: every call of the workspace, of the profile, or none other. */
export type Reach = 'workspace' | 'profile' | 'call';

/** A call of the workspace API that did not give what it should. */
export abstract class ApiError extends PostledgerError {
  /** Whether the same request may succeed a little later. */
  abstract readonly isRetryable: boolean;
  readonly reach: Reach = 'call';
  readonly method: string;
  readonly path: string;
  /** What went wrong, without what was asked for and what to do about it. */
  readonly problem: string;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** HTTP requests sent for the call, until and with this failure. */
  requests = 0;
  /** How many of them tried again after a failure; waiting for the rate limit is none. */
  retries = 0;

  constructor(
    call: Call,
    status: number | null,
    problem: string,
    advice: string,
    options?: ErrorOptions,
  ) {
    super(`${describeCall(call)}: ${problem}; ${advice}`, options);
    this.problem = problem;
    this.method = call.method;
    this.path = call.path;
    this.status = status;
  }

  /** Says how often it was tried, besides. */
  override explain(): string {
    return this.requests > 1 ? `${this.message} (${this.requests} requests)` : this.message;
  }
}

/** For a message: `POST /approvals (post 6f1c…)`. */
export function describeCall({ method, path, subject }: Call): string {
  return `${method} ${path}${subject === undefined ? '' : ` (${subject})`}`;
}
