import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { RequestLimit } from '../access.ts';
import { pickWeighted, randomFor, type Random } from '../made-up/random.ts';
import { oddsOf, traitsOf, type FaultKind, type FaultLevel } from './fault-kinds.ts';

/** A request as far as its fate depends on it. */
export interface FaultedRequest {
  readonly method: string;
  /** Below the API's base path, with the query. */
  readonly path: string;
  readonly body: string;
}

/** A requested fault: it hits the next requests that it matches. */
interface RequestedFault {
  readonly kind: FaultKind;
  /** This path and everything below it; any where it is left out. */
  readonly path?: string | undefined;
  /** Any where it is left out. */
  readonly method?: string | undefined;
  /** How many requests. */
  times: number;
  readonly seconds?: number | undefined;
}

/** What happens to one request. */
interface PlannedFault {
  readonly kind: FaultKind;
  /** How many times this very request has come, with this one. */
  readonly nth: number;
  /** Whatever else is left to chance. */
  readonly random: Random;
  /** Null for a fault that follows from the level. */
  readonly requested: RequestedFault | null;
}

/** A fault that a request has suffered, so that none of them is taken for a mistake of the client. */
interface SufferedFault extends Pick<FaultedRequest, 'method' | 'path'> {
  /** The machine's time. */
  readonly at: string;
  readonly fault: FaultKind;
  readonly nth: number;
}

interface FaultPlanParts {
  readonly seed: number;
  readonly level: FaultLevel;
  /** The machine's. */
  readonly clock: Clock;
  readonly log: Log;
}

const mostEntries = 1_000;

/**
 * Decides what happens to which request, and remembers it. What the level brings follows from the seed,
 * the request and how many times it came, never from the order in which different requests come.
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

  /** The level, what is still to be applied, and what was suffered: the last thousand, oldest first. */
  describe() {
    return {
      level: this.level,
      next: this.#requested.filter(({ times }) => times > 0),
      counts: this.#counts,
      injected: this.#suffered,
    };
  }

  /** In place of what was requested before. */
  request(faults: readonly RequestedFault[]): void {
    this.#requested = faults.map((fault) => ({ ...fault }));
  }

  /** Counts the request and says what happens to it; null when nothing does. */
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

  /** Keeps a requested fault that turned out not to fit the answer for the next request. */
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

/** A digest, so that long bodies are not kept. */
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
  /** What `rate_limited` says. */
  readonly rateLimit: RequestLimit;
  readonly machineClock: Clock;
}

/**
 * Stands between authentication and quota: what is answered instead of the service uses none.
 * @param basePath of the API, left out of what paths are compared with
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
    context.res = undefined; // else the headers of the first answer would be merged into the second
    context.res = spoilt;
    return undefined;
  };
}
