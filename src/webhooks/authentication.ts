import { hash, timingSafeEqual } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Config, WebhooksConfig } from '../config/config.ts';
import { UnsetSecretError, type Secret } from '../config/secret.ts';
import { PostledgerError, UsageError } from '../core/errors.ts';
import { isLoopback } from '../core/loopback.ts';

/** The parts of a request that may carry a secret. */
export interface Credentials {
  readonly headers: Headers;
  /** The value of `token` in the query. */
  readonly queryToken: string | undefined;
}

/** Decides who may send events. If there are both tokens and signing secrets, a request needs one of each. */
export class Authentication {
  readonly #tokenDigests: readonly Buffer[];
  readonly #tokenHeader: string | null;
  readonly #webhooks: readonly Webhook[];

  /**
   * @param isOptional true if no events are received without a secret
   * @throws UnsetSecretError
   * @throws UsageError for a secret that no request could match, or for a host beyond loopback without a secret
   */
  constructor({ tokens, tokenHeader, signingSecrets, host }: WebhooksConfig, isOptional = false) {
    this.#tokenDigests = tokens.map((token) => digest(readToken(token)));
    this.#tokenHeader = tokenHeader;
    this.#webhooks = signingSecrets.map(readSigningSecret);
    if (this.isOpen && !isOptional && !isLoopback(host)) {
      throw new UsageError(
        `the receiver does not listen on ${host} without authentication, since anyone could send events; set webhooks.token or webhooks.signing_secret in jobs.yaml, or listen on 127.0.0.1`,
      );
    }
  }

  /** True if anyone who reaches the receiver may send events. */
  get isOpen(): boolean {
    return this.#tokenDigests.length === 0 && this.#webhooks.length === 0;
  }

  /** A description for the log, without the secrets. */
  get description(): string {
    if (this.isOpen) return 'nothing: anyone who reaches it can send events';
    if (this.#webhooks.length === 0) return 'a token';
    return this.#tokenDigests.length === 0 ? 'a signature' : 'a token and a signature';
  }

  /** True if the request has a valid token. It compares all digests, which have one length, in constant time. */
  hasToken({ headers, queryToken = '' }: Credentials): boolean {
    if (this.#tokenDigests.length === 0) return true;
    const header = this.#tokenHeader === null ? '' : (headers.get(this.#tokenHeader) ?? '');
    const authorization = headers.get('authorization') ?? '';
    const candidates = [
      ...(bearer.test(authorization) ? [authorization.replace(bearer, '')] : []),
      header.replace(bearer, ''),
      queryToken,
      // A plus sign in a query is decoded as a space, which no token contains.
      queryToken.replaceAll(' ', '+'),
    ].map(digest);
    const matches = candidates.flatMap((candidate) =>
      this.#tokenDigests.filter((right) => timingSafeEqual(candidate, right)),
    );
    return matches.length > 0;
  }

  /** Checks the signature of Standard Webhooks. @returns the problem, for the log, or null if the signature is valid */
  signatureProblem(body: Buffer, headers: Headers): string | null {
    if (this.#webhooks.length === 0) return null;
    const problems = this.#webhooks.map((webhook) => verify(webhook, body, headers));
    return problems.includes(null) ? null : (problems[0] ?? null);
  }
}

/** Lists the unset and invalid secrets, for `check`. The receiver does not start with any of them. */
export function secretProblems({ tokens, signingSecrets }: WebhooksConfig): PostledgerError[] {
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
      return [error];
    }
  });
}

/**
 * Finds unset secrets. These are no mistake of the file, since the receiver may have an environment of its own.
 * @throws UsageError for secrets that cannot be used
 */
export function receiverDoubts({ webhooks }: Config): string[] {
  const problems = webhooks ? secretProblems(webhooks) : [];
  const isUnset = (problem: Error) => problem instanceof UnsetSecretError;
  const invalid = problems.filter((problem) => !isUnset(problem));
  if (invalid.length > 0) throw new UsageError(invalid.map(({ message }) => message).join('\n  '));
  return problems.map(({ message }) => `${message}; as it is now, webhooks serve refuses to start`);
}

const bearer = /^bearer +/i;
/** The length that Standard Webhooks asks for, in bytes. One that was cut off when it was copied is shorter. */
const secretBytes = { least: 24, most: 64 };

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function readToken(token: Secret): string {
  const text = token.reveal();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new UsageError(
    `${token.origin}: the environment variable ${token.variable} holds a token that no request can carry; set one of printable ASCII characters without spaces, for example from: openssl rand -hex 32`,
  );
}

/** Reads a signing secret. The library's own messages are dropped, since they could quote it. */
function readSigningSecret(secret: Secret): Webhook {
  const text = secret.reveal();
  const problem = `${secret.origin}: the environment variable ${secret.variable} holds`;
  const form = 'it must be whsec_ followed by Base64, as the sender shows it';
  const { length } = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  const webhook = createWebhook(text);
  if (webhook === null) {
    throw new UsageError(`${problem} an invalid signing secret of Standard Webhooks; ${form}`);
  }
  if (length >= secretBytes.least && length <= secretBytes.most) return webhook;
  throw new UsageError(
    `${problem} a signing secret of ${length} bytes instead of ${secretBytes.least} to ${secretBytes.most}; ${form}`,
  );
}

function createWebhook(secret: string): Webhook | null {
  try {
    return new Webhook(secret);
  } catch {
    return null;
  }
}

function verify(webhook: Webhook, body: Buffer, headers: Headers): string | null {
  try {
    webhook.verify(body, signatureHeaders(headers), { jsonParse: false });
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
}

/** Svix, whose signatures became the standard, sends them under its own name. */
function signatureHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    ['id', 'timestamp', 'signature'].map((name) => [
      `webhook-${name}`,
      headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`) ?? '',
    ]),
  );
}
