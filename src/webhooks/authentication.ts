import { hash, timingSafeEqual } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { WebhooksConfig } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import { PostledgerError, UsageError } from '../core/errors.ts';
import { isLoopback } from '../core/loopback.ts';

/** What of a request may carry a secret. */
export interface Credentials {
  readonly headers: Headers;
  /** The query's `token`. */
  readonly queryToken: string | undefined;
}

/** Who may send events. Where there are tokens and signing secrets, one of each must hold. */
export class Authentication {
  readonly #tokenDigests: readonly Buffer[];
  readonly #tokenHeader: string | null;
  readonly #webhooks: readonly Webhook[];

  /**
   * @throws UnsetSecretError
   * @throws UsageError for a secret that no request could match, or a host beyond loopback without any
   */
  constructor({ tokens, tokenHeader, signingSecrets, host }: WebhooksConfig) {
    this.#tokenDigests = tokens.map((token) => digest(readToken(token)));
    this.#tokenHeader = tokenHeader;
    this.#webhooks = signingSecrets.map(readSigningSecret);
    if (this.isOpen && !isLoopback(host)) {
      throw new UsageError(
        `the receiver does not listen on ${host} without authentication, since everybody could send it events; set webhooks.token or webhooks.signing_secret in jobs.yaml, or listen on 127.0.0.1`,
      );
    }
  }

  /** Whether anybody may send who reaches the receiver. */
  get isOpen(): boolean {
    return this.#tokenDigests.length === 0 && this.#webhooks.length === 0;
  }

  /** For the log, without the secrets. */
  get description(): string {
    if (this.isOpen) return 'nothing: whoever reaches it can send events';
    if (this.#webhooks.length === 0) return 'a token';
    return this.#tokenDigests.length === 0 ? 'a signature' : 'a token and a signature';
  }

  /** Compares in constant time: digests have one length, and all of them are compared. */
  hasToken({ headers, queryToken = '' }: Credentials): boolean {
    if (this.#tokenDigests.length === 0) return true;
    const header = this.#tokenHeader === null ? '' : (headers.get(this.#tokenHeader) ?? '');
    const authorization = headers.get('authorization') ?? '';
    const candidates = [
      ...(bearer.test(authorization) ? [authorization.replace(bearer, '')] : []),
      header.replace(bearer, ''),
      queryToken,
      // a plus sign in a query stands for a space, which no token has
      queryToken.replaceAll(' ', '+'),
    ].map(digest);
    const matches = candidates.flatMap((candidate) =>
      this.#tokenDigests.filter((right) => timingSafeEqual(candidate, right)),
    );
    return matches.length > 0;
  }

  /** @returns what is wrong with the signature of Standard Webhooks, for the log; null when nothing is */
  signatureProblem(body: Buffer, headers: Headers): string | null {
    if (this.#webhooks.length === 0) return null;
    const problems = this.#webhooks.map((webhook) => verify(webhook, body, headers));
    return problems.includes(null) ? null : (problems[0] ?? null);
  }
}

/** What is wrong with each secret, for `check`: with any, a receiver does not start. */
export function secretProblems({ tokens, signingSecrets }: WebhooksConfig): string[] {
  const attempts = [
    ...tokens.map((token) => () => readToken(token)),
    ...signingSecrets.map((secret) => () => readSigningSecret(secret)),
  ];
  return attempts.flatMap((attempt) => {
    try {
      attempt();
      return [];
    } catch (error) {
      if (!(error instanceof PostledgerError)) throw error;
      return [error.message];
    }
  });
}

const bearer = /^bearer +/i;
/** Standard Webhooks has 24 to 64; fewer than 16 may be guessed. */
const minSecretBytes = 16;

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function readToken(token: Secret): string {
  const text = token.reveal();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new UsageError(
    `${token.place}: the environment variable ${token.variable} holds a token that no request can carry; set one of printable ASCII characters without blanks, for example from: openssl rand -hex 32`,
  );
}

/** Messages of the library are left out, as they could quote the secret. */
function readSigningSecret(secret: Secret): Webhook {
  const text = secret.reveal();
  const place = `${secret.place}: the environment variable ${secret.variable} holds`;
  const form = 'it is whsec_ and Base64, as the sender shows it';
  if (Buffer.from(text.replace(/^whsec_/, ''), 'base64').length < minSecretBytes) {
    throw new UsageError(
      `${place} a signing secret of fewer than ${minSecretBytes} bytes; ${form}`,
    );
  }
  try {
    return new Webhook(text);
  } catch {
    throw new UsageError(`${place} no signing secret of Standard Webhooks; ${form}`);
  }
}

function verify(webhook: Webhook, body: Buffer, headers: Headers): string | null {
  try {
    webhook.verify(body, Object.fromEntries(headers), { jsonParse: false });
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
}
