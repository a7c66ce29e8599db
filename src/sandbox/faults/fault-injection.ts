import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { RequestLimit } from '../access.ts';
import { pickWeighted, randomFor, type Random } from '../made-up/random.ts';
import { oddsOf, traitsOf, type FaultKind, type FaultLevel } from './fault-kinds.ts';

interface FaultInjection {
  readonly seed: number;
  readonly faults: FaultLevel;
  /** The limit that `rate_limited` names. */
  readonly rateLimit: RequestLimit;
  readonly machineClock: Clock;
  readonly log: Log;
}

/**
 * Injects faults between authentication and quota, so that an answer in place of the service's uses no quota, and logs
 * them, so that nobody takes one for a mistake of the client.
 * @param basePath the API's base path, which the log leaves out
 */
export function injectFaults(
  { seed, faults, rateLimit, machineClock, log }: FaultInjection,
  basePath: string,
): MiddlewareHandler {
  const visits = new Map<string, number>();
  return async (context, next) => {
    const { pathname, search } = new URL(context.req.url);
    const path = `${pathname.slice(basePath.length)}${search}`;
    const { method } = context.req;
    const { random, nth } = await drawsFor(context, path, seed, visits);
    const kind = drawKind(faults, method, random);
    if (kind === null) return next();
    log.warn({ fault: kind, method, path, nth }, 'fault injected');
    const { instead, spoil } = traitsOf(kind);
    const isHostile = faults === 'hostile';
    const given = { random, isHostile, context, limit: rateLimit, clock: machineClock };
    if (instead) return instead(given);
    await next();
    const answer = context.res;
    const spoilt = spoil?.({ ...given, answer, text: await answer.clone().text() });
    context.res = undefined; // otherwise the headers of the first answer would be merged into the second
    context.res = spoilt;
    return undefined;
  };
}

/**
 * The random numbers for a request. They depend on the seed, the request and the number of times that it came, never on
 * the order in which different requests come.
 */
async function drawsFor(
  { req }: Context,
  path: string,
  seed: number,
  visits: Map<string, number>,
): Promise<{ readonly random: Random; readonly nth: number }> {
  // the digest stands for the body, which may be long
  const source = JSON.stringify([req.method, path, await req.text()]);
  const key = createHash('sha256').update(source).digest('base64');
  const nth = (visits.get(key) ?? 0) + 1;
  visits.set(key, nth);
  return { random: randomFor(seed, 'fault', key, nth), nth };
}

function drawKind(level: FaultLevel, method: string, random: Random): FaultKind | null {
  const odds = oddsOf(level, method);
  const none = 1 - odds.reduce((sum, [, probability]) => sum + probability, 0);
  return pickWeighted<FaultKind | null>([...odds, [null, none]], random);
}
