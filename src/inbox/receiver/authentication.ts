import { BlockList, isIP } from 'node:net';
import type { WebhooksConfig } from '../../config/config.ts';
import { UsageError } from '../../core/errors.ts';
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

function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const version = isIP(name);
  if (version === 0) return name === 'localhost';
  return loopback.check(name, version === 4 ? 'ipv4' : 'ipv6');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
