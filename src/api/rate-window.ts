import type { RateLimit } from '../config/config.ts';

/**
 * The service counts arrivals; known here are departures and answers. An arrival is never later than its
 * answer, so a request counts from its answer on, but from this share of the window after its departure
 * at the latest: slow answers cost next to nothing of the quota.
 */
const jitterShare = 0.019;
/** For clocks that do not run at the same rate here and there. Both shares together are the 2 % margin. */
const driftShare = 0.001;

/** A strict sliding window, in milliseconds of the monotonic clock. */
export interface RateWindow {
  readonly requests: number;
  /** For so long after its time a request counts. */
  readonly spanMs: number;
  /** A request's time is this long after its departure at the latest. */
  readonly marginMs: number;
}

export function rateWindow({ requests, perSeconds }: RateLimit): RateWindow {
  const periodMs = perSeconds * 1000;
  return {
    requests,
    spanMs: periodMs * (1 + driftShare),
    marginMs: periodMs * jitterShare,
  };
}

/** How long from `nowMs` until fewer than the window's requests count; 0 when that is so now. */
export function waitForRoom(window: RateWindow, timesMs: readonly number[], nowMs: number): number {
  const counting = timesMs.filter((timeMs) => timeMs + window.spanMs > nowMs);
  if (counting.length < window.requests) return 0;
  const leaver = counting.sort((a, b) => a - b)[counting.length - window.requests] ?? nowMs;
  return leaver + window.spanMs - nowMs;
}
