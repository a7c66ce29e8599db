import { ApiError, type Call } from './api-error.ts';

/** No answer: the service cannot be reached, or the connection broke before it answered. */
export class NetworkError extends ApiError {
  readonly code = 'API_UNREACHABLE';
  readonly recovery = 'retry';
  readonly isRetryable: boolean;

  constructor(call: Call, cause: unknown) {
    const trouble = networkTrouble(cause, call);
    const problem = `no answer from ${call.origin} (${trouble})`;
    super(call, null, problem, networkAdvice(trouble, call), { cause });
    this.isRetryable = !certificateProblem.test(trouble);
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
      `raise ${call.place}.timeout_seconds${orReadLess(call)}${status === null ? ', and check the network and the proxy' : ''}`,
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

const certificateProblem =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+)/;

/** What to do, by how the trouble begins or what is in it; the first that fits. */
const networkAdvices: readonly (readonly [RegExp, (place: string) => string])[] = [
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    () =>
      "the service's certificate does not hold today: its owner has to renew it, unless this machine's clock is wrong",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    (place) => `the service's certificate is for another name: correct ${place}.base_url`,
  ],
  [
    certificateProblem,
    (place) =>
      `the service's certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS, or correct ${place}.base_url`,
  ],
  [
    /^(ERR_SSL_|EPROTO)/,
    (place) =>
      `it speaks no TLS that this program knows: check the port and https:// in ${place}.base_url, and the proxy`,
  ],
  [
    /^(ENOTFOUND|EAI_)/,
    (place) => `the name cannot be found: check the network's DNS, the proxy and ${place}.base_url`,
  ],
  [
    /\b407\b/,
    () =>
      'the proxy wants to know who asks: put user and password into HTTP_PROXY and HTTPS_PROXY, as in http://user:password@proxy.example:3128',
  ],
];

function networkAdvice(trouble: string, { place }: Call): string {
  const known = networkAdvices.find(([pattern]) => pattern.test(trouble));
  return known?.[1](place) ?? `check the network, the proxy and ${place}.base_url`;
}

/** The system's code, with who did not answer where that is not the service: a proxy. */
function networkTrouble(cause: unknown, { origin }: Call): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (code === '' || code.startsWith('UND_ERR_')) return cause.message;
  const peer = peerOf(cause);
  return peer === null || origin.includes(peer) ? code : `${code} ${peer}`;
}

function peerOf(cause: Error): string | null {
  if ('hostname' in cause && typeof cause.hostname === 'string') return cause.hostname;
  if (!('address' in cause && 'port' in cause)) return null;
  return `${String(cause.address)}:${String(cause.port)}`;
}
