import { z } from 'zod';
import { stripTerminalControls } from '../../core/terminal-text.ts';
import type { FieldErrors } from '../schemas/error.ts';
import { retryAfterMs, secondsUntilReset } from '../retry-timing.ts';
import {
  DisabledKeyError,
  EngagementProfileError,
  ExpiredKeyError,
  ForbiddenError,
  InsufficientCreditsError,
  InsufficientPermissionsError,
  InvalidKeyError,
  MissingKeyError,
  RevokedKeyError,
  UsageExceededError,
} from './access-errors.ts';
import {
  BadRequestError,
  ConflictError,
  NotFoundError,
  RedirectError,
  ServerError,
  TooManyRequestsError,
  UnexpectedStatusError,
} from './answer-errors.ts';
import type { ApiError, Call } from './api-error.ts';

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

type RefusalClass = new (call: Call, status: number, said: string) => ApiError;

/** The 403s have one code; only their messages tell them apart (specification, "Authentication"). */
const forbiddenMessages: readonly (readonly [RegExp, RefusalClass])[] = [
  [/\brevoked\b/i, RevokedKeyError],
  [/\bexpired\b/i, ExpiredKeyError],
  [/^invalid or unauthorized/i, DisabledKeyError],
  [/\binsufficient permissions\b/i, InsufficientPermissionsError],
  [/\binsufficient credits\b/i, InsufficientCreditsError],
  [/\busage exceeded\b/i, UsageExceededError],
  [/\bengagement\b/i, EngagementProfileError],
];

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
 * The typed error of an answer whose status is not 2xx.
 * @param now the wall clock, for a Retry-After that names a date
 */
export function refusalError(call: Call, refusal: Refusal, now: Date): ApiError {
  const { status } = refusal;
  const quote = (text: string) => clean(refusal.mask(text));
  const body = readErrorBody(refusal.text, quote);
  const said = body?.message ?? `HTTP ${status} without a message of the API`;
  if (status < 400) {
    // without its query, which may quote the key in other characters
    return new RedirectError(call, status, quote(refusal.location.replace(/[?#].*$/su, '')));
  }
  if (status >= 500 || status === 408) {
    return new ServerError(call, status, said, retryAfterMs(refusal.retryAfter, now));
  }
  switch (status) {
    case 400:
    case 422:
      return new BadRequestError(call, status, said, body?.fieldErrors ?? {});
    case 401:
      return new (/\bmissing\b/i.test(said) ? MissingKeyError : InvalidKeyError)(
        call,
        status,
        said,
      );
    case 403:
      return new (forbiddenClass(said))(call, status, said);
    case 404:
      return new NotFoundError(call, status, said);
    case 409:
      return new ConflictError(call, status, said);
    case 429:
      return new TooManyRequestsError(
        call,
        status,
        said,
        secondsUntilReset(said, refusal.retryAfter, now),
      );
    default:
      return new UnexpectedStatusError(call, status, said);
  }
}

function forbiddenClass(said: string): RefusalClass {
  return forbiddenMessages.find(([pattern]) => pattern.test(said))?.[1] ?? ForbiddenError;
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
