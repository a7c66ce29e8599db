import { exitCodes } from '../core/errors.ts';
import { ApiError, type Call } from './api-error.ts';
import type { FieldErrors } from './schemas/error.ts';

/** The values do not have the form that the API documents. Nothing was sent. */
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

/** The variable's value cannot be a key and would break the header. Nothing was sent. */
export function unusableKey(call: Call): ApiError {
  return new ApiError(call, {
    code: 'API_KEY_UNUSABLE',
    recovery: 'fix-input',
    status: null,
    problem: `${call.keyVariable} contains a space, a line break or another character that a key cannot have`,
    advice: 'set it to the key alone',
    reach: 'workspace',
    exitCode: exitCodes.usage,
  });
}

/** The service cannot be reached, or the connection broke before it answered. */
export function unreachable(call: Call, cause: unknown): ApiError {
  const problem = networkProblem(cause, call);
  const known = networkAdvice.find(([pattern]) => pattern.test(problem));
  return new ApiError(call, {
    code: 'API_UNREACHABLE',
    recovery: certificateProblem.test(problem) ? 'fix-input' : 'retry',
    status: null,
    problem: `no answer from ${call.origin} (${problem})`,
    advice:
      known?.[1](call.configKey) ?? `check the network, the proxy and ${call.configKey}.base_url`,
    cause,
  });
}

/**
 * The complete answer did not come in time.
 * @param status null if not even the head of an answer came
 */
export function timedOut(call: Call, status: number | null, timeoutMs: number): ApiError {
  const orReadLess = call.isWindow ? ', or read less at once (windows.size_days)' : '';
  const andCheck = status === null ? ', and check the network and the proxy' : '';
  return new ApiError(call, {
    code: 'API_TIMEOUT',
    recovery: 'retry',
    status,
    problem: `no complete answer within ${timeoutMs / 1000} s`,
    advice: `raise ${call.configKey}.timeout_seconds${orReadLess}${andCheck}`,
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

/** @param problem how the content coding of the answer differs from what was asked for */
export function undecodable(call: Call, status: number, problem: string): ApiError {
  return new ApiError(call, {
    code: 'API_CONTENT_CODING',
    recovery: 'retry',
    status,
    problem,
    advice: `check the proxy and ${call.configKey}.base_url: something on the way compresses answers in another way`,
  });
}

/** The answer says itself that there is more of it. @param sign the header that says so */
export function notWhole(call: Call, status: number, sign: string): ApiError {
  return new ApiError(call, {
    code: 'API_NOT_WHOLE',
    recovery: 'abort',
    status,
    problem: `the answer says that it is not whole (${sign})`,
    advice: 'this API has no pages: ask the owner of the service why it sends some',
  });
}

/** @param start the beginning of the answer; null if it begins as JSON does @param ending where the JSON ends being it */
export function notJson(call: Call, status: number, start: string, ending: string): ApiError {
  const compressed = start.startsWith('\u001f\ufffd') ? ', compressed twice' : '';
  return new ApiError(call, {
    code: 'API_NOT_JSON',
    recovery: 'retry',
    status,
    problem: `the answer is not JSON (it begins with ${JSON.stringify(start)}${ending}${compressed})`,
    advice: start.startsWith('<')
      ? `it is a web page, so ${call.configKey}.base_url is probably not the API's address (which usually ends in /api/v1)`
      : `check ${call.configKey}.base_url, and try again later`,
  });
}

/** The answer is larger than `maxBytes`, before or after decompression. */
export function responseTooLarge(call: Call, status: number, maxBytes: number): ApiError {
  return new ApiError(call, {
    code: 'API_RESPONSE_TOO_LARGE',
    recovery: 'abort',
    status,
    problem: `the answer is larger than ${maxBytes} bytes and was refused`,
    advice: call.isWindow
      ? 'read less at once (windows.size_days)'
      : 'check what the service sends at this address',
  });
}

/**
 * The answer is JSON, but does not have the form that this call returns.
 * @param problem a sentence without a final full stop
 */
export function unexpectedBody(
  call: Call,
  { status, body }: { status: number; body: Buffer },
  problem: string,
): ApiError {
  const advice = `check that ${call.configKey}.base_url is the API's address`;
  const code = 'API_UNEXPECTED_BODY';
  return new ApiError(call, { code, recovery: 'abort', status, problem, advice, body });
}

const certificateProblem =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+)/;

/** Advice by a pattern of the network problem; the first match counts. */
const networkAdvice: readonly (readonly [RegExp, (configKey: string) => string])[] = [
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    () =>
      "the service's certificate is not valid now: its owner has to renew it, unless this machine's clock is wrong",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    (configKey) => `the service's certificate is for another name: correct ${configKey}.base_url`,
  ],
  [
    certificateProblem,
    (configKey) =>
      `the service's certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS, or correct ${configKey}.base_url`,
  ],
  [
    /^(ERR_SSL_|EPROTO)/,
    (configKey) =>
      `TLS could not be negotiated: check the port and https:// in ${configKey}.base_url, and the proxy`,
  ],
  [
    /^(ENOTFOUND|EAI_)/,
    (configKey) =>
      `the host name cannot be resolved: check the network's DNS, the proxy and ${configKey}.base_url`,
  ],
  [
    /\b407\b/,
    () =>
      'the proxy requires a login: put the user and password into HTTP_PROXY and HTTPS_PROXY, as in http://user:password@proxy.example:3128',
  ],
];

/** The fields of a system error that name the peer that did not answer. */
interface NetworkPeer {
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** Returns the system's error code, with the peer's name if it is not the service but a proxy. */
function networkProblem(cause: unknown, { origin }: Call): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, hostname, address, port } = cause as NodeJS.ErrnoException & NetworkPeer;
  if (code === undefined || code.startsWith('UND_ERR_')) return cause.message;
  const peer = hostname ?? (address === undefined ? null : `${address}:${port ?? ''}`);
  return peer === null || origin.includes(peer) ? code : `${code} ${peer}`;
}
