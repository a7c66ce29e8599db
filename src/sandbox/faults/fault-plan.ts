import { createHash } from 'node:crypto';
import { pickWeighted, randomFor, type Random } from '../made-up/random.ts';
import { oddsOf, type FaultKind, type FaultLevel } from './fault-kinds.ts';

/** A request as far as its fate depends on it. */
export interface FaultedRequest {
  readonly method: string;
  /** Below the API's base path, with the query. */
  readonly path: string;
  readonly body: string;
}

/** A fault that somebody asked for: it takes the next requests that it matches. */
export interface RequestedFault {
  readonly kind: FaultKind;
  /** This path and everything below it; any where it is left out. */
  readonly path?: string | undefined;
  /** Any where it is left out. */
  readonly method?: string | undefined;
  /** How many requests. */
  readonly times: number;
  /** Of a slow drip, or to wait after `rate_limited` and `unavailable`; drawn where it is left out. */
  readonly seconds?: number | undefined;
}

/** What happens to one request. */
export interface PlannedFault {
  readonly kind: FaultKind;
  readonly level: FaultLevel;
  /** How many times this very request has come, with this one. */
  readonly nth: number;
  readonly seconds: number | null;
  /** Whatever else is left to chance. */
  readonly random: Random;
  /** Where somebody asked for it; null for one by the level. */
  readonly origin: FaultOrigin | null;
}

/** One of the faults that were requested together. */
interface FaultOrigin {
  readonly batch: number;
  readonly index: number;
}

/**
 * Decides what happens to which request. What the level brings follows from the seed, the request and
 * how many times it came, never from the order in which different requests come.
 */
export class FaultPlan {
  level: FaultLevel;
  readonly #seed: number;
  readonly #visits = new Map<string, number>();
  /** Those that are used up stay in their places. */
  #requested: RequestedFault[] = [];
  /** Counts the requests for faults, each of which replaces the one before. */
  #batch = 0;

  constructor(seed: number, level: FaultLevel) {
    this.#seed = seed;
    this.level = level;
  }

  /** What is still to be applied, in the order in which it is looked through. */
  get requested(): readonly RequestedFault[] {
    return this.#requested.filter(({ times }) => times > 0);
  }

  /** In place of what was requested before. */
  request(faults: readonly RequestedFault[]): void {
    this.#batch += 1;
    this.#requested = [...faults];
  }

  /** Counts the request and says what happens to it; null when nothing does. */
  take(request: FaultedRequest): PlannedFault | null {
    const key = requestKey(request);
    const nth = (this.#visits.get(key) ?? 0) + 1;
    this.#visits.set(key, nth);
    const { level } = this;
    const random = randomFor(this.#seed, 'fault', key, nth);
    const fault = { level, nth, random };
    const index = this.#requested.findIndex((each) => each.times > 0 && hasMatch(each, request));
    const requested = this.#requested[index];
    if (!requested) {
      const kind = drawKind(level, request.method, random);
      return kind && { ...fault, kind, seconds: null, origin: null };
    }
    this.#addTimes(index, -1);
    const origin = { batch: this.#batch, index };
    return { ...fault, kind: requested.kind, seconds: requested.seconds ?? null, origin };
  }

  /**
   * Keeps a requested fault that turned out not to fit the answer for the next request, unless others
   * were requested meanwhile.
   */
  putBack({ origin }: PlannedFault): void {
    if (origin?.batch === this.#batch) this.#addTimes(origin.index, 1);
  }

  #addTimes(index: number, count: number): void {
    this.#requested = this.#requested.map((each, place) =>
      place === index ? { ...each, times: each.times + count } : each,
    );
  }
}

/** A digest, so that long bodies are not kept. */
function requestKey({ method, path, body }: FaultedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest('base64');
}

function hasMatch({ path, method }: RequestedFault, request: FaultedRequest): boolean {
  const asked = request.path.replace(/\?.*$/, '');
  const isPath = path === undefined || asked === path || asked.startsWith(`${path}/`);
  return isPath && (method === undefined || method === request.method);
}

function drawKind(level: FaultLevel, method: string, random: Random): FaultKind | null {
  const odds = oddsOf(level, method);
  const none = 1 - odds.reduce((sum, [, probability]) => sum + probability, 0);
  return pickWeighted<FaultKind | null>([...odds, [null, none]], random);
}
