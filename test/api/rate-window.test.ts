import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateWindow, waitForRoom } from '../../src/api/rate-window.ts';
import { mostWithin } from './most-within.ts';

const limits = fc.record({
  requests: fc.integer({ min: 1, max: 20 }),
  perSeconds: fc.constantFrom(1, 2.5, 60),
});

/** How the departure, the arrival and the answer of a request lie, as shares of the margin and of the window. */
const journeys = fc.array(
  fc.record({
    idle: fc.double({ min: 0, max: 0.2, noNaN: true }),
    arrival: fc.double({ min: 0, max: 1, noNaN: true }),
    answer: fc.double({ min: 0, max: 3, noNaN: true }),
  }),
  { minLength: 1, maxLength: 120 },
);

describe('the window of a rate limit', () => {
  it('never holds more than the limit, by departure or by arrival, in any interval', () => {
    fc.assert(
      fc.property(limits, journeys, (limit, steps) => {
        const window = rateWindow(limit);
        const periodMs = limit.perSeconds * 1000;
        const departures: number[] = [];
        const arrivals: number[] = [];
        const times: number[] = [];
        let nowMs = 0;
        for (const { idle, arrival, answer } of steps) {
          nowMs += idle * periodMs;
          nowMs += waitForRoom(window, times, nowMs);
          const arrivesMs = nowMs + arrival * window.marginMs;
          departures.push(nowMs);
          arrivals.push(arrivesMs);
          times.push(Math.min(nowMs + window.marginMs, arrivesMs + answer * window.marginMs));
        }
        expect(mostWithin(departures, periodMs)).toBeLessThanOrEqual(limit.requests);
        expect(mostWithin(arrivals, periodMs)).toBeLessThanOrEqual(limit.requests);
      }),
    );
  });

  it('uses at least 98 % of the quota however slow the answers are', () => {
    fc.assert(
      fc.property(limits, (limit) => {
        const window = rateWindow(limit);
        const times: number[] = [];
        let nowMs = 0;
        for (let sent = 0; sent < limit.requests * 5; sent += 1) {
          nowMs += waitForRoom(window, times, nowMs);
          times.push(nowMs + window.marginMs);
        }
        expect(nowMs).toBeLessThanOrEqual((4 * limit.perSeconds * 1000) / 0.98);
      }),
    );
  });

  it('has room again when the limit was lowered and enough requests have left it', () => {
    const times = Array.from({ length: 100 }, (_, at) => at * 10);
    const window = rateWindow({ requests: 10, perSeconds: 60 });
    expect(waitForRoom(window, times, 1_000)).toBeCloseTo(900 + window.spanMs - 1_000);
  });
});
