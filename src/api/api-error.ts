import { exitCodes, PostledgerError, type ExitCode, type Recovery } from '../core/errors.ts';
import type { FieldErrors } from './schemas/error.ts';

/** A request as messages show it. It holds no secret. */
export interface Call {
  readonly method: string;
  /** The path below `base_url`, with its query. */
  readonly path: string;
  /** The object of the call if the path does not name it, for example `post 6f1c…`. */
  readonly subject?: string;
  /** The service's scheme, host and port. */
  readonly origin: string;
  /** The key in the config that says how to reach the service, for example `workspaces.acme`. */
  readonly configKey: string;
  /** The environment variable that holds the API key. */
  readonly keyVariable: string;
  /** Set if the call reads a window of days, which can be made smaller. */
  readonly isWindow?: boolean;
}

/** The calls that must fail for the same reason: all of the workspace, all of the profile, or this one alone. */
export type Reach = 'workspace' | 'profile' | 'call';

export interface Failure {
  readonly code: string;
  readonly recovery: Recovery;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** The problem alone, without the request and the advice. */
  readonly problem: string;
  readonly advice: string;
  /** The default is `call`. */
  readonly reach?: Reach;
  /** The wait that the service asks for before another request. */
  readonly waitMs?: number | null;
  /** The invalid values of the request, found by the service or before anything was sent. */
  readonly fieldErrors?: FieldErrors;
  /** The unchanged body of an answer that does not have the documented form. */
  readonly body?: Buffer;
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** The requests that a call took. */
export interface Spent {
  /** HTTP requests sent for the call, including retries and those answered with 429. */
  readonly requests: number;
  /** Requests that were retries after a failure. Waiting after a 429 does not count as a retry. */
  readonly retries: number;
}

/** A call of the workspace API that failed. */
export class ApiError extends PostledgerError {
  readonly code: string;
  readonly recovery: Recovery;
  override readonly exitCode: ExitCode;
  readonly reach: Reach;
  readonly method: string;
  readonly path: string;
  readonly problem: string;
  readonly status: number | null;
  readonly waitMs: number | null;
  /** Messages by field; null unless values of the request are invalid. */
  readonly fieldErrors: FieldErrors | null;
  /** HTTP requests sent for the call up to and including this failure. */
  requests = 0;
  /** Requests that were retries after a failure. Waiting for the rate limit does not count as a retry. */
  retries = 0;
  readonly #call: Call;
  readonly #failure: Failure;

  constructor(call: Call, failure: Failure) {
    const { advice, cause, fieldErrors = null } = failure;
    const fields = fieldLines(fieldErrors ?? {}).join('; ');
    const problem = [failure.problem, fields].filter(Boolean).join(': ');
    super(`${describeCall(call)}: ${problem}; ${advice}`, cause === undefined ? {} : { cause });
    this.code = failure.code;
    this.recovery = failure.recovery;
    this.exitCode = failure.exitCode ?? exitCodes.failed;
    this.reach = failure.reach ?? 'call';
    this.method = call.method;
    this.path = call.path;
    this.problem = problem;
    this.status = failure.status;
    this.waitMs = failure.waitMs ?? null;
    this.fieldErrors = fieldErrors;
    this.#call = call;
    this.#failure = failure;
  }

  /** The problem and its remedy, without the request, for places that name its subject in their own words. */
  get reason(): string {
    return `${this.problem}; ${this.#failure.advice}`;
  }

  /** True if the same request may succeed a little later. */
  get isRetryable(): boolean {
    return this.recovery === 'retry';
  }

  /**
   * True if a change was sent and no valid answer came, so that it may or may not have been carried out. Such a
   * request is never repeated blindly (RFC 9110, section 9.2.2). The `cause` says what came instead.
   */
  get isOutcomeUnknown(): boolean {
    return this.code === 'API_OUTCOME_UNKNOWN';
  }

  /** Returns the body of an answer that does not have the documented form, from this error or from its cause. */
  unexpectedBody(): Buffer | null {
    const inner = this.cause instanceof ApiError ? this.cause.unexpectedBody() : null;
    return this.#failure.body ?? inner;
  }

  /** Returns one line for each invalid field, or the message with the number of requests. */
  override explain(): string {
    if (this.fieldErrors) {
      const { problem, advice } = this.#failure;
      const fields = fieldLines(this.fieldErrors).map((line) => `  ${line}`);
      return [`${describeCall(this.#call)}: ${problem}`, ...fields, advice].join('\n');
    }
    return this.requests > 1 ? `${this.message} (${this.requests} requests)` : this.message;
  }
}

/** Formats a call for a message, for example `POST /approvals (post 6f1c…)`. */
export function describeCall({ method, path, subject }: Call): string {
  return `${method} ${path}${subject === undefined ? '' : ` (${subject})`}`;
}

const maxFields = 20;
const maxProblems = 3;

function fieldLines(fieldErrors: FieldErrors): string[] {
  const lines = Object.entries(fieldErrors).map(
    ([field, problems]) => `${field}: ${problemsLine(problems)}`,
  );
  const more = lines.length - maxFields;
  return more > 0 ? [...lines.slice(0, maxFields), `and ${more} more fields`] : lines;
}

function problemsLine(problems: readonly string[]): string {
  if (problems.length === 0) return 'refused without a reason';
  const more = problems.length - maxProblems;
  const shown = problems.slice(0, maxProblems).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
