import type { WebhooksConfig } from '../../config/config.ts';
import { PostledgerError, UsageError } from '../../core/errors.ts';
import { isLoopback } from '../../core/loopback.ts';
import { SignatureCheck } from './signature-check.ts';
import { TokenCheck } from './token-check.ts';

/** What proves that a sender may send; where both are there, both must hold. */
export interface Authentication {
  readonly tokens: TokenCheck | null;
  readonly signatures: SignatureCheck | null;
}

/**
 * @throws UnsetSecretError
 * @throws UsageError for a signing secret that is none, or a host beyond loopback where nothing authenticates
 */
export function readAuthentication(webhooks: WebhooksConfig): Authentication {
  const { tokens, tokenHeader, signingSecrets, host } = webhooks;
  const isOpen = tokens.length === 0 && signingSecrets.length === 0;
  if (isOpen && !isLoopback(host)) {
    throw new UsageError(
      `the receiver does not listen on ${host} without authentication, since everybody could send it events; set webhooks.token or webhooks.signing_secret in jobs.yaml, or listen on 127.0.0.1`,
    );
  }
  return {
    tokens: tokens.length === 0 ? null : new TokenCheck(tokens, tokenHeader),
    signatures: signingSecrets.length === 0 ? null : new SignatureCheck(signingSecrets),
  };
}

/** For the log, without the secrets. */
export function describeAuthentication({ tokens, signatures }: Authentication): string {
  if (tokens && signatures) return 'a token and a signature';
  if (tokens) return 'a token';
  return signatures ? 'a signature' : 'nothing: whoever reaches it can send events';
}

/** What is wrong with each secret that is named: with any, a receiver would not start. */
export function secretProblems({ tokens, signingSecrets }: WebhooksConfig): string[] {
  const attempts = [
    ...tokens.map((token) => () => new TokenCheck([token], null)),
    ...signingSecrets.map((secret) => () => new SignatureCheck([secret])),
  ];
  return attempts.flatMap((attempt) => messageOf(attempt) ?? []);
}

function messageOf(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (!(error instanceof PostledgerError)) throw error;
    return error.message;
  }
}
