import { exitCodes } from '../core/errors.ts';
import { ApiError, type Call } from './api-error.ts';
import type { FieldErrors } from './schemas/error.ts';

/** Before any request: values that are not of the form that the API documents. */
export function invalidRequest(call: Call, fieldErrors: FieldErrors): ApiError {
  return new ApiError(call, {
    code: 'API_REQUEST_INVALID',
    recovery: 'fix-input',
    status: null,
    problem: 'not sent',
    advice: 'correct the values and try again',
    exitCode: exitCodes.usage,
    fieldErrors,
  });
}

/** Before any request: what the variable holds cannot be a key, and would break the header. */
export function unusableKey(call: Call): ApiError {
  return new ApiError(call, {
    code: 'API_KEY_UNUSABLE',
    recovery: 'fix-input',
    status: null,
    problem: `${call.keyVariable} holds a blank, a line break or another character that no key has`,
    advice: 'set it to the key alone',
    reach: 'workspace',
    exitCode: exitCodes.usage,
  });
}

/** No answer: the service cannot be reached, or the connection broke before it answered. */
export function unreachable(call: Call, cause: unknown): ApiError {
  const trouble = networkTrouble(cause, call);
  const known = networkAdvices.find(([pattern]) => pattern.test(trouble));
  return new ApiError(call, {
    code: 'API_UNREACHABLE',
    recovery: certificateProblem.test(trouble) ? 'fix-input' : 'retry',
    status: null,
    problem: `no answer from ${call.origin} (${trouble})`,
    advice: known?.[1](call.place) ?? `check the network, the proxy and ${call.place}.base_url`,
    cause,
  });
}

/**
 * The whole answer did not come in time.
 * @param status null when not even the head of an answer came
 */
export function timedOut(call: Call, status: number | null, timeoutMs: number): ApiError {
  const orReadLess = call.isWindow ? ', or read less at once (windows.size_days)' : '';
  const andCheck = status === null ? ', and check the network and the proxy' : '';
  return new ApiError(call, {
    code: 'API_TIMEOUT',
    recovery: 'retry',
    status,
    problem: `no whole answer in ${timeoutMs / 1000} s`,
    advice: `raise ${call.place}.timeout_seconds${orReadLess}${andCheck}`,
  });
}

/** The answer ended before it was complete. */
export function cutBody(call: Call, status: number, cause?: unknown): ApiError {
  return new ApiError(call, {
    code: 'API_BODY_CUT',
    recovery: 'retry',
    status,
    problem: 'the answer was cut short',
    advice: 'try again later',
    cause,
  });
}

/** @param start how the answer begins */
export function notJson(call: Call, status: number, start: string): ApiError {
  return new ApiError(call, {
    code: 'API_NOT_JSON',
    recovery: 'retry',
    status,
    problem: `the answer is not JSON (it begins with ${JSON.stringify(start)})`,
    advice: start.startsWith('<')
      ? `it is a web page, so ${call.place}.base_url is probably not the API's address (it ends in /api/v1 as a rule)`
      : `check ${call.place}.base_url, and try again later`,
  });
}

/** The answer is larger than what is let in, before or after decompression. */
export function responseTooLarge(call: Call, status: number, maxBytes: number): ApiError {
  return new ApiError(call, {
    code: 'API_RESPONSE_TOO_LARGE',
    recovery: 'abort',
    status,
    problem: `the answer is larger than ${maxBytes} bytes and was refused`,
    advice: call.isWindow
      ? 'read less at once (windows.size_days)'
      : 'see what the service answers there',
  });
}

/**
 * The answer is JSON, but not of the form that this call gives.
 * @param problem what is wrong with the answer, a sentence without its end
 */
export function unexpectedBody(
  call: Call,
  { status, body }: { status: number; body: Buffer },
  problem: string,
): ApiError {
  const advice = `check that ${call.place}.base_url is the API's address`;
  const code = 'API_UNEXPECTED_BODY';
  return new ApiError(call, { code, recovery: 'abort', status, problem, advice, body });
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

/** Of a system's error: who did not answer. */
interface NetworkPlace {
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** The system's code, with who did not answer where that is not the service: a proxy. */
function networkTrouble(cause: unknown, { origin }: Call): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, hostname, address, port } = cause as NodeJS.ErrnoException & NetworkPlace;
  if (code === undefined || code.startsWith('UND_ERR_')) return cause.message;
  const peer = hostname ?? (address === undefined ? null : `${address}:${port ?? ''}`);
  return peer === null || origin.includes(peer) ? code : `${code} ${peer}`;
}
