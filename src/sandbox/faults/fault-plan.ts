import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { RequestLimit } from '../access.ts';
import { pickWeighted, randomFor, type Random } from '../made-up/random.ts';
import { oddsOf, traitsOf, type FaultKind, type FaultLevel } from './fault-kinds.ts';

/** The parts of a request that decide about its faults. */
export interface FaultedRequest {
  readonly method: string;
  /** The path below the API's base path, with the query. */
  readonly path: string;
  readonly body: string;
}

/** A requested fault, which applies to the next requests that it matches. */
interface RequestedFault {
  readonly kind: FaultKind;
  /** Matches this path and everything below it, or every path when it is left out. */
  readonly path?: string | undefined;
  /** Matches every method when it is left out. */
  readonly method?: string | undefined;
  /** The number of requests that suffer it. */
  times: number;
  readonly seconds?: number | undefined;
}

/** The fault that one request suffers. */
interface PlannedFault {
  readonly kind: FaultKind;
  /** The number of times that the same request has come, including this time. */
  readonly nth: number;
  /** The random numbers for details of the fault. */
  readonly random: Random;
  /** The requested fault; null when the level decided. */
  readonly requested: RequestedFault | null;
}

/** A record of a fault that a request suffered, so that nobody takes it for a mistake of the client. */
interface SufferedFault extends Pick<FaultedRequest, 'method' | 'path'> {
  /** The time by the machine's clock. */
  readonly at: string;
  readonly fault: FaultKind;
  readonly nth: number;
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
 * Decides which requests suffer which faults, and records them. Faults of the level depend on the seed, the request and
 * the number of times that it came, never on the order in which different requests come.
 */
export class FaultPlan {
  level: FaultLevel;
  readonly #parts: FaultPlanParts;
  readonly #visits = new Map<string, number>();
  #requested: readonly RequestedFault[] = [];
  readonly #counts: Partial<Record<FaultKind, number>> = {};
  #suffered: SufferedFault[] = [];

  constructor(parts: FaultPlanParts) {
    this.#parts = parts;
    this.level = parts.level;
  }

  /** The level, the requested faults that remain, and the last thousand faults that were suffered, oldest first. */
  describe() {
    return {
      level: this.level,
      next: this.#requested.filter(({ times }) => times > 0),
      counts: this.#counts,
      injected: this.#suffered,
    };
  }

  /** Replaces the faults that were requested before. */
  request(faults: readonly RequestedFault[]): void {
    this.#requested = faults.map((fault) => ({ ...fault }));
  }

  /** Counts the request and decides about its fault. @returns null when it suffers none */
  take(request: FaultedRequest): PlannedFault | null {
    const key = requestKey(request);
    const nth = (this.#visits.get(key) ?? 0) + 1;
    this.#visits.set(key, nth);
    const random = randomFor(this.#parts.seed, 'fault', key, nth);
    const requested = this.#requested.find((each) => each.times > 0 && isMatch(each, request));
    if (!requested) {
      const kind = drawKind(this.level, request.method, random);
      return kind && { nth, random, kind, requested: null };
    }
    requested.times -= 1;
    return { nth, random, kind: requested.kind, requested };
  }

  /** Keeps a requested fault that did not fit the answer for the next request. */
  putBack({ requested }: PlannedFault): void {
    if (requested) requested.times += 1;
  }

  record({ method, path }: FaultedRequest, { kind, nth }: PlannedFault): void {
    const at = this.#parts.clock.now().toISOString();
    const entry = { fault: kind, method, path, nth };
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    this.#suffered = [...this.#suffered, { at, ...entry }].slice(-mostEntries);
    this.#parts.log.warn(entry, 'fault injected');
  }
}

/** Makes a digest, so that long bodies are not kept. */
function requestKey({ method, path, body }: FaultedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest('base64');
}

function isMatch({ path, method }: RequestedFault, request: FaultedRequest): boolean {
  const asked = withoutQuery(request.path);
  const isPath = path === undefined || asked === path || asked.startsWith(`${path}/`);
  return isPath && (method === undefined || method === request.method);
}

function withoutQuery(path: string): string {
  return path.replace(/\?.*$/, '');
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
    const request = { method: context.req.method, path, body: await context.req.text() };
    const isHostile = faultPlan.level === 'hostile';
    const fault = faultPlan.take(request);
    if (!fault) return next();
    const { instead, spoil } = traitsOf(fault.kind);
    const seconds = fault.requested?.seconds ?? null;
    const chance = { random: fault.random, seconds, isHostile };
    const service = { context, apiPath: withoutQuery(path), limit: rateLimit, clock: machineClock };
    if (instead) {
      faultPlan.record(request, fault);
      return instead({ ...chance, ...service });
    }
    await next();
    const answer = context.res;
    const text = await answer.clone().text();
    const spoilt = text === '' ? null : spoil?.({ ...chance, ...service, answer, text });
    if (!spoilt) {
      faultPlan.putBack(fault);
      return undefined;
    }
    faultPlan.record(request, fault);
    context.res = undefined; // otherwise the headers of the first answer would be merged into the second
    context.res = spoilt;
    return undefined;
  };
}
