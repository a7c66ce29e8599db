import { formatDistanceStrict } from 'date-fns';
import type { MiddlewareHandler } from 'hono';
import type { HTTPException } from 'hono/http-exception';
import { sandboxKeys, type KeyOutcome } from './identity.ts';
import { refusal } from './refusal.ts';

export interface KeyRing {
  readonly seed: number;
  /** When the revoked key was revoked. */
  readonly revokedAt: Date;
  now(): Date;
}

/** Lets the valid key pass, and answers every other one as "Authentication failures" of the API says. */
export function authenticate(ring: KeyRing): MiddlewareHandler {
  const outcomes = new Map<string, KeyOutcome>(
    Object.entries(sandboxKeys(ring.seed)).map(([outcome, key]) => [key, outcome as KeyOutcome]),
  );
  return async (context, next) => {
    const key = bearerToken(context.req.header('authorization'));
    if (key === null) throw refusal(401, 'UNAUTHORIZED', 'Missing bearer token');
    const failure = authenticationFailure(outcomes.get(key) ?? 'unknown', ring);
    if (failure) throw failure;
    await next();
  };
}

function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}

function authenticationFailure(
  outcome: KeyOutcome | 'unknown',
  ring: KeyRing,
): HTTPException | null {
  switch (outcome) {
    case 'valid':
      return null;
    case 'unknown':
      return refusal(401, 'UNAUTHORIZED', 'Invalid or unauthorized API key');
    case 'revoked': {
      const duration = formatDistanceStrict(ring.revokedAt, ring.now());
      return forbidden(`API key was revoked ${duration} ago`);
    }
    case 'expired':
      return forbidden('API key is expired');
    case 'disabled':
      return forbidden('Invalid or unauthorized API key');
    case 'insufficient_permissions':
      return forbidden('Insufficient permissions');
    case 'insufficient_credits':
      return forbidden('Insufficient credits');
    case 'usage_exceeded':
      return forbidden('Usage exceeded');
  }
}

function forbidden(message: string): HTTPException {
  return refusal(403, 'FORBIDDEN', message);
}
