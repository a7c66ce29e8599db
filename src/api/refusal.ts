import { z } from 'zod';
import type { Recovery } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { ApiError, type Call, type Reach } from './api-error.ts';
import { retryAfterMs, secondsUntilReset } from './retry-timing.ts';
import type { FieldErrors } from './schemas/error.ts';

/** An answer whose status is not 2xx. */
interface Refusal {
  readonly status: number;
  /** The whole body, or what came of it. */
  readonly text: string;
  readonly retryAfter: string | undefined;
  /** Empty for none. */
  readonly location: string;
  /** Takes out what must not be shown. */
  readonly mask: (text: string) => string;
}

/** How refusals are reported beside the service's own words. */
interface RefusalKind {
  /** The statuses that mean this: one, or from the first to the last. */
  readonly status: number | readonly [number, number];
  /** What the message says: the 403s have one code, and only their messages tell them apart. */
  readonly said?: RegExp;
  readonly code: string;
  /** `fix-input` where it is not given. */
  readonly recovery?: Recovery;
  /** `call` where it is not given. */
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
    hasFields ? 'correct this and try again' : 'see what the API expects here',
};
const serverError = {
  code: 'API_SERVER_ERROR',
  recovery: 'retry',
  advice: (_: Call, { waitMs }: { waitMs: number | null }) =>
    `the service has a problem, ${tryAgain(waitMs)}`,
} as const;

/** The first that fits counts (specification, "Errors" and "Authentication failures"). */
const refusalKinds: readonly RefusalKind[] = [
  {
    // not followed: the key must go only to the configured address
    status: [300, 399],
    code: 'API_REDIRECT',
    reach: 'workspace',
    advice: ({ place }) => `set ${place}.base_url to the API's own address`,
  },
  { status: 400, ...badRequest },
  { status: 422, ...badRequest },
  {
    status: 401,
    said: /\bmissing\b/i,
    code: 'API_KEY_MISSING',
    reach: 'workspace',
    advice: ({ place }) =>
      `the key was sent, so something on the way takes the Authorization header away: check ${place}.base_url and the proxy`,
  },
  {
    status: 401,
    code: 'API_KEY_INVALID',
    reach: 'workspace',
    advice: ({ place, keyVariable }) =>
      `check ${keyVariable}: it must be a key of the workspace at ${place}.base_url, whole and without blanks`,
  },
  {
    status: 403,
    said: /\brevoked\b/i,
    code: 'API_KEY_REVOKED',
    reach: 'workspace',
    advice: newKey,
  },
  {
    status: 403,
    said: /\bexpired\b/i,
    code: 'API_KEY_EXPIRED',
    reach: 'workspace',
    advice: newKey,
  },
  {
    status: 403,
    said: /^invalid or unauthorized/i,
    code: 'API_KEY_DISABLED',
    reach: 'workspace',
    advice: ({ keyVariable }) =>
      `the key in ${keyVariable} is disabled: enable it in the workspace's settings (API Keys), or set another`,
  },
  {
    status: 403,
    said: /\binsufficient permissions\b/i,
    code: 'API_INSUFFICIENT_PERMISSIONS',
    reach: 'profile',
    advice: ({ keyVariable }) =>
      `give the key in ${keyVariable} the right to do this, or set another`,
  },
  {
    status: 403,
    said: /\binsufficient credits\b/i,
    code: 'API_INSUFFICIENT_CREDITS',
    reach: 'workspace',
    advice: () => 'add credits in the workspace, then run again',
  },
  {
    status: 403,
    said: /\busage exceeded\b/i,
    code: 'API_USAGE_EXCEEDED',
    reach: 'workspace',
    advice: () => "wait until the workspace's usage quota resets, or raise its plan",
  },
  {
    status: 403,
    said: /\bengagement\b/i,
    code: 'API_ENGAGEMENT_PROFILE',
    reach: 'profile',
    advice: ({ place }) =>
      `engagement profiles have no analytics: take the profile out of ${place}.profiles`,
  },
  {
    status: 403,
    code: 'API_FORBIDDEN',
    reach: 'profile',
    advice: ({ keyVariable, isWindow }) =>
      isWindow
        ? `see what the key in ${keyVariable} and this profile are allowed in the workspace (analytics need a profile that is not for engagement only)`
        : `see what the key in ${keyVariable} is allowed in the workspace`,
  },
  {
    status: 404,
    code: 'API_NOT_FOUND',
    reach: 'profile',
    advice: ({ place, keyVariable }) =>
      `it does not exist, was deleted, or belongs to another workspace than the key in ${keyVariable}: check the id, and ${place}.base_url`,
  },
  { status: 408, ...serverError },
  {
    status: 409,
    code: 'API_CONFLICT',
    advice: () => 'look at its present state in the workspace first',
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
  advice: ({ place }: Call) => `check ${place}.base_url and the proxy`,
};

/**
 * The error of an answer whose status is not 2xx.
 * @param now the wall clock, for a Retry-After that names a date
 */
export function refusalError(call: Call, refusal: Refusal, now: Date): ApiError {
  const { status, retryAfter } = refusal;
  const quote = (text: string) => clean(refusal.mask(text));
  const body = readErrorBody(refusal.text, quote);
  const said = body?.message ?? `HTTP ${status} without a message of the API`;
  const known = refusalKinds.find((kind) => isOfKind(kind, status, said));
  const kind: Omit<RefusalKind, 'status'> = known ?? unexpectedStatus;
  const waitMs = known?.recovery === 'retry' ? waitMsOf(status, said, retryAfter, now) : null;
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
  return status >= first && status <= last && (kind.said?.test(message) ?? true);
}

function waitMsOf(status: number, said: string, retryAfter: string | undefined, now: Date) {
  if (status !== 429) return retryAfterMs(retryAfter, now);
  const seconds = secondsUntilReset(said, retryAfter, now);
  return seconds === null ? null : seconds * 1000;
}

function problemOf(code: string, answered: string, status: number, location: string): string {
  if (code === unexpectedStatus.code) return `${answered}, which this API never answers`;
  if (code !== 'API_REDIRECT') return answered;
  return `the service redirects${location === '' ? '' : ` to ${location}`} (${status})`;
}

/** Without its query, which may quote the key in other characters. */
function pathOf(location: string): string {
  return location.replace(/[?#].*$/su, '');
}

/** More tolerant than the API's document: what answers may be a gateway. */
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

/** One field of another form than documented must not cost the others. */
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

/** The longest part of a foreign message that is passed on. */
const longestMessage = 300;

/** A foreign text on one line of reasonable length. */
function clean(text: string): string {
  const line = stripTerminalControls(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}
