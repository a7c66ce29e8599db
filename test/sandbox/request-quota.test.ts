import fc from 'fast-check';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { describe, expect, it } from 'vitest';
import { limitRequests, type RequestLimit } from '../../src/sandbox/access.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runSandbox } from './running-sandbox.ts';

const path = '/posts/00000000-0000-4000-8000-000000000000';

function serviceWith(limit: RequestLimit, clock: ManualClock): Hono {
  const service = new Hono();
  service.use(limitRequests(limit, clock));
  service.get('/', (context) => context.text('accepted'));
  service.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    throw error;
  });
  return service;
}

describe('the request quota', () => {
  it('refuses requests that exceed it, with the seconds until the next one is accepted', async () => {
    const { ask, clock, sandbox } = await runSandbox({
      rateLimit: { requests: 3, perSeconds: 20 },
    });
    expect((await ask(path)).status).toBe(404);
    await clock.advance(5_500);
    expect((await ask(path)).status).toBe(404);
    expect((await ask('/posts/no-uuid')).status).toBe(400);
    expect(await ask(path)).toEqual({
      status: 429,
      body: {
        code: 'TOO_MANY_REQUESTS',
        message: 'Rate limit of 3 requests per 20s exceeded. Quota resets in 15 seconds',
      },
    });
    await clock.advance(14_499);
    expect((await ask(path)).status).toBe(429);
    await clock.advance(1);
    expect((await ask(path)).status).toBe(404);
    expect((await ask(path)).status).toBe(429);
    expect(sandbox.describe().limit).toEqual({ requests: 3, per_seconds: 20 });
  });

  it('accepts no more than the limit in any interval, and always accepts a request that fits', async () => {
    const pausesMs = fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pausesMs, fc.integer({ min: 1, max: 5 }), async (pauses, requests) => {
        const clock = new ManualClock();
        const service = serviceWith({ requests, perSeconds: 10 }, clock);
        const acceptedAtMs: number[] = [];
        for (const pause of pauses) {
          await clock.advance(pause);
          const nowMs = clock.monotonicMs();
          const isFull = acceptedAtMs.filter((at) => at > nowMs - 10_000).length >= requests;
          const { status } = await service.request('/');
          expect(status).toBe(isFull ? 429 : 200);
          if (status === 200) acceptedAtMs.push(nowMs);
        }
      }),
      { numRuns: 30 },
    );
  });
});
