import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';
import type { MiddlewareHandler } from 'hono';
import { refusals, type Refusal } from '../api/schemas/refusals.ts';
import { dayMs } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { sandboxKeys, type KeyOutcome } from './identity.ts';
import { refusal } from './request.ts';
import type { SandboxClock } from './sandbox-clock.ts';

const revokedBeforeStartMs = 3 * dayMs;

/**
 * Lets the valid key pass, and answers every other key as the API documents under "Authentication failures".
 * @param clock the clock of the sandbox
 */
export function authenticate(seed: number, clock: SandboxClock): MiddlewareHandler {
  const revokedAt = new Date(clock.now().getTime() - revokedBeforeStartMs);
  const outcomes = new Map<string, KeyOutcome>(
    Object.entries(sandboxKeys(seed)).map(([outcome, key]) => [key, outcome as KeyOutcome]),
  );
  return async (context, next) => {
    const key = bearerToken(context.req.header('authorization'));
    if (key === null) throw refusal(refusals.missingKey);
    const outcome = outcomes.get(key);
    if (outcome === undefined) throw refusal(refusals.unknownKey);
    if (outcome !== 'valid') {
      throw refusal(keyRefusals(formatDistanceStrict(revokedAt, clock.now()))[outcome]);
    }
    await next();
  };
}

function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}

function keyRefusals(sinceRevocation: string): Record<Exclude<KeyOutcome, 'valid'>, Refusal> {
  return {
    revoked: refusals.revokedKey(sinceRevocation),
    expired: refusals.expiredKey,
    disabled: refusals.disabledKey,
    insufficient_permissions: refusals.insufficientPermissions,
    insufficient_credits: refusals.insufficientCredits,
    usage_exceeded: refusals.usageExceeded,
  };
}

export interface RequestLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

/**
 * Accepts at most `requests` requests in any interval of `perSeconds`. Every request with a valid key counts, whatever its
 * answer, except those that are refused here. The limit uses the machine's monotonic time, so that moving the sandbox's
 * clock changes no quota.
 */
export function limitRequests(limit: RequestLimit, clock: Clock): MiddlewareHandler {
  const windowMs = limit.perSeconds * 1000;
  let acceptedAtMs: number[] = [];
  return async (_context, next) => {
    const nowMs = clock.monotonicMs();
    acceptedAtMs = acceptedAtMs.filter((atMs) => nowMs - atMs < windowMs);
    const oldestMs = acceptedAtMs[0];
    if (oldestMs !== undefined && acceptedAtMs.length >= limit.requests) {
      throw quotaExceeded(limit, Math.ceil((oldestMs + windowMs - nowMs) / 1000));
    }
    acceptedAtMs.push(nowMs);
    await next();
  };
}

export function quotaExceeded(limit: RequestLimit, seconds: number) {
  return refusal(refusals.rateExceeded(limit, seconds));
}
