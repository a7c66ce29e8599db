import type { FieldErrors } from '../../api/schemas/error.ts';
import { PostledgerError } from '../../core/errors.ts';

/** How the receiver says no; the body has the API's error shape. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: FieldErrors;
}

/** A request that is answered with a refusal. The reason is for the log, and the sender is not told. */
export class RefusedRequestError extends PostledgerError {
  readonly code = 'REQUEST_REFUSED';
  readonly recovery = 'fix-input';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, reason: string = refusal.message, options?: ErrorOptions) {
    super(reason, options);
    this.refusal = refusal;
  }
}

/** Nothing proved that the sender may send. */
export class FailedAuthenticationError extends RefusedRequestError {}

const bearer = { 'www-authenticate': 'Bearer' };

export const refusals = {
  badRequest: (message: string, errors?: FieldErrors) => ({
    ...refusal(400, 'BAD_REQUEST', message),
    ...(errors && { errors }),
  }),
  /** The same whatever was wrong or missing. */
  unauthorized: refusal(401, 'UNAUTHORIZED', 'Unauthorized', bearer),
  notFound: refusal(404, 'NOT_FOUND', 'Not Found'),
  methodNotAllowed: (allow: string) =>
    refusal(405, 'METHOD_NOT_ALLOWED', `Method Not Allowed: use ${allow}`, { allow }),
  tooSlow: refusal(408, 'REQUEST_TIMEOUT', 'Request Timeout: it took too long to arrive'),
  tooLarge: (maxBytes: number) =>
    refusal(413, 'PAYLOAD_TOO_LARGE', `Payload Too Large: a body has up to ${maxBytes} bytes`),
  unsupported: (message: string) => refusal(415, 'UNSUPPORTED_MEDIA_TYPE', message),
  tooMany: (retryAfterSeconds: number) =>
    refusal(429, 'TOO_MANY_REQUESTS', 'Too Many Requests', retryAfter(retryAfterSeconds)),
  headersTooLarge: (maxBytes: number) =>
    refusal(431, 'HEADERS_TOO_LARGE', `Headers Too Large: they have up to ${maxBytes} bytes`),
  internal: refusal(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error'),
  notImplemented: (message: string) =>
    refusal(501, 'NOT_IMPLEMENTED', `Not Implemented: ${message}`),
  unavailable: refusal(
    503,
    'SERVICE_UNAVAILABLE',
    'Service Unavailable: the event was not stored, send it again',
    retryAfter(5),
  ),
} as const satisfies Record<string, Refusal | ((...parts: never[]) => Refusal)>;

/** The body of the answer, as JSON. */
export function refusalBody({ code, message, errors }: Refusal): string {
  return JSON.stringify({ code, message, ...(errors && { data: { errors } }) });
}

function refusal(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Refusal {
  return { status, code, message, ...(headers && { headers }) };
}

function retryAfter(seconds: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(seconds) };
}
