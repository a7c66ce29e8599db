import { z } from 'zod';
import { stripTerminalControls } from '../core/terminal-text.ts';
import { ApiError, FieldError, type Call, type Failure } from './api-error.ts';
import { retryAfterMs, secondsUntilReset } from './retry-timing.ts';
import type { FieldErrors } from './schemas/error.ts';

/** An answer whose status is not 2xx. */
export interface Refusal {
  readonly status: number;
  /** The whole body, or what came of it. */
  readonly text: string;
  readonly retryAfter: string | undefined;
  /** Empty for none. */
  readonly location: string;
  /** Takes out what must not be shown. */
  readonly mask: (text: string) => string;
}

/** How a refusal is reported: the rest of the failure is the service's own words. */
type Reading = Pick<Failure, 'code' | 'advice' | 'reach'>;

type ForbiddenReading = (call: Call) => Reading;

/** The 403s have one code; only their messages tell them apart (specification, "Authentication"). */
const forbiddenMessages: readonly (readonly [RegExp, ForbiddenReading])[] = [
  [/\brevoked\b/i, (call) => newKey('API_KEY_REVOKED', call)],
  [/\bexpired\b/i, (call) => newKey('API_KEY_EXPIRED', call)],
  [
    /^invalid or unauthorized/i,
    (call) => ({
      code: 'API_KEY_DISABLED',
      reach: 'workspace',
      advice: `the key in ${call.keyVariable} is disabled: enable it in the workspace's settings (API Keys), or set another`,
    }),
  ],
  [
    /\binsufficient permissions\b/i,
    (call) => ({
      code: 'API_INSUFFICIENT_PERMISSIONS',
      reach: 'profile',
      advice: `give the key in ${call.keyVariable} the right to do this, or set another`,
    }),
  ],
  [
    /\binsufficient credits\b/i,
    () => ({
      code: 'API_INSUFFICIENT_CREDITS',
      reach: 'workspace',
      advice: 'add credits in the workspace, then run again',
    }),
  ],
  [
    /\busage exceeded\b/i,
    () => ({
      code: 'API_USAGE_EXCEEDED',
      reach: 'workspace',
      advice: "wait until the workspace's usage starts anew, or raise its plan",
    }),
  ],
  [
    /\bengagement\b/i,
    (call) => ({
      code: 'API_ENGAGEMENT_PROFILE',
      reach: 'profile',
      advice: `engagement profiles have no analytics: take the profile out of ${call.place}.profiles`,
    }),
  ],
];

function newKey(code: string, call: Call): Reading {
  const advice = `create a new key in the workspace's settings (API Keys) and set it as ${call.keyVariable}`;
  return { code, reach: 'workspace', advice };
}

function readForbidden(call: Call, said: string): Reading {
  const known = forbiddenMessages.find(([pattern]) => pattern.test(said));
  if (known) return known[1](call);
  const hint = call.isWindow
    ? ' and this profile are allowed in the workspace (analytics need a profile that is not for engagement only)'
    : ' is allowed in the workspace';
  const advice = `see what the key in ${call.keyVariable}${hint}`;
  return { code: 'API_FORBIDDEN', reach: 'profile', advice };
}

function readUnauthorized(call: Call, said: string): Reading {
  const isMissing = /\bmissing\b/i.test(said);
  return {
    code: isMissing ? 'API_KEY_MISSING' : 'API_KEY_INVALID',
    reach: 'workspace',
    advice: isMissing
      ? `the key was sent, so something on the way takes the Authorization header away: check ${call.place}.base_url and the proxy`
      : `check ${call.keyVariable}: it must be a key of the workspace at ${call.place}.base_url, whole and without blanks`,
  };
}

/** More tolerant than the API's document: what answers may be a gateway. */
const readableErrorSchema = z.looseObject({
  message: z.string().catch(''),
  data: z
    .looseObject({ errors: z.record(z.string(), z.unknown()).optional().catch(undefined) })
    .nullish()
    .catch(null),
});

/** The longest part of a foreign message that is passed on. */
const longestMessage = 300;

/**
 * The error of an answer whose status is not 2xx.
 * @param now the wall clock, for a Retry-After that names a date
 */
export function refusalError(call: Call, refusal: Refusal, now: Date): ApiError {
  const { status, retryAfter } = refusal;
  const quote = (text: string) => clean(refusal.mask(text));
  // without its query, which may quote the key in other characters
  if (status < 400) return redirect(call, status, quote(refusal.location.replace(/[?#].*$/su, '')));
  const body = readErrorBody(refusal.text, quote);
  const said = body?.message ?? `HTTP ${status} without a message of the API`;
  const problem = `${said} (${status})`;
  const fail = (reading: Reading) =>
    new ApiError(call, { recovery: 'fix-input', status, problem, ...reading });
  if (status >= 500 || status === 408) {
    return serverError(call, status, problem, retryAfterMs(retryAfter, now));
  }
  switch (status) {
    case 400:
    case 422:
      return badRequest(call, status, problem, body?.fieldErrors ?? {});
    case 401:
      return fail(readUnauthorized(call, said));
    case 403:
      return fail(readForbidden(call, said));
    case 404:
      return fail({
        code: 'API_NOT_FOUND',
        reach: 'profile',
        advice: `it does not exist, was deleted, or belongs to another workspace than the key in ${call.keyVariable}: check the id, and ${call.place}.base_url`,
      });
    case 409:
      return fail({
        code: 'API_CONFLICT',
        advice: 'look at its present state in the workspace first',
      });
    case 429:
      return tooManyRequests(call, problem, secondsUntilReset(said, retryAfter, now));
    default:
      return new ApiError(call, {
        code: 'API_UNEXPECTED_STATUS',
        recovery: 'abort',
        status,
        problem: `${problem}, which this API never answers`,
        advice: `check ${call.place}.base_url and the proxy`,
      });
  }
}

/** Not followed: the key must go only to the configured address. */
function redirect(call: Call, status: number, location: string): ApiError {
  const target = location === '' ? '' : ` to ${location}`;
  return new ApiError(call, {
    code: 'API_REDIRECT',
    recovery: 'fix-input',
    status,
    problem: `the service redirects${target} (${status})`,
    advice: `set ${call.place}.base_url to the API's own address`,
    reach: 'workspace',
  });
}

/** 5xx, or a gateway that gave up waiting. */
function serverError(call: Call, status: number, problem: string, waitMs: number | null): ApiError {
  const when = waitMs === null ? 'later' : `in ${Math.ceil(waitMs / 1000)} s`;
  const advice = `the service has a problem, try again ${when}`;
  return new ApiError(call, {
    code: 'API_SERVER_ERROR',
    recovery: 'retry',
    status,
    problem,
    advice,
    waitMs,
  });
}

function badRequest(
  call: Call,
  status: number,
  problem: string,
  fieldErrors: FieldErrors,
): FieldError {
  const hasFields = Object.keys(fieldErrors).length > 0;
  const advice = hasFields ? 'correct this and try again' : 'see what the API expects here';
  return new FieldError(call, { code: 'API_BAD_REQUEST', status, problem, advice }, fieldErrors);
}

/** The workspace's quota is used up, by whomever. @param seconds until it resets; null when unknown */
function tooManyRequests(call: Call, problem: string, seconds: number | null): ApiError {
  return new ApiError(call, {
    code: 'API_TOO_MANY_REQUESTS',
    recovery: 'retry',
    status: 429,
    problem,
    advice: `try again ${seconds === null ? 'later' : `in ${seconds} s`}`,
    reach: 'workspace',
    waitMs: seconds === null ? null : seconds * 1000,
  });
}

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
  return Object.fromEntries(
    Object.entries(errors).map(([field, problems]) => [
      quote(field),
      [problems].flat().map((problem) => quote(wordsOf(problem))),
    ]),
  );
}

function wordsOf(problem: unknown): string {
  if (typeof problem === 'object' && problem !== null) return 'in a form that cannot be shown';
  return String(problem);
}

/** A foreign text on one line of reasonable length. */
function clean(text: string): string {
  const line = stripTerminalControls(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}
