import { z } from 'zod';
import type { Recovery } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { ApiError, type Call, type Reach } from './api-error.ts';
import { secondsUntilReset } from './retry-timing.ts';
import type { FieldErrors } from './schemas/error.ts';

/** An answer whose status says that it is not what was asked for. */
interface Refusal {
  readonly status: number;
  /** The whole body, or an empty text if it did not arrive. */
  readonly text: string;
  /** The wait that the service asks for. */
  readonly retryAfterMs: number | null;
  /** The Location header; empty if there is none. */
  readonly location: string;
  /** Masks what must not be shown. */
  readonly mask: (text: string) => string;
}

/** The code, the reach and the advice of a refusal, reported with the service's own words. */
interface RefusalKind {
  /** One status, or the first and the last of a range. */
  readonly status: number | readonly [number, number];
  /** Matches the message. All 403s have one code, and only their messages tell them apart. */
  readonly message?: RegExp;
  readonly code: string;
  /** The default is `fix-input`. */
  readonly recovery?: Recovery;
  /** The default is `call`. */
  readonly reach?: Reach;
  readonly advice: (call: Call, details: { hasFields: boolean; waitMs: number | null }) => string;
}

const newKey = ({ keyVariable }: Call) =>
  `create a new key in the workspace's settings (API Keys) and set it as ${keyVariable}`;
const tryAgain = (waitMs: number | null) =>
  `try again ${waitMs === null ? 'later' : `in ${Math.ceil(waitMs / 1000)} s`}`;
const badRequest = {
  code: 'API_BAD_REQUEST',
  advice: (_: Call, { hasFields }: { hasFields: boolean }) =>
    hasFields ? 'correct this and try again' : 'check what the API expects for this request',
};
const serverError = {
  code: 'API_SERVER_ERROR',
  recovery: 'retry',
  advice: (_: Call, { waitMs }: { waitMs: number | null }) =>
    `the service has a problem, ${tryAgain(waitMs)}`,
} as const;

/** The first match counts (specification, "Errors" and "Authentication failures"). */
const refusalKinds: readonly RefusalKind[] = [
  {
    status: 202,
    code: 'API_NOT_READY',
    recovery: 'retry',
    advice: (_, { waitMs }) => `the service is still preparing the answer, ${tryAgain(waitMs)}`,
  },
  {
    status: 206,
    code: 'API_NOT_WHOLE',
    advice: () => 'this API has no pages: ask the owner of the service why it sends some',
  },
  {
    // Redirects are not followed: the key must be sent only to the configured address.
    status: [300, 399],
    code: 'API_REDIRECT',
    reach: 'workspace',
    advice: ({ configKey }) => `set ${configKey}.base_url to the API's own address`,
  },
  { status: 400, ...badRequest },
  { status: 422, ...badRequest },
  {
    status: 401,
    message: /\bmissing\b/i,
    code: 'API_KEY_MISSING',
    reach: 'workspace',
    advice: ({ configKey }) =>
      `the key was sent, so something on the way removes the Authorization header: check ${configKey}.base_url and the proxy`,
  },
  {
    status: 401,
    code: 'API_KEY_INVALID',
    reach: 'workspace',
    advice: ({ configKey, keyVariable }) =>
      `check ${keyVariable}: it must be a key of the workspace at ${configKey}.base_url, complete and without spaces`,
  },
  {
    status: 403,
    message: /\brevoked\b/i,
    code: 'API_KEY_REVOKED',
    reach: 'workspace',
    advice: newKey,
  },
  {
    status: 403,
    message: /\bexpired\b/i,
    code: 'API_KEY_EXPIRED',
    reach: 'workspace',
    advice: newKey,
  },
  {
    status: 403,
    message: /^invalid or unauthorized/i,
    code: 'API_KEY_DISABLED',
    reach: 'workspace',
    advice: ({ keyVariable }) =>
      `the key in ${keyVariable} is disabled: enable it in the workspace's settings (API Keys), or set another`,
  },
  {
    status: 403,
    message: /\binsufficient permissions\b/i,
    code: 'API_INSUFFICIENT_PERMISSIONS',
    reach: 'profile',
    advice: ({ keyVariable }) =>
      `give the key in ${keyVariable} the right to do this, or set another`,
  },
  {
    status: 403,
    message: /\binsufficient credits\b/i,
    code: 'API_INSUFFICIENT_CREDITS',
    reach: 'workspace',
    advice: () => 'add credits in the workspace, then run again',
  },
  {
    status: 403,
    message: /\busage exceeded\b/i,
    code: 'API_USAGE_EXCEEDED',
    reach: 'workspace',
    advice: () => "wait until the workspace's usage quota resets, or raise its plan",
  },
  {
    status: 403,
    message: /\bengagement\b/i,
    code: 'API_ENGAGEMENT_PROFILE',
    reach: 'profile',
    advice: ({ configKey }) =>
      `engagement profiles have no analytics: take the profile out of ${configKey}.profiles`,
  },
  {
    status: 403,
    code: 'API_FORBIDDEN',
    reach: 'profile',
    advice: ({ keyVariable, isWindow }) =>
      isWindow
        ? `check what the key in ${keyVariable} and this profile are allowed to do in the workspace (analytics need a profile that is not for engagement only)`
        : `check what the key in ${keyVariable} is allowed to do in the workspace`,
  },
  {
    status: 404,
    code: 'API_NOT_FOUND',
    reach: 'profile',
    advice: ({ configKey, keyVariable }) =>
      `it does not exist, was deleted, or belongs to a different workspace than the key in ${keyVariable}: check the id, and ${configKey}.base_url`,
  },
  { status: 408, ...serverError },
  {
    status: 413,
    code: 'API_RESPONSE_TOO_LARGE',
    advice: ({ isWindow }) =>
      isWindow
        ? 'read less at once (windows.size_days)'
        : 'check what the service sends at this address',
  },
  {
    status: 409,
    code: 'API_CONFLICT',
    advice: () => 'look at its current state in the workspace first',
  },
  {
    status: 429,
    code: 'API_TOO_MANY_REQUESTS',
    recovery: 'retry',
    reach: 'workspace',
    advice: (_, { waitMs }) => tryAgain(waitMs),
  },
  { status: [500, 599], ...serverError },
];
const unexpectedStatus = {
  code: 'API_UNEXPECTED_STATUS',
  recovery: 'abort' as const,
  advice: ({ configKey }: Call) => `check ${configKey}.base_url and the proxy`,
};

/** Returns the error for an answer that is not what was asked for, by its status. */
export function refusalError(call: Call, refusal: Refusal): ApiError {
  const { status, retryAfterMs } = refusal;
  const quote = (text: string) => clean(refusal.mask(text));
  const body = readErrorBody(refusal.text, quote);
  const said = body?.message ?? `HTTP ${status} without a message from the API`;
  const known = refusalKinds.find((kind) => isOfKind(kind, status, said));
  const kind: Omit<RefusalKind, 'status'> = known ?? unexpectedStatus;
  const waitMs = known?.recovery === 'retry' ? waitMsOf(status, said, retryAfterMs) : null;
  const fieldErrors = kind.code === badRequest.code ? (body?.fieldErrors ?? {}) : null;
  const hasFields = Object.keys(fieldErrors ?? {}).length > 0;
  return new ApiError(call, {
    code: kind.code,
    recovery: kind.recovery ?? 'fix-input',
    reach: kind.reach ?? 'call',
    status,
    problem: problemOf(kind.code, `${said} (${status})`, status, quote(pathOf(refusal.location))),
    advice: kind.advice(call, { hasFields, waitMs }),
    waitMs,
    ...(fieldErrors ? { fieldErrors } : {}),
  });
}

function isOfKind(kind: RefusalKind, status: number, message: string): boolean {
  const [first, last] = typeof kind.status === 'number' ? [kind.status, kind.status] : kind.status;
  return status >= first && status <= last && (kind.message?.test(message) ?? true);
}

function waitMsOf(status: number, said: string, retryAfterMs: number | null) {
  if (status !== 429) return retryAfterMs;
  const seconds = secondsUntilReset(said, retryAfterMs);
  return seconds === null ? null : seconds * 1000;
}

function problemOf(code: string, answered: string, status: number, location: string): string {
  if (status < 300) return `HTTP ${status} instead of 200`;
  if (code === unexpectedStatus.code) return `${answered}, a status that this API does not use`;
  if (code !== 'API_REDIRECT') return answered;
  return `the service redirects${location === '' ? '' : ` to ${location}`} (${status})`;
}

/** Drops the query, which may quote the key in an encoded form. */
function pathOf(location: string): string {
  return location.replace(/[?#].*$/su, '');
}

/** This schema is more tolerant than the API's document, since a gateway may have sent the answer. */
const readableErrorSchema = z.looseObject({
  message: z.string().catch(''),
  data: z
    .looseObject({ errors: z.record(z.string(), z.unknown()).optional().catch(undefined) })
    .nullish()
    .catch(null),
});

type Quote = (text: string) => string;

function readErrorBody(
  text: string,
  quote: Quote,
): { message: string | null; fieldErrors: FieldErrors } | null {
  try {
    const { message, data } = readableErrorSchema.parse(JSON.parse(text));
    return { message: quote(message) || null, fieldErrors: quoteFields(data?.errors ?? {}, quote) };
  } catch {
    return null;
  }
}

/** Quotes every field that can be shown, even if others do not have the documented form. */
function quoteFields(errors: Readonly<Record<string, unknown>>, quote: Quote): FieldErrors {
  const wordsOf = (problem: unknown) =>
    typeof problem === 'object' && problem !== null
      ? 'in a form that cannot be shown'
      : String(problem);
  return Object.fromEntries(
    Object.entries(errors).map(([field, problems]) => [
      quote(field),
      [problems].flat().map((problem) => quote(wordsOf(problem))),
    ]),
  );
}

const maxMessageLength = 300;

/** Returns a foreign text as one line of limited length. */
function clean(text: string): string {
  const line = stripTerminalControls(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).trim();
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
}
