import { exitCodes, PostledgerError, type ExitCode, type Recovery } from '../core/errors.ts';
import type { FieldErrors } from './schemas/error.ts';

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

/** What went wrong with a call. */
export interface Failure {
  readonly code: string;
  readonly recovery: Recovery;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** Without what was asked for and what to do about it. */
  readonly problem: string;
  readonly advice: string;
  /** `call` where it is not given. */
  readonly reach?: Reach;
  /** How long the service asks to wait before another request. */
  readonly waitMs?: number | null;
  /** Which values of the request do not fit, found by the service or before anything was sent. */
  readonly fieldErrors?: FieldErrors;
  /** The body of an answer of another form than documented, as it came. */
  readonly body?: Buffer;
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** What a call took. */
export interface Spent {
  /** HTTP requests sent for the call, repeats and 429s included. */
  readonly requests: number;
  /** How many of them tried again after a failure; 429s are none. */
  readonly retries: number;
}

/** A call of the workspace API that did not give what it should. */
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
  /** Messages by field; null unless values of the request do not fit. */
  readonly fieldErrors: FieldErrors | null;
  /** HTTP requests sent for the call, until and with this failure. */
  requests = 0;
  /** How many of them tried again after a failure; waiting for the rate limit is none. */
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

  /** Whether the same request may succeed a little later. */
  get isRetryable(): boolean {
    return this.recovery === 'retry';
  }

  /**
   * Whether a change went out and no proper answer came: it may have been carried out or not. It is never
   * sent again without knowing (RFC 9110, section 9.2.2). The `cause` says what came instead.
   */
  get isOutcomeUnknown(): boolean {
    return this.code === 'API_OUTCOME_UNKNOWN';
  }

  /** The answer, where its form is not the documented one; its own, or that of what caused it. */
  unexpectedBody(): Buffer | null {
    const inner = this.cause instanceof ApiError ? this.cause.unexpectedBody() : null;
    return this.#failure.body ?? inner;
  }

  /** The same with what was found out since, a clause, and what finding out took. */
  withFindings(findings: string, spent: Spent): ApiError {
    const problem = `${this.#failure.problem}; ${findings}`;
    const error = new ApiError(this.#call, { ...this.#failure, problem });
    error.requests = this.requests + spent.requests;
    error.retries = this.retries + spent.retries;
    return error;
  }

  /** A line for each field; else how often it was tried, besides. */
  override explain(): string {
    if (this.fieldErrors) {
      const { problem, advice } = this.#failure;
      const fields = fieldLines(this.fieldErrors).map((line) => `  ${line}`);
      return [`${describeCall(this.#call)}: ${problem}`, ...fields, advice].join('\n');
    }
    return this.requests > 1 ? `${this.message} (${this.requests} requests)` : this.message;
  }
}

/** For a message: `POST /approvals (post 6f1c…)`. */
export function describeCall({ method, path, subject }: Call): string {
  return `${method} ${path}${subject === undefined ? '' : ` (${subject})`}`;
}

/** A message stays readable. */
const mostFields = 20;
const mostProblems = 3;

function fieldLines(fieldErrors: FieldErrors): string[] {
  const lines = Object.entries(fieldErrors).map(
    ([field, problems]) => `${field}: ${problemsLine(problems)}`,
  );
  const more = lines.length - mostFields;
  return more > 0 ? [...lines.slice(0, mostFields), `and ${more} more fields`] : lines;
}

function problemsLine(problems: readonly string[]): string {
  if (problems.length === 0) return 'refused without a reason';
  const more = problems.length - mostProblems;
  const shown = problems.slice(0, mostProblems).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
