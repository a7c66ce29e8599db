import type { MiddlewareHandler } from 'hono';
import { refusals } from '../api/schemas/refusals.ts';
import type { Clock } from '../core/clock.ts';
import { refusal } from './refusal.ts';

export interface RequestLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

/**
 * Strict: no interval of `perSeconds` holds more than `requests` accepted requests. It counts what a
 * valid key sends, whatever the answer; a refused request uses nothing up. Runs on the machine's
 * monotonic time, so that moving the sandbox's clock changes no quota.
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
