import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';
import type { MiddlewareHandler } from 'hono';
import { refusals, type Refusal } from '../api/schemas/refusals.ts';
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
    if (key === null) throw refusal(refusals.missingKey);
    const reason = keyRefusal(outcomes.get(key) ?? 'unknown', ring);
    if (reason) throw refusal(reason);
    await next();
  };
}

function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}

function keyRefusal(outcome: KeyOutcome | 'unknown', ring: KeyRing): Refusal | null {
  switch (outcome) {
    case 'valid':
      return null;
    case 'unknown':
      return refusals.unknownKey;
    case 'revoked':
      return refusals.revokedKey(formatDistanceStrict(ring.revokedAt, ring.now()));
    case 'expired':
      return refusals.expiredKey;
    case 'disabled':
      return refusals.disabledKey;
    case 'insufficient_permissions':
      return refusals.insufficientPermissions;
    case 'insufficient_credits':
      return refusals.insufficientCredits;
    case 'usage_exceeded':
      return refusals.usageExceeded;
  }
}
