import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FaultKind } from '../../../src/sandbox/faults/fault-kinds.ts';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { runSandbox } from '../running-sandbox.ts';
import { askRaw, type RawAnswer } from './raw-client.ts';

async function runFaulty(options: Partial<SandboxOptions> = {}) {
  const running = await runSandbox(options);
  const { sandbox, control } = running;
  const headers = { authorization: `Bearer ${sandbox.keys.valid}` };
  const analytics = `/analytics/linkedin/${sandbox.profiles[0]?.id ?? ''}/posts?startDate=2020-01-01`;
  const raw = (path: string, method = 'GET', body?: string) =>
    askRaw(`${sandbox.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const next = (kind: FaultKind, more: object = {}) =>
    control('/faults', { next: [{ kind, ...more }] });
  return { ...running, headers, analytics, raw, next };
}

/** Sends the same request without the fault and then with it. */
async function compare(kind: FaultKind): Promise<{ whole: unknown; faulty: RawAnswer }> {
  const { raw, next, analytics } = await runFaulty();
  const whole = JSON.parse((await raw(analytics)).text) as unknown;
  await next(kind);
  const faulty = await raw(analytics);
  expect(JSON.parse((await raw(analytics)).text)).toEqual(whole);
  return { whole, faulty };
}

describe('a fault before the request is handled', () => {
  it.each<[FaultKind, object, number, object]>([
    [
      'rate_limited',
      { seconds: 7 },
      429,
      {
        code: 'TOO_MANY_REQUESTS',
        message: 'Rate limit of 100 requests per 60s exceeded. Quota resets in 7 seconds',
      },
    ],
    ['server_error', {}, 500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }],
    ['unavailable', {}, 503, { code: 'SERVICE_UNAVAILABLE', message: 'Service Unavailable' }],
  ])('is an answer in the shape of the API: %s', async (kind, more, status, body) => {
    const { next, ask, analytics } = await runFaulty();
    await next(kind, more);
    expect(await ask(analytics)).toEqual({ status, body });
    expect((await ask(analytics)).status).toBe(200);
  });

  it.each<[FaultKind, number]>([
    ['html_page', 200],
    ['bad_gateway', 502],
  ])('is a page of a proxy: %s', async (kind, status) => {
    const { next, raw, analytics } = await runFaulty();
    await next(kind);
    const answer = await raw(analytics);
    expect(answer).toMatchObject({ status, error: null });
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toMatch(/^<!doctype html>/);
  });

  it('is a reset of the connection', async () => {
    const { next, raw, analytics } = await runFaulty();
    await next('reset_before');
    expect(await raw(analytics)).toEqual({
      ...{ status: 0, headers: {}, text: '', error: 'ECONNRESET' },
    });
    expect((await raw(analytics)).status).toBe(200);
  });
});

describe('a fault after the request was handled', () => {
  it('is a reset that hides what was done', async () => {
    const { next, raw, ask, examples } = await runFaulty();
    const id = (await examples()).posts.Scheduled[0] ?? '';
    await next('reset_after');
    expect(await raw(`/posts/${id}/unschedule`, 'POST')).toMatchObject({
      status: 0,
      error: 'ECONNRESET',
    });
    expect(await ask(`/posts/${id}`)).toMatchObject({ body: { post: { status: 'Finalized' } } });
  });

  it('is a body that ends before its length', async () => {
    const { whole, faulty } = await compare('cut_body');
    const text = JSON.stringify(whole);
    expect(faulty).toMatchObject({ status: 200, error: 'ECONNRESET' });
    expect(faulty.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(faulty.text.length).toBeLessThan(text.length);
  });

  it('is JSON that cannot be parsed, of the announced length', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { next, raw, analytics } = await runFaulty({ seed });
      await next('malformed_json');
      const answer = await raw(analytics);
      expect(answer).toMatchObject({ status: 200, error: null });
      expect(answer.headers['content-type']).toBe('application/json');
      expect(() => JSON.parse(answer.text) as unknown).toThrow(SyntaxError);
    }
  });
});

describe('faults', () => {
  it('hit the same requests in two sandboxes of one seed, whatever their order', async () => {
    const options = { faults: 'hostile', rateLimit: { requests: 1000, perSeconds: 1 } } as const;
    const [one, other] = [await runFaulty(options), await runFaulty(options)];
    const paths = Array.from({ length: 60 }, (_, n) => `/posts/${n % 20}`);
    const injectedInto = async ({ raw, control, clock }: typeof one, all: readonly string[]) => {
      await whileTimePasses(clock, Promise.all(all.map((path) => raw(path))));
      const { injected } = journalSchema.parse((await control('/faults')).body);
      return injected.map((entry) => JSON.stringify(entry)).toSorted();
    };
    const first = await injectedInto(one, paths);
    expect(first.length).toBeGreaterThan(8);
    expect(await injectedInto(other, paths.toReversed())).toEqual(first);
  });
});

const journalSchema = z.object({
  injected: z.array(
    z.object({ fault: z.string(), method: z.string(), path: z.string(), nth: z.number() }),
  ),
});

/** Moves the clock while requests are under way, so that slow bodies arrive. */
async function whileTimePasses(clock: ManualClock, work: Promise<unknown>): Promise<void> {
  const progress = { isDone: false };
  void work.finally(() => (progress.isDone = true));
  while (!progress.isDone) await clock.advance(1000);
}

const quiet = { level: 'none', next: [], injected: [] };

describe('/_sandbox/faults', () => {
  it('sets the level, the next faults, or both', async () => {
    const { control, sandbox } = await runSandbox();
    expect(await control('/faults')).toEqual({ status: 200, body: quiet });
    const requested = { kind: 'cut_body', path: '/posts', method: 'GET', times: 2 };
    await control('/faults', { next: [requested] });
    expect(await control('/faults', { level: 'mild' })).toEqual({
      status: 200,
      body: { ...quiet, level: 'mild', next: [requested] },
    });
    expect(sandbox.describe().faults).toBe('mild');
    expect((await control('')).body).toMatchObject({ faults: 'mild' });
    const { body } = await control('/faults', { level: 'none', next: [] });
    expect(body).toEqual(quiet);
  });
});
