import { ApiError, type Call } from './api-error.ts';

/** No answer: the service cannot be reached, or the connection broke before it answered. */
export class NetworkError extends ApiError {
  readonly code = 'API_UNREACHABLE';
  readonly recovery = 'retry';
  readonly isRetryable: boolean;

  constructor(call: Call, cause: unknown) {
    const problem = networkProblem(cause);
    const isUntrusted = certificateCodes.has(problem);
    const advice = isUntrusted
      ? `the service's certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS, or correct ${call.place}.base_url`
      : `check the network, the proxy and ${call.place}.base_url`;
    super(call, null, `no answer from ${call.origin} (${problem})`, advice, { cause });
    this.isRetryable = !isUntrusted;
  }
}

/** The whole answer did not come in time. */
export class TimeoutError extends ApiError {
  readonly code = 'API_TIMEOUT';
  readonly recovery = 'retry';
  readonly isRetryable = true;

  /** @param status null when not even the head of an answer came */
  constructor(call: Call, status: number | null, timeoutMs: number) {
    super(
      call,
      status,
      `no whole answer in ${timeoutMs / 1000} s`,
      `raise ${call.place}.timeout_seconds${orReadLess(call)}`,
    );
  }
}

/** The answer ended before it was complete. */
export class CutBodyError extends ApiError {
  readonly code = 'API_BODY_CUT';
  readonly recovery = 'retry';
  readonly isRetryable = true;

  constructor(call: Call, status: number, options?: ErrorOptions) {
    super(call, status, 'the answer was cut short', 'try again later', options);
  }
}

/** The answer is no JSON. */
export class NotJsonError extends ApiError {
  readonly code = 'API_NOT_JSON';
  readonly recovery = 'retry';
  readonly isRetryable = true;

  /** @param start how the answer begins */
  constructor(call: Call, status: number, start: string) {
    const advice = start.startsWith('<')
      ? `it is a web page, so ${call.place}.base_url is probably not the API's address (it ends in /api/v1 as a rule)`
      : `check ${call.place}.base_url, and try again later`;
    super(call, status, `the answer is not JSON (it begins with ${JSON.stringify(start)})`, advice);
  }
}

/** The answer is JSON, but not of the form that this call gives. */
export class UnexpectedBodyError extends ApiError {
  readonly code = 'API_UNEXPECTED_BODY';
  readonly recovery = 'abort';
  readonly isRetryable = false;

  /** As it came. */
  readonly body: Buffer;

  /** @param problem what is wrong with the answer, a sentence without its end */
  constructor(call: Call, answer: { status: number; body: Buffer }, problem: string) {
    super(call, answer.status, problem, `check that ${call.place}.base_url is the API's address`);
    this.body = answer.body;
  }
}

/** The answer is larger than what is let in, before or after decompression. */
export class ResponseTooLargeError extends ApiError {
  readonly code = 'API_RESPONSE_TOO_LARGE';
  readonly recovery = 'abort';
  readonly isRetryable = false;

  constructor(call: Call, status: number, maxBytes: number) {
    super(
      call,
      status,
      `the answer is larger than ${maxBytes} bytes and was refused`,
      call.isWindow
        ? 'read less at once (windows.size_days)'
        : 'see what the service answers there',
    );
  }
}

function orReadLess({ isWindow }: Call): string {
  return isWindow ? ', or read less at once (windows.size_days)' : '';
}

const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function networkProblem(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return code === '' || code.startsWith('UND_ERR_') ? cause.message : code;
}
