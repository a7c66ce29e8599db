import {
  exitCodes,
  InterruptedError,
  PostledgerError,
  type ExitCode,
  type Recovery,
} from '../core/errors.ts';
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
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
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
  /** HTTP requests sent for the call, until and with this failure. */
  requests = 0;
  /** How many of them tried again after a failure; waiting for the rate limit is none. */
  retries = 0;

  constructor(call: Call, failure: Failure) {
    const { code, recovery, status, problem, advice } = failure;
    super(
      `${describeCall(call)}: ${problem}; ${advice}`,
      failure.cause === undefined ? {} : { cause: failure.cause },
    );
    this.code = code;
    this.recovery = recovery;
    this.exitCode = failure.exitCode ?? exitCodes.failed;
    this.reach = failure.reach ?? 'call';
    this.method = call.method;
    this.path = call.path;
    this.problem = problem;
    this.status = status;
    this.waitMs = failure.waitMs ?? null;
  }

  /** Whether the same request may succeed a little later. */
  get isRetryable(): boolean {
    return this.recovery === 'retry';
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

/** A message stays readable. */
const mostFields = 20;
const mostProblems = 3;

/** Values of a request that do not fit, found by the service or before anything was sent. */
export class FieldError extends ApiError {
  readonly fieldErrors: FieldErrors;
  readonly #lines: readonly string[];

  constructor(call: Call, failure: Omit<Failure, 'recovery'>, fieldErrors: FieldErrors) {
    const fields = fieldLines(fieldErrors);
    const problem = [failure.problem, fields.join('; ')].filter(Boolean).join(': ');
    super(call, { ...failure, recovery: 'fix-input', problem });
    this.fieldErrors = fieldErrors;
    this.#lines = [
      `${describeCall(call)}: ${failure.problem}`,
      ...fields.map((line) => `  ${line}`),
      failure.advice,
    ];
  }

  /** A line for each field. */
  override explain(): string {
    return this.#lines.join('\n');
  }
}

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

/** Before any request: values that are not of the form that the API documents. */
export function invalidRequest(call: Call, fieldErrors: FieldErrors): FieldError {
  const failure = {
    code: 'API_REQUEST_INVALID',
    status: null,
    problem: 'not sent',
    advice: 'correct the values and try again',
    exitCode: exitCodes.usage,
  };
  return new FieldError(call, failure, fieldErrors);
}

/** A call that changes something. */
export interface ChangingCall extends Call {
  /**
   * How one finds out what became of it, a sentence without its end, for example
   * `look at the post: postledger posts get <id>`.
   */
  readonly howToFindOut: string;
}

/**
 * What was asked for went out, and no proper answer came: it may have been carried out or not. It is
 * never sent again without knowing (RFC 9110, section 9.2.2).
 */
export class OutcomeUnknownError extends ApiError {
  readonly call: ChangingCall;
  override readonly cause: ApiError | InterruptedError;

  /** @param findings what reading back gave, where the API allows it; a clause */
  constructor(call: ChangingCall, cause: ApiError | InterruptedError, findings?: string) {
    const { status, problem } =
      cause instanceof ApiError
        ? cause
        : { status: null, problem: 'stopped before the answer came' };
    const found = findings === undefined ? '' : `; ${findings}`;
    super(call, {
      code: 'API_OUTCOME_UNKNOWN',
      recovery: 'abort',
      status,
      problem: `${problem}, so it is unknown whether this was carried out${found}`,
      advice: call.howToFindOut,
    });
    this.call = call;
    this.cause = cause;
  }
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
