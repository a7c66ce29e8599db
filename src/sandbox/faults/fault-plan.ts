import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { RequestLimit } from '../access.ts';
import { pickWeighted, randomFor, type Random } from '../made-up/random.ts';
import { controlBody } from '../request.ts';
import {
  faultKindNames,
  oddsOf,
  traitsOf,
  type FaultKind,
  type FaultLevel,
} from './fault-kinds.ts';

/** The parts of a request that decide about its faults. */
interface FaultedRequest {
  readonly method: string;
  /** The path below the API's base path, with the query. */
  readonly path: string;
  readonly body: string;
}

/** A requested fault, which applies to the next requests that it matches. */
export const requestedFaultSchema = controlBody({
  kind: z.enum(faultKindNames),
  /** Matches this path and everything below it, or every path when it is left out. */
  path: z
    .string()
    .regex(/^\/(?!api\/)[^?]+$/, 'Invalid path, expected one below the base URL')
    .optional(),
  /** Matches every method when it is left out. */
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** The number of requests that suffer it. */
  times: z.int().min(1).max(1000).default(1),
  seconds: z.number().min(0).max(600).optional(),
});
type RequestedFault = z.output<typeof requestedFaultSchema>;

/** The fault that one request suffers. */
interface PlannedFault {
  readonly kind: FaultKind;
  /** The random numbers for details of the fault. */
  readonly random: Random;
  readonly seconds: number | null;
}

interface FaultPlanParts {
  readonly seed: number;
  readonly level: FaultLevel;
  /** The machine's clock. */
  readonly clock: Clock;
  readonly log: Log;
}

const mostEntries = 1_000;

/**
 * Decides which requests suffer which faults, and records them, so that nobody takes one for a mistake of the client.
 * Faults of the level depend on the seed, the request and the number of times that it came, never on the order in which
 * different requests come.
 */
export class FaultPlan {
  level: FaultLevel;
  readonly #parts: FaultPlanParts;
  readonly #visits = new Map<string, number>();
  #requested: readonly RequestedFault[] = [];
  #suffered: object[] = [];

  constructor(parts: FaultPlanParts) {
    this.#parts = parts;
    this.level = parts.level;
  }

  /** The level, the requested faults that remain, and the last thousand faults that were suffered, oldest first. */
  describe() {
    return {
      level: this.level,
      next: this.#requested.filter(({ times }) => times > 0),
      injected: this.#suffered,
    };
  }

  /** Replaces the faults that were requested before. */
  request(faults: readonly RequestedFault[]): void {
    this.#requested = faults.map((fault) => ({ ...fault }));
  }

  /** Counts the request, and decides about its fault. @returns null when it suffers none */
  take(request: FaultedRequest): PlannedFault | null {
    const { method, path, body } = request;
    // the digest stands for the body, which may be long
    const source = JSON.stringify([method, path, body]);
    const key = createHash('sha256').update(source).digest('base64');
    const nth = (this.#visits.get(key) ?? 0) + 1;
    this.#visits.set(key, nth);
    const random = randomFor(this.#parts.seed, 'fault', key, nth);
    const requested = this.#requested.find((each) => each.times > 0 && isMatch(each, request));
    const fault = requested?.kind ?? drawKind(this.level, method, random);
    if (fault === null) return null;
    if (requested) requested.times -= 1;
    this.#record({ fault, method, path, nth });
    return { kind: fault, random, seconds: requested?.seconds ?? null };
  }

  #record(entry: { fault: FaultKind; method: string; path: string; nth: number }): void {
    const { clock, log } = this.#parts;
    const at = clock.now().toISOString();
    this.#suffered = [...this.#suffered, { at, ...entry }].slice(-mostEntries);
    log.warn(entry, 'fault injected');
  }
}

function isMatch({ path, method }: RequestedFault, request: FaultedRequest): boolean {
  const asked = request.path.replace(/\?.*$/, '');
  const isPath = path === undefined || asked === path || asked.startsWith(`${path}/`);
  return isPath && (method === undefined || method === request.method);
}

function drawKind(level: FaultLevel, method: string, random: Random): FaultKind | null {
  const odds = oddsOf(level, method);
  const none = 1 - odds.reduce((sum, [, probability]) => sum + probability, 0);
  return pickWeighted<FaultKind | null>([...odds, [null, none]], random);
}

interface FaultInjection {
  readonly faultPlan: FaultPlan;
  /** The limit that `rate_limited` names. */
  readonly rateLimit: RequestLimit;
  readonly machineClock: Clock;
}

/**
 * Injects faults between authentication and quota, so that an answer in place of the service's uses no quota.
 * @param basePath the API's base path, which paths of faults leave out
 */
export function injectFaults(
  { faultPlan, rateLimit, machineClock }: FaultInjection,
  basePath: string,
): MiddlewareHandler {
  return async (context, next) => {
    const { pathname, search } = new URL(context.req.url);
    const path = `${pathname.slice(basePath.length)}${search}`;
    const { method } = context.req;
    const fault = faultPlan.take({ method, path, body: await context.req.text() });
    if (!fault) return next();
    const { instead, spoil } = traitsOf(fault.kind);
    const isHostile = faultPlan.level === 'hostile';
    const given = { ...fault, isHostile, context, limit: rateLimit, clock: machineClock };
    if (instead) return instead(given);
    await next();
    const answer = context.res;
    const spoilt = spoil?.({ ...given, answer, text: await answer.clone().text() });
    context.res = undefined; // otherwise the headers of the first answer would be merged into the second
    context.res = spoilt;
    return undefined;
  };
}
