import { hash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../config/secret.ts';
import { UsageError } from '../../core/errors.ts';
import { headerValues } from './header-values.ts';

/** Where a token can stand. */
export interface TokenPlaces {
  readonly rawHeaders: readonly string[];
  /** Of the request line, without its question mark. */
  readonly query: string;
}

/** More than any sender needs; each costs a hash. */
const mostCandidates = 8;
const bearer = /^bearer +/i;

/** Whether a request carries one of the configured tokens, at any place where one may stand. */
export class TokenCheck {
  readonly #digests: readonly Buffer[];
  readonly #header: string | null;

  /**
   * @param tokenHeader carries a token besides Authorization
   * @throws UnsetSecretError
   * @throws UsageError which names the place of a token that nobody can send
   */
  constructor(tokens: readonly Secret[], tokenHeader: string | null) {
    this.#digests = tokens.map((token) => digest(Buffer.from(sendableText(token))));
    this.#header = tokenHeader?.toLowerCase() ?? null;
  }

  /**
   * Takes the same time whichever token or place is the right one: digests are of one length, and all
   * are compared.
   */
  holds(places: TokenPlaces): boolean {
    let hits = 0;
    for (const candidate of this.#candidates(places)) {
      const given = digest(candidate);
      for (const right of this.#digests) hits += Number(timingSafeEqual(given, right));
    }
    return hits > 0;
  }

  #candidates({ rawHeaders, query }: TokenPlaces): Buffer[] {
    const authorization = headerValues(rawHeaders, 'authorization').filter(isBearer);
    const own = this.#header === null ? [] : headerValues(rawHeaders, this.#header);
    // bytes as they came: Node reads them as Latin-1
    const headers = [...authorization.map(withoutScheme), ...own.flatMap(withAndWithoutScheme)];
    const candidates = headers.map((value) => Buffer.from(value, 'latin1'));
    return [...candidates, ...queryTokens(query)].slice(0, mostCandidates);
  }
}

/** Headers lose outer blanks on their way, and carry no control characters. */
function sendableText(token: Secret): string {
  const text = token.reveal();
  if (!/^\s|\s$|\p{Cc}/u.test(text)) return text;
  throw new UsageError(
    `${token.place}: the environment variable ${token.variable} holds a token that begins or ends with a blank, or has a control character in it such as a line feed, so that no request can carry it; set it without`,
  );
}

function isBearer(value: string): boolean {
  return bearer.test(value);
}

function withoutScheme(value: string): string {
  return value.replace(bearer, '');
}

function withAndWithoutScheme(value: string): string[] {
  return isBearer(value) ? [value, withoutScheme(value)] : [value];
}

/** A plus sign is a space in a query, and a plus sign in tokens that were pasted into one. */
function queryTokens(query: string): Buffer[] {
  if (!query.includes('token=')) return [];
  const tokens = [query, query.replaceAll('+', '%2B')].flatMap((text) =>
    new URLSearchParams(text).getAll('token'),
  );
  return [...new Set(tokens)].map((token) => Buffer.from(token));
}

function digest(token: Buffer): Buffer {
  return hash('sha256', token, 'buffer');
}
