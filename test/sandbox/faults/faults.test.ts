import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedInPostAnalyticsSchema } from '../../../src/api/schemas/analytics.ts';
import { operations } from '../../../src/api/schemas/operations.ts';
import { createLog, silentLog } from '../../../src/core/log.ts';
import {
  faultKindNames,
  oddsOf,
  type FaultKind,
  type FaultLevel,
} from '../../../src/sandbox/faults/fault-kinds.ts';
import { FaultPlan, type FaultedRequest } from '../../../src/sandbox/faults/fault-plan.ts';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import { runSandbox } from '../running-sandbox.ts';
import { askRaw, type RawAnswer } from './raw-client.ts';

const recordsSchema = z.array(linkedInPostAnalyticsSchema);
type JsonRecord = Record<string, unknown>;

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

function recordsOf({ text }: RawAnswer): JsonRecord[] {
  return z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(text));
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
    ['bad_gateway', {}, 502, { code: 'BAD_GATEWAY', message: 'Bad Gateway' }],
    ['unavailable', {}, 503, { code: 'SERVICE_UNAVAILABLE', message: 'Service Unavailable' }],
  ])('is an answer in the shape of the API: %s', async (kind, more, status, body) => {
    const { next, ask, analytics } = await runFaulty();
    await next(kind, more);
    expect(await ask(analytics)).toEqual({ status, body });
    expect((await ask(analytics)).status).toBe(200);
  });

  it.each<[FaultKind, number]>([
    ['html_page', 200],
    ['html_bad_gateway', 502],
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

  it.each<FaultKind>(['reset_before', 'server_error', 'rate_limited', 'html_page'])(
    'uses no quota and changes nothing: %s',
    async (kind) => {
      const { next, raw, send, examples } = await runFaulty({
        rateLimit: { requests: 1, perSeconds: 60 },
      });
      const id = (await examples()).posts.Scheduled[0] ?? '';
      await next(kind);
      await raw(`/posts/${id}/unschedule`, 'POST');
      expect(await send('POST', `/posts/${id}/unschedule`)).toMatchObject({
        status: 200,
        body: { id, status: 'Finalized' },
      });
      expect((await raw(`/posts/${id}`)).status).toBe(429);
    },
  );
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

  it('is a slow body that is complete in the end', async () => {
    const { next, raw, sandbox, headers, analytics, clock } = await runFaulty();
    const whole = (await raw(analytics)).text;
    await next('slow_drip', { seconds: 40 });
    let come = '';
    const asked = askRaw(`${sandbox.url}${analytics}`, {
      headers,
      onText: (text) => (come = text),
    });
    await until(() => come.length > 0);
    expect(come.length).toBeLessThan(whole.length / 10);
    for (let second = 0; second < 40; second += 1) {
      await clock.advance(1000);
      const before = come.length;
      if (second === 20) expect(before).toBeLessThan(whole.length);
    }
    expect(await asked).toMatchObject({ status: 200, text: whole, error: null });
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

  it('is a list with members that occur twice', async () => {
    const { whole, faulty } = await compare('duplicated_members');
    const members = recordsOf(faulty);
    const known = recordsSchema.parse(whole);
    expect(members.length).toBeGreaterThan(known.length);
    expect(members.length).toBeLessThanOrEqual(known.length + 3);
    const unique = new Map(members.map((member) => [member['id'], member]));
    expect(new Set(unique.values())).toEqual(new Set(known));
  });

  it('adds fields that the API does not know to every object', async () => {
    const { whole, faulty } = await compare('unknown_fields');
    const known = recordsSchema.parse(whole);
    const addedLater = { since: '1.1.0', values: [1, null] };
    expect(recordsOf(faulty)).toMatchObject(known.map((record) => ({ ...record, addedLater })));
  });

  it('is a value that the API does not know in a field with an enumeration', async () => {
    const { whole, faulty } = await compare('unknown_enum_values');
    const known = recordsSchema.parse(whole);
    const changed = recordsOf(faulty).filter(({ type }, index) => type !== known[index]?.type);
    expect(changed.map(({ type }) => type)).toEqual(['Newsletter']);
  });

  it.each([
    ['nulled_optional', true],
    ['nulled_required', false],
  ] as const)('is null in one field: %s', async (kind, isAllowed) => {
    const { whole, faulty } = await compare(kind);
    expect(recordsSchema.safeParse(JSON.parse(faulty.text)).success).toBe(isAllowed);
    expect(changedFields(whole, JSON.parse(faulty.text))).toMatchObject([{ now: null }]);
  });

  it('waits for an answer to which it applies', async () => {
    const { next, ask, raw, control, analytics } = await runFaulty();
    const empty = analytics.replace(
      '?startDate=2020-01-01',
      '?startDate=2010-01-01&endDate=2010-01-02',
    );
    await next('duplicated_members');
    expect(await ask(empty)).toEqual({ status: 200, body: [] });
    expect((await control('/faults')).body).toMatchObject({
      next: [{ kind: 'duplicated_members', times: 1 }],
      counts: {},
    });
    expect(recordsOf(await raw(analytics)).length).toBeGreaterThan(0);
    expect((await control('/faults')).body).toMatchObject({
      next: [],
      counts: { duplicated_members: 1 },
    });
  });
});

/** After these faults it is clear what was done. */
const sparingKinds: readonly FaultKind[] = [
  'rate_limited',
  'slow_drip',
  'duplicated_members',
  'unknown_fields',
  'unknown_enum_values',
  'nulled_optional',
];

describe('a change', () => {
  it.each(faultKindNames)(
    'is spared by %s if and only if its client knows what was done',
    async (kind) => {
      const { next, headers, control, examples, sandbox, clock } = await runFaulty();
      const { posts, users } = await examples();
      await next(kind, { seconds: 1 });
      const answered = askRaw(`${sandbox.url}/approvals`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ postId: posts.ToDo[0], approvals: [{ userId: users[1]?.id }] }),
      });
      await whileTimePasses(clock, answered);
      expect(tellsWhatWasDone(await answered)).toBe(sparingKinds.includes(kind));
      expect((await control('/faults')).body).toMatchObject({ next: [], counts: { [kind]: 1 } });
    },
  );
});

/** The client is told that nothing was done, or gets an answer that the operation can have. */
function tellsWhatWasDone({ status, text, error }: RawAnswer): boolean {
  if (status === 429) return true;
  if (error !== null || status < 200 || status > 299) return false;
  return operations.createApprovals.answer.safeParse(parseJson(text)).success;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lists every leaf that differs. */
function changedFields(before: unknown, now: unknown): { before: unknown; now: unknown }[] {
  if (Object.is(before, now)) return [];
  if (!isTree(before) || !isTree(now)) return [{ before, now }];
  return Object.keys(before).flatMap((key) => changedFields(before[key], now[key]));
}

function isTree(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null;
}

describe('faults', () => {
  it('spare requests with wrong keys, which are always refused', async () => {
    const { next, ask, control, sandbox, analytics } = await runFaulty();
    await next('server_error');
    const headers = { authorization: `Bearer ${sandbox.keys.expired}` };
    expect((await ask(analytics, { headers })).status).toBe(403);
    expect((await control('/faults')).body).toMatchObject({ next: [{ kind: 'server_error' }] });
  });

  it('spare the control path and the description of the API', async () => {
    const { control, sandbox } = await runFaulty();
    await control('/faults', { next: [{ kind: 'server_error', times: 1000 }] });
    expect((await control('')).status).toBe(200);
    expect((await fetch(new URL('/openapi.json', sandbox.url))).status).toBe(200);
  });

  it('are logged and listed with their requests', async () => {
    const lines: string[] = [];
    const log = createLog({
      level: 'warn',
      format: 'json',
      color: false,
      destination: { write: (line: string) => void lines.push(line) },
    });
    const { next, ask, control, analytics } = await runFaulty({ log });
    await ask(analytics);
    await next('bad_gateway');
    await ask(analytics);
    const entry = { fault: 'bad_gateway', method: 'GET', path: analytics, nth: 2 };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ...entry, msg: 'fault injected' },
    ]);
    expect((await control('/faults')).body).toEqual({
      level: 'none',
      next: [],
      counts: { bad_gateway: 1 },
      injected: [{ at: '2026-01-15T12:00:00.000Z', ...entry }],
    });
  });

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

function planOf(seed: number, level: FaultLevel): FaultPlan {
  return new FaultPlan({ seed, level, clock: new ManualClock(), log: silentLog });
}

function get(path: string): FaultedRequest {
  return { method: 'GET', path, body: '' };
}

function sumOfOdds(level: 'none' | 'mild' | 'hostile', method: string): number {
  return oddsOf(level, method).reduce((sum, [, probability]) => sum + probability, 0);
}

describe('the plan of faults', () => {
  it.each([
    ['none', 'GET', 0, 0],
    ['mild', 'GET', 0.04, 0.08],
    ['mild', 'POST', 0.01, 0.03],
    ['hostile', 'GET', 0.3, 0.4],
    ['hostile', 'DELETE', 0.3, 0.4],
  ] as const)('hits a %s share of requests: %s', (level, method, low, high) => {
    const plan = planOf(1, level);
    const draws = Array.from({ length: 5000 }, (_, n) => plan.take({ ...get(`/${n}`), method }));
    const share = draws.filter((fault) => fault !== null).length / draws.length;
    expect(sumOfOdds(level, method)).toBeGreaterThanOrEqual(low);
    expect(sumOfOdds(level, method)).toBeLessThanOrEqual(high);
    expect(Math.abs(share - sumOfOdds(level, method))).toBeLessThan(0.02);
  });
});

describe('a requested fault', () => {
  it('hits the requested number of matching requests, whatever the level', () => {
    const plan = planOf(1, 'none');
    plan.request([{ kind: 'cut_body', path: '/posts', method: 'POST', times: 2 }]);
    const take = (method: string, path: string) =>
      plan.take({ method, path, body: '' })?.kind ?? null;
    expect(take('GET', '/posts/1')).toBeNull();
    expect(take('POST', '/postscript')).toBeNull();
    expect(take('POST', '/approvals?next=/posts')).toBeNull();
    expect(take('POST', '/posts/1/unschedule')).toBe('cut_body');
    expect(take('POST', '/posts?x=1')).toBe('cut_body');
    expect(take('POST', '/posts/1/unschedule')).toBeNull();
    expect(plan.describe().next).toEqual([]);
  });
});

const quiet = { level: 'none', next: [], counts: {}, injected: [] };

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

  it.each([
    [{ level: 'wild' }, { level: ['Invalid level, expected none, mild, hostile'] }],
    [
      { next: [{ kind: 'cut_body', path: '/api/v1/posts' }] },
      { 'next.0.path': ['Invalid path, expected one below the base URL, such as /posts'] },
    ],
    [
      { next: [{ kind: 'cut_body', method: 'get' }] },
      { 'next.0.method': ['Invalid method, expected GET, POST or DELETE'] },
    ],
    [JSON.parse('{"constructor": 1}'), { constructor: ['Unknown field, expected level, next'] }],
    [{ next: {} }, { next: ['Invalid list, expected faults'] }],
    [
      { next: [{ kind: 'slow_drip', path: 1, times: 1001, seconds: '40' }] },
      {
        'next.0.path': ['Invalid path, expected one below the base URL, such as /posts'],
        'next.0.times': ['Invalid number, expected a whole one from 1 to 1000'],
        'next.0.seconds': ['Invalid number, expected 0 to 600'],
      },
    ],
  ])('refuses %j and says why', async (wrong, errors) => {
    const { control } = await runSandbox();
    expect(await control('/faults', wrong)).toEqual({
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } },
    });
    expect((await control('/faults')).body).toEqual(quiet);
  });
});
