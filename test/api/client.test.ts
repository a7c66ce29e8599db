import { createServer, request as forward, type ServerResponse } from 'node:http';
import { readFile, readdir } from 'node:fs/promises';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkspaceClientOptions } from '../../src/api/client-options.ts';
import { WorkspaceClient } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/api-error.ts';
import type { WorkspaceConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type Behaviour,
  cut,
  drip,
  json,
  refusal,
  reset,
  serve,
  silence,
  text,
} from './bad-service.ts';
import { RecordingClock } from './recording-clock.ts';

const key = 'sk_live_0123456789';
const profileId = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const window = { start: '2026-01-01', end: '2026-01-30' };
const signal = new AbortController().signal;

interface Opened {
  client: WorkspaceClient;
  clock: RecordingClock;
  dataDir: string;
}

async function open(
  baseUrl: string,
  workspace: Partial<WorkspaceConfig> = {},
  options: Partial<WorkspaceClientOptions> = {},
): Promise<Opened> {
  const dataDir = await temporaryFolder();
  const clock = new RecordingClock();
  const client = new WorkspaceClient({
    workspace: {
      key: 'acme',
      baseUrl,
      apiKey: new Secret('ACME_API_KEY', 'jobs.yaml: workspaces.acme.api_key', key),
      rateLimit: { requests: 100, perSeconds: 60 },
      concurrency: 4,
      timeoutSeconds: 5,
      slug: 'acme',
      linkedPostField: 'servicePost',
      profiles: [],
      ...workspace,
    },
    dataDir,
    clock,
    log: silentLog,
    version: '1.2.3',
    random: () => 0.5,
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, clock, dataDir };
}

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('the client', () => {
  it('asks for analytics as the API wants it, and gives the body as it came', async () => {
    const body = '[ {"id":"1", "emv":1.50}\n]';
    const service = await serve(text(200, body));
    const { client, clock } = await open(service.baseUrl);
    const answer = await client.readAnalytics(profileId, window, { signal });
    expect(answer).toEqual({
      body: Buffer.from(body),
      fetchedAt: clock.now(),
      requests: 1,
      retries: 0,
      records: [{ id: '1', emv: 1.5 }],
    });
    const [request] = service.requests;
    expect(request?.method).toBe('GET');
    expect(request?.url).toBe(
      `/api/v1/analytics/linkedin/${profileId}/posts?startDate=2026-01-01&endDate=2026-01-30`,
    );
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'user-agent': 'postledger/1.2.3',
      accept: 'application/json',
    });
  });

  it('reads a post, with the fields that nobody told it of', async () => {
    const post = { id: 'p1', title: 'Hello', mood: 'bright' };
    const service = await serve(json(200, { post }));
    const { client } = await open(service.baseUrl);
    expect(await client.readPost('p/1 ä', { signal })).toMatchObject({
      post,
      requests: 1,
      retries: 0,
    });
    expect(service.requests[0]?.url).toBe('/api/v1/posts/p%2F1%20%C3%A4');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('undoes %s', async (encoding, compress) => {
    const service = await serve(text(200, compress('[1,2]'), { 'content-encoding': encoding }));
    const { client } = await open(service.baseUrl);
    const { body } = await client.readAnalytics(profileId, window, { signal });
    expect(body.toString()).toBe('[1,2]');
  });

  it('has no more requests under way than its concurrency', async () => {
    const underway: ServerResponse[] = [];
    let most = 0;
    const service = await serve((response) => {
      underway.push(response);
      most = Math.max(most, underway.length);
      // Nobody is answered before the last one that may come has come, and a fourth had its time to.
      if (underway.length === 3) {
        setTimeout(() => underway.splice(0).forEach((waiting) => waiting.end('[]')), 20);
      }
    });
    const { client } = await open(service.baseUrl, { concurrency: 3 });
    await Promise.all(
      Array.from({ length: 6 }, () => client.readAnalytics(profileId, window, { signal })),
    );
    expect(most).toBe(3);
  });

  it('goes through the proxy of the environment, unless NO_PROXY names the host', async () => {
    const targets: string[] = [];
    const proxy = createServer();
    proxy.on('request', (request, response) => {
      targets.push(request.url ?? '');
      const { headers, url = '' } = request;
      forward(url, { headers }, (answer) => answer.pipe(response)).end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      proxy.close();
      proxy.closeAllConnections();
      vi.unstubAllEnvs();
    });
    const service = await serve(json(200, { post: {} }));
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    vi.stubEnv('NO_PROXY', '');
    const proxied = await open(service.baseUrl);
    await proxied.client.readPost('p1', { signal });
    expect(targets).toEqual([`${service.baseUrl}/posts/p1`]);
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    const direct = await open(service.baseUrl);
    await direct.client.readPost('p1', { signal });
    expect(targets).toHaveLength(1);
  });
});

const refusals: [number, string, string, object, string][] = [
  [
    401,
    'UNAUTHORIZED',
    'Missing bearer token',
    { code: 'API_KEY_MISSING', reach: 'workspace' },
    'takes the Authorization header away',
  ],
  [
    401,
    'UNAUTHORIZED',
    'Invalid or unauthorized API key',
    { code: 'API_KEY_INVALID', reach: 'workspace' },
    'check ACME_API_KEY',
  ],
  [
    403,
    'FORBIDDEN',
    'API key was revoked 3 days ago',
    { code: 'API_KEY_REVOKED', reach: 'workspace' },
    'set it as ACME_API_KEY',
  ],
  [
    403,
    'FORBIDDEN',
    'API key is expired',
    { code: 'API_KEY_EXPIRED', reach: 'workspace' },
    'create a new key',
  ],
  [
    403,
    'FORBIDDEN',
    'Invalid or unauthorized API key',
    { code: 'API_KEY_DISABLED', reach: 'workspace' },
    'is disabled',
  ],
  [
    403,
    'FORBIDDEN',
    'Insufficient permissions',
    { code: 'API_INSUFFICIENT_PERMISSIONS', reach: 'profile' },
    'the right to do this',
  ],
  [
    403,
    'FORBIDDEN',
    'Insufficient credits',
    { code: 'API_INSUFFICIENT_CREDITS', reach: 'workspace' },
    'add credits',
  ],
  [
    403,
    'FORBIDDEN',
    'Usage exceeded',
    { code: 'API_USAGE_EXCEEDED', reach: 'workspace' },
    'raise its plan',
  ],
  [
    403,
    'FORBIDDEN',
    'Engagement profiles cannot be used for analytics',
    { code: 'API_ENGAGEMENT_PROFILE', reach: 'profile' },
    'workspaces.acme.profiles',
  ],
  [403, 'FORBIDDEN', 'Not today', { code: 'API_FORBIDDEN', reach: 'profile' }, 'Not today (403)'],
  [
    404,
    'NOT_FOUND',
    'Profile not found',
    { code: 'API_NOT_FOUND', reach: 'profile' },
    'check the id',
  ],
  [409, 'CONFLICT', 'Already scheduled', { code: 'API_CONFLICT', reach: 'call' }, 'present state'],
  [
    418,
    'TEAPOT',
    'Short and stout',
    { code: 'API_UNEXPECTED_STATUS', reach: 'call' },
    'never answers',
  ],
];

describe('a refusal', () => {
  it.each(refusals)(
    '%i %s "%s" is one error of its own, and final',
    async (status, code, message, expected, advice) => {
      const service = await serve(refusal(status, code, message));
      const { client, clock } = await open(service.baseUrl);
      const error = await failure(client.readAnalytics(profileId, window, { signal }));
      expect(error).toMatchObject({
        ...expected,
        status,
        method: 'GET',
        requests: 1,
        retries: 0,
        isRetryable: false,
      });
      expect(error.message).toContain(
        `GET /analytics/linkedin/${profileId}/posts?startDate=2026-01-01&endDate=2026-01-30: ${message} (${status})`,
      );
      expect(error.message).toContain(advice);
      expect(clock.sleptMs).toEqual([]);
    },
  );

  it('of values names each field and what is wrong with it', async () => {
    const errors = { startDate: ['Invalid date'], endDate: ['Invalid date', 'Too late'] };
    const service = await serve(
      json(400, { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } }),
    );
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readAnalytics(profileId, window, { signal }));
    expect(error).toMatchObject({ code: 'API_BAD_REQUEST', status: 400, fieldErrors: errors });
    expect(error.message).toContain('startDate: Invalid date; endDate: Invalid date, Too late');
  });

  it('shows every field that it can, whatever form the others have', async () => {
    const errors = { postId: 'Invalid uuid', approvals: ['Required', null, { at: 1 }], x: [] };
    const service = await serve(json(422, { message: 'Bad Request', data: { errors } }));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readPost('p', { signal }));
    expect(error.explain()).toBe(
      [
        'GET /posts/p: Bad Request (422)',
        '  postId: Invalid uuid',
        '  approvals: Required, null, in a form that cannot be shown',
        '  x: refused without a reason',
        'correct this and try again',
      ].join('\n'),
    );
  });

  it('shows no more fields than can be read', async () => {
    const errors = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, ['no']]));
    const service = await serve(json(400, { message: 'Bad Request', data: { errors } }));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readPost('p', { signal }));
    expect(error.explain().split('\n')).toHaveLength(1 + 20 + 1 + 1);
    expect(error.message).toContain('; f19: no; and 30 more fields; correct');
  });

  it('that is a web page says so without showing it', async () => {
    const service = await serve(text(404, '<html>nginx</html>'));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readPost('p', { signal }));
    expect(error.message).toContain('HTTP 404 without a message of the API (404)');
    expect(error.message).toContain('workspaces.acme.base_url');
  });

  it('reads the message of an error whose code is missing and whose data nobody foresaw', async () => {
    const service = await serve(json(400, { message: 'Oops', data: 'see the log' }));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readPost('p', { signal }));
    expect(error.message).toContain('Oops (400); see what the API expects here');
  });

  it('by redirection is not followed, so that the key goes nowhere else', async () => {
    const service = await serve(text(302, '', { location: 'https://login.example.com/' }));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readPost('p', { signal }));
    expect(error).toMatchObject({ code: 'API_REDIRECT', status: 302, requests: 1 });
    expect(error.message).toContain(
      'redirects to https://login.example.com/ (302); set workspaces.acme.base_url',
    );
  });

  it('never shows the key, even when the service quotes it', async () => {
    const service = await serve(
      refusal(401, 'UNAUTHORIZED', `Invalid key ${key}\n${'x'.repeat(500)}`),
    );
    const { client, dataDir } = await open(service.baseUrl);
    const error = await failure(client.readPost('p', { signal }));
    expect(error.message).toContain('Invalid key [API key] xxx');
    expect(error.message.length).toBeLessThan(600);
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain(key);
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(key);
    for (const file of await readdir(join(dataDir, 'budget'))) {
      expect(await readFile(join(dataDir, 'budget', file), 'utf8')).not.toContain(key);
    }
  });

  it('comes before any request when the key cannot be sent', async () => {
    const service = await serve(json(200, []));
    const apiKey = new Secret('ACME_API_KEY', 'jobs.yaml: workspaces.acme.api_key', `${key}\n`);
    const { client } = await open(service.baseUrl, { apiKey });
    const error = await failure(client.readPost('p', { signal }));
    expect(error).toMatchObject({ code: 'API_KEY_UNUSABLE', requests: 0, reach: 'workspace' });
    expect(service.requests).toEqual([]);
  });
});

describe('a failure that can heal', () => {
  it.each([
    ['a reset connection', reset],
    ['a cut body', cut],
    ['a body without its end', text(200, '[{"id":"1"}')],
    ['an empty body', text(200, '')],
    ['a body that is no JSON', text(200, 'oops')],
    ['a web page in place of the API', text(200, '<!doctype html>')],
    ['broken compression', text(200, 'not gzip', { 'content-encoding': 'gzip' })],
    ['500 INTERNAL_SERVER_ERROR', refusal(500, 'INTERNAL_SERVER_ERROR', 'Oops')],
    ['a gateway’s page', text(502, '<html>Bad gateway</html>')],
  ])('is tried again: %s', async (_, behaviour) => {
    const service = await serve(behaviour, behaviour, json(200, [{ id: '1' }]));
    const { client, clock } = await open(service.baseUrl);
    const answer = await client.readAnalytics(profileId, window, { signal });
    expect(answer).toMatchObject({ records: [{ id: '1' }], requests: 3, retries: 2 });
    expect(clock.sleptMs).toEqual([250, 500]);
    expect([client.requests, client.retries, client.throttled]).toEqual([3, 2, 0]);
  });

  it.each([
    ['a reset connection', reset, 'API_UNREACHABLE', null, 'no answer from http://127.0.0.1:'],
    ['a cut body', cut, 'API_BODY_CUT', 200, 'was cut short'],
    ['a body that is no JSON', text(200, 'oops'), 'API_NOT_JSON', 200, 'it begins with "oops"'],
    [
      'a web page',
      text(200, '<!doctype html>'),
      'API_NOT_JSON',
      200,
      'workspaces.acme.base_url is probably not',
    ],
    ['503', refusal(503, 'UNAVAILABLE', 'Try later'), 'API_SERVER_ERROR', 503, 'Try later (503)'],
  ])('is given up after five attempts: %s', async (_, behaviour, code, status, message) => {
    const service = await serve(behaviour);
    const { client, clock } = await open(service.baseUrl);
    const error = await failure(client.readAnalytics(profileId, window, { signal }));
    expect(error).toMatchObject({ code, status, requests: 5, retries: 4, isRetryable: true });
    expect(error.message).toContain(message);
    expect(clock.sleptMs).toEqual([250, 500, 1000, 2000]);
    expect(service.requests).toHaveLength(5);
  });

  it.each([
    ['no answer', silence],
    ['an answer that drips', drip],
  ])('is a time-out of the whole attempt: %s', async (_, behaviour) => {
    const service = await serve(behaviour);
    const { client } = await open(service.baseUrl, { timeoutSeconds: 0.05 });
    const error = await failure(client.readAnalytics(profileId, window, { signal }));
    expect(error).toMatchObject({ code: 'API_TIMEOUT', requests: 5, retries: 4 });
    expect(error.message).toContain(
      'no whole answer in 0.05 s; raise workspaces.acme.timeout_seconds',
    );
  });

  it('is a service that is not there', async () => {
    const { client } = await open('http://127.0.0.1:9/api/v1');
    const error = await failure(client.readPost('p', { signal }));
    expect(error).toMatchObject({ code: 'API_UNREACHABLE', status: null, requests: 5, retries: 4 });
    expect(error.message).toContain('no answer from http://127.0.0.1:9 (ECONNREFUSED)');
  });

  it.each([
    ['7', 7_000],
    ['Thu, 15 Jan 2026 12:00:09 GMT', 9_000],
    ['120', 120_000],
    ['soon', 250],
  ])('waits as Retry-After: %s asks', async (header, expectedMs) => {
    const busy = refusal(503, 'UNAVAILABLE', 'Try later', { 'retry-after': header });
    const service = await serve(busy, json(200, []));
    const { client, clock } = await open(service.baseUrl);
    await client.readAnalytics(profileId, window, { signal });
    expect(clock.sleptMs).toEqual([expectedMs]);
  });

  it('is given up at once when the service asks for more time than a run has', async () => {
    const busy = refusal(503, 'UNAVAILABLE', 'Try later', { 'retry-after': '121' });
    const service = await serve(busy);
    const { client, clock } = await open(service.baseUrl);
    const error = await failure(client.readAnalytics(profileId, window, { signal }));
    expect(error).toMatchObject({ code: 'API_SERVER_ERROR', requests: 1 });
    expect(error.message).toContain(
      'Try later (503); the service has a problem, try again in 121 s',
    );
    expect(clock.sleptMs).toEqual([]);
  });
});

describe('an answer that is not what the call gives', () => {
  it.each([
    ['{"code":"X"}', 'should be a list, and is an object'],
    ['"[]"', 'should be a list, and is a string'],
  ])('is refused where a list is due: %s', async (body, message) => {
    const service = await serve(text(200, body));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readAnalytics(profileId, window, { signal }));
    expect(error).toMatchObject({ code: 'API_UNEXPECTED_BODY', status: 200, requests: 1 });
    expect(error.message).toContain(message);
  });

  it.each([
    ['[]', 'and is a list'],
    ['{"post":null}', 'and is one with null there'],
  ])('is refused where a post is due: %s', async (body, message) => {
    const service = await serve(text(200, body));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readPost('p', { signal }));
    expect(error.message).toContain(`should be an object with an object post, ${message}`);
  });
});

describe('an answer that is too large', () => {
  it.each([
    ['as it comes', text(200, `["${'x'.repeat(20_000)}"]`)],
    [
      'without telling its length',
      (response: ServerResponse) => response.write(`["${'x'.repeat(20_000)}"]`),
    ],
    [
      'once decompressed',
      text(200, gzipSync(Buffer.alloc(5_000_000, 32)), { 'content-encoding': 'gzip' }),
    ],
  ] satisfies [string, Behaviour][])('is refused at once: %s', async (_, behaviour) => {
    const service = await serve(behaviour);
    const { client } = await open(service.baseUrl, {}, { maxResponseBytes: 10_000 });
    const error = await failure(client.readAnalytics(profileId, window, { signal }));
    expect(error).toMatchObject({ code: 'API_RESPONSE_TOO_LARGE', requests: 1, retries: 0 });
    expect(error.message).toContain('larger than 10000 bytes and was refused');
  });
});

describe('a 429', () => {
  const throttled = (seconds: number, headers = {}) =>
    refusal(
      429,
      'TOO_MANY_REQUESTS',
      `Rate limit of 100 requests per 60s exceeded. Quota resets in ${seconds} seconds`,
      headers,
    );

  it('is waited out as long as the service says, and uses up no attempt', async () => {
    const service = await serve(...Array.from({ length: 7 }, () => throttled(12)), json(200, []));
    const { client, clock } = await open(service.baseUrl);
    const answer = await client.readAnalytics(profileId, window, { signal });
    expect(answer).toMatchObject({ requests: 8, retries: 0 });
    expect([client.requests, client.retries, client.throttled]).toEqual([8, 0, 7]);
    expect(clock.sleptMs).toEqual([12_000, 12_000, 12_000, 12_000, 12_000, 12_000, 12_000]);
  });

  it.each([
    ['the later of message and header', throttled(5, { 'retry-after': '9' }), 9_000],
    ['never nothing', throttled(0), 1_000],
    ['the window of the limit, when nothing is said', text(429, 'Slow down'), 60_000],
  ])('waits for %s', async (_, behaviour, expectedMs) => {
    const service = await serve(behaviour, json(200, []));
    const { client, clock } = await open(service.baseUrl);
    await client.readAnalytics(profileId, window, { signal });
    expect(clock.sleptMs.reduce((sum, ms) => sum + ms, 0)).toBe(expectedMs);
  });

  it('stops the whole workspace, not one call', async () => {
    const service = await serve(throttled(30), json(200, []));
    const { client, clock } = await open(service.baseUrl, { concurrency: 1 });
    const startMs = clock.monotonicMs();
    const times = await Promise.all(
      [1, 2, 3].map(async () => {
        await client.readAnalytics(profileId, window, { signal });
        return clock.monotonicMs() - startMs;
      }),
    );
    expect(Math.min(...times)).toBeGreaterThanOrEqual(30_000);
    expect(service.requests).toHaveLength(4);
  });

  it('that never ends is left by the signal', async () => {
    const service = await serve(throttled(1));
    const { client } = await open(service.baseUrl);
    const stop = new AbortController();
    service.server.on('request', () => {
      if (service.requests.length >= 20) stop.abort();
    });
    const reading = client.readAnalytics(profileId, window, { signal: stop.signal });
    await expect(reading).rejects.toThrow(InterruptedError);
    expect(client.throttled).toBeGreaterThanOrEqual(19);
  });
});

describe('a key that the service quotes', () => {
  it.each([
    ['a page', 200, `<html>${key}</html>`],
    ['the end of what is shown', 200, `<html><body class="login page">${key}`],
    ['a URL', 400, JSON.stringify({ message: `/?k=${encodeURIComponent(key)}` })],
    ['a field', 400, JSON.stringify({ message: '', data: { errors: { [key]: [key] } } })],
  ])('stands in no message: %s', async (_, status, body) => {
    const service = await serve(text(status, body));
    const { client } = await open(service.baseUrl);
    for (const call of [client.readPost('p', { signal }), client.getPost(profileId, { signal })]) {
      const error = await failure(call);
      const everything = `${error.message} ${error.explain()} ${error.stack ?? ''} ${inspect(error)}`;
      expect(everything).not.toContain(key.slice(0, 10));
    }
  });
});

describe('a byte order mark', () => {
  it('is no part of an answer', async () => {
    const service = await serve(text(200, '\ufeff[]'));
    const { client } = await open(service.baseUrl);
    const { body, records } = await client.readAnalytics(profileId, window, { signal });
    expect({ body: body.toString(), records }).toEqual({ body: '[]', records: [] });
  });
});

describe('days that are none', () => {
  it.each([
    [{ start: '2026-02-30', end: '2026-03-01' }, 'startDate: Invalid date'],
    [{ start: '2026-02-01T00:00:00Z', end: '2026-03-01' }, 'startDate: Invalid date'],
    [{ start: '2026-02-02', end: '2026-02-01' }, 'startDate: is after 2026-02-01'],
  ])('are not asked for: %j', async (days, message) => {
    const service = await serve(text(200, '[]'));
    const { client } = await open(service.baseUrl);
    const error = await failure(client.readAnalytics(profileId, days, { signal }));
    expect(error).toMatchObject({ code: 'API_REQUEST_INVALID', requests: 0 });
    expect(error.message).toContain(message);
    expect(service.requests).toHaveLength(0);
  });
});

describe('a connection that is never made', () => {
  async function stalled(): Promise<string> {
    const server = createTcpServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  }

  it('is a time-out like any other', async () => {
    const { client } = await open(await stalled(), { timeoutSeconds: 0.02 });
    const error = await failure(client.readPost('p', { signal }));
    expect(error).toMatchObject({ code: 'API_TIMEOUT', status: null, requests: 5 });
  });

  it('is left at once when the call is stopped', async () => {
    const { client } = await open(await stalled(), { timeoutSeconds: 30 });
    const stop = new AbortController();
    const reading = client.readPost('p', { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(reading).rejects.toThrow(InterruptedError);
  });
});

describe('a call that is stopped', () => {
  it.each([
    ['before an answer', silence],
    ['within an answer', drip],
  ])('ends at once: %s', async (_, behaviour) => {
    const service = await serve(behaviour);
    const { client } = await open(service.baseUrl);
    const stop = new AbortController();
    service.server.on('request', () => setImmediate(() => stop.abort()));
    const reading = client.readAnalytics(profileId, window, { signal: stop.signal });
    await expect(reading).rejects.toThrow(InterruptedError);
    expect(service.requests).toHaveLength(1);
  });

  it('sends nothing when it was stopped before', async () => {
    const service = await serve(json(200, []));
    const { client } = await open(service.baseUrl);
    const reading = client.readAnalytics(profileId, window, { signal: AbortSignal.abort() });
    await expect(reading).rejects.toThrow(InterruptedError);
    expect(client.requests).toBe(0);
  });
});
