import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateBudget, type BudgetWait } from '../../src/api/rate-budget.ts';
import type { RateLimit } from '../../src/config/config.ts';
import type { Clock } from '../../src/core/clock.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { silentLog, type Log } from '../../src/core/log.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { EventClock } from './event-clock.ts';
import { mostWithin } from './most-within.ts';

const limit = { requests: 3, perSeconds: 60 };
/** The wait once the quota is used up: the limit's period, and 2 % for a request's way to the service. */
const spanMs = 61_200;
const never = new AbortController().signal;

interface Setting {
  folder: string;
  clock: Clock;
  limit?: RateLimit;
  log?: Log;
  onWait?: (wait: BudgetWait | null) => void;
}

function openBudget(setting: Setting): RateBudget {
  return new RateBudget({ workspace: 'acme', limit, log: silentLog, ...setting });
}

/** Moves the clock until `work` is done, and returns by how much. */
async function timeUntil(clock: EventClock, work: Promise<unknown>): Promise<number> {
  const startMs = clock.monotonicMs();
  const done = new AbortController();
  void work.finally(() => done.abort()).catch(() => undefined);
  while (!done.signal.aborted) {
    clock.wakeNext();
    await turn();
  }
  return clock.monotonicMs() - startMs;
}

async function untilAsleep(clock: { readonly sleepers: number }): Promise<void> {
  while (clock.sleepers === 0) await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function use(budget: RateBudget, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await budget.acquire(never);
}

describe('the rate budget', () => {
  it('gives out the whole quota at once, then waits for a whole window and reports it', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    const waits: (BudgetWait | null)[] = [];
    const budget = openBudget({ folder, clock, onWait: (wait) => waits.push(wait) });
    await use(budget, 3);
    expect(waits).toEqual([]);
    expect(await timeUntil(clock, budget.acquire(never))).toBe(spanMs);
    expect(waits[0]).toEqual({ reason: 'rate-limit', ms: spanMs });
    expect(waits.at(-1)).toBeNull();
  });

  it('is remembered by the next process, even after a kill before an answer came', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    const killed = openBudget({ folder, clock });
    await use(killed, 3);
    expect(await timeUntil(clock, openBudget({ folder, clock }).acquire(never))).toBe(spanMs);
  });

  it('ignores jumps of the wall clock', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock('2026-01-15T12:00:00Z')];
    const budget = openBudget({ folder, clock });
    await use(budget, 3);
    clock.jumpTo('2027-01-01T00:00:00Z');
    const waitedMs = await timeUntil(clock, budget.acquire(never));
    clock.jumpTo('2020-01-01T00:00:00Z');
    await use(budget, 2);
    expect([waitedMs, await timeUntil(clock, budget.acquire(never))]).toEqual([spanMs, spanMs]);
  });

  it.each([
    ['20 s ago by the wall clock', '2026-01-15T12:00:20Z', spanMs],
    ['longer ago than a window', '2026-01-15T13:00:00Z', 0],
    ['in the future, by a clock that went back', '2026-01-15T09:00:00Z', spanMs],
  ])(
    'waits for one window after a reboot, unless it was long ago: %s',
    async (_, now, expectedMs) => {
      const folder = await temporaryFolder();
      await use(openBudget({ folder, clock: new EventClock('2026-01-15T12:00:00Z') }), 3);
      const clock = new EventClock(now, 1_000);
      const budget = openBudget({ folder, clock });
      expect(await timeUntil(clock, budget.acquire(never))).toBe(expectedMs);
    },
  );

  it('waits for one window when its file is unreadable, and warns', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_: unknown, message: string) => warnings.push(message) };
    await writeFile(join(folder, 'acme.json'), '{"version":1,"boot":');
    const budget = openBudget({ folder, clock, log });
    expect(await timeUntil(clock, budget.acquire(never))).toBe(spanMs);
    expect(warnings).toEqual([
      'the record of sent requests is unreadable: waiting for one window of the limit',
    ]);
  });

  it('follows a limit that was lowered or raised in the meantime', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    await use(openBudget({ folder, clock }), 3);
    const raised = openBudget({ folder, clock, limit: { requests: 5, perSeconds: 60 } });
    expect(await timeUntil(clock, use(raised, 2))).toBe(0);
    const lowered = openBudget({ folder, clock, limit: { requests: 1, perSeconds: 60 } });
    const waitedMs = await timeUntil(clock, use(lowered, 2));
    expect(waitedMs).toBe(2 * spanMs);
  });

  it('counts a request once more if it was sent long after it got its slot', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    const setting = { folder, clock, limit: { requests: 2, perSeconds: 60 } };
    const slot = await openBudget(setting).acquire(never);
    await timeUntil(clock, clock.sleep(30_000));
    slot.markSent();
    const sent = async () =>
      (JSON.parse(await readFile(join(folder, 'acme.json'), 'utf8')) as { sent_ms: number[] })
        .sent_ms;
    while ((await sent()).length < 2) await turn();
    expect(await timeUntil(clock, openBudget(setting).acquire(never))).toBe(spanMs - 30_000);
  });

  it('keeps workspaces apart', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    await use(openBudget({ folder, clock }), 3);
    const other = new RateBudget({ workspace: 'nor/ris', limit, log: silentLog, folder, clock });
    expect(await timeUntil(clock, other.acquire(never))).toBe(0);
  });

  it('stops waiting when the signal aborts, without using the quota', async () => {
    const [folder, clock] = [await temporaryFolder(), new ManualClock()];
    const budget = openBudget({ folder, clock });
    const stop = new AbortController();
    await use(budget, 3);
    const waiting = [budget.acquire(stop.signal), budget.acquire(stop.signal)];
    const outcomes = Promise.allSettled(waiting);
    await untilAsleep(clock);
    stop.abort();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ reason: expect.any(InterruptedError) as unknown });
    }
    await clock.advance(spanMs);
    await use(budget, 3);
  });
});

describe('a rate budget that the service has blocked', () => {
  it('holds back every process of the workspace, including those that already wait', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    const waits: (BudgetWait | null)[] = [];
    const [first, second] = [
      openBudget({ folder, clock }),
      openBudget({ folder, clock, onWait: (wait) => waits.push(wait) }),
    ];
    await use(first, 3);
    const waiting = second.acquire(never);
    await untilAsleep(clock);
    await first.block(90_000);
    expect(await timeUntil(clock, waiting)).toBe(90_000);
    expect([...new Set(waits.map((wait) => wait?.reason))]).toEqual([
      'rate-limit',
      'throttled',
      undefined,
    ]);
  });

  it('asks again after an hour at the latest, whatever the service said', async () => {
    const [folder, clock] = [await temporaryFolder(), new EventClock()];
    const budget = openBudget({ folder, clock });
    await budget.block(1e12);
    expect(await timeUntil(clock, budget.acquire(never))).toBe(3_600_000);
  });
});

interface Sent {
  departures: number[];
  arrivals: number[];
}

/**
 * Sends requests through budgets, one for each process, with three workers each, on a clock that moves when all
 * of them wait.
 */
async function simulate(
  budgets: RateBudget[],
  clock: EventClock,
  journeys: readonly { arrivalMs: number; answerMs: number }[],
): Promise<Sent> {
  const sent: Sent = { departures: [], arrivals: [] };
  const queue = journeys.values();
  const asking = new Map(budgets.map((budget) => [budget, 0]));
  let inFlight = 0;
  let working = 0;
  const work = async (budget: RateBudget) => {
    working += 1;
    for (const { arrivalMs, answerMs } of queue) {
      asking.set(budget, (asking.get(budget) ?? 0) + 1);
      await budget.acquire(never);
      asking.set(budget, (asking.get(budget) ?? 0) - 1);
      sent.departures.push(clock.monotonicMs());
      sent.arrivals.push(clock.monotonicMs() + arrivalMs);
      inFlight += 1;
      await clock.sleep(Math.max(arrivalMs, answerMs));
      inFlight -= 1;
    }
    working -= 1;
  };
  const workers = budgets.flatMap((budget) => [work(budget), work(budget), work(budget)]);
  while (working > 0) {
    const heads = [...asking.values()].filter((count) => count > 0).length;
    if (clock.sleepers > 0 && clock.sleepers === inFlight + heads) clock.wakeNext();
    await turn();
  }
  await Promise.all(workers);
  return sent;
}

describe('two processes that share a rate budget', () => {
  it('never send more than the limit in any interval, and use 98 % of it while work is left', async () => {
    const journey = fc.record({
      arrivalMs: fc.integer({ min: 0, max: 190 }),
      answerMs: fc.integer({ min: 0, max: 900 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 4, max: 9 }),
        fc.array(journey, { minLength: 30, maxLength: 40 }),
        async (requests, journeys) => {
          const [folder, clock] = [await temporaryFolder(), new EventClock()];
          const setting = { folder, clock, limit: { requests, perSeconds: 10 } };
          const budgets = [openBudget(setting), openBudget(setting)];
          const { departures, arrivals } = await simulate(budgets, clock, journeys);
          expect(departures).toHaveLength(journeys.length);
          expect(mostWithin(departures, 10_000)).toBeLessThanOrEqual(requests);
          expect(mostWithin(arrivals, 10_000)).toBeLessThanOrEqual(requests);
          const idealMs = (Math.ceil(journeys.length / requests) - 1) * 10_000;
          const tookMs = Math.max(...departures) - Math.min(...departures);
          expect(tookMs).toBeLessThanOrEqual(idealMs / 0.98 + 3 * 900);
        },
      ),
      { numRuns: 5 },
    );
  });
});
