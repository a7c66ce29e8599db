import { createServer, request as forward, type ServerResponse } from 'node:http';
import { readFile, readdir } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkspaceConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { InterruptedError } from '../../src/core/errors.ts';
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
import { listenOnLoopback } from '../support/loopback.ts';
import { failureOf, key, never, open } from './operation-samples.ts';

const profileId = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const window = { start: '2026-01-01', end: '2026-01-30' };

/** Reads analytics from a service with these behaviours. */
async function ask(...behaviours: Behaviour[]) {
  const service = await serve(...behaviours);
  const opened = await open(service.baseUrl);
  const answer = await opened.client.readAnalytics(profileId, window, never);
  return { ...opened, service, answer };
}

/** Returns the error of reading analytics from a service with this behaviour. */
async function failToAsk(behaviour: Behaviour, workspace: Partial<WorkspaceConfig> = {}) {
  const service = await serve(behaviour);
  const opened = await open(service.baseUrl, workspace);
  const error = await failureOf(opened.client.readAnalytics(profileId, window, never));
  return { ...opened, service, error };
}

async function failToReadPost(behaviour: Behaviour) {
  const { client } = await open((await serve(behaviour)).baseUrl);
  return { error: await failureOf(client.readDetail('post', 'p', never)) };
}

describe('the client', () => {
  it('asks for analytics as the API documents, and returns the body unchanged', async () => {
    const body = '[ {"id":"1", "emv":1.50}\n]';
    const { answer, clock, service } = await ask(text(200, body));
    expect(answer).toMatchObject({
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

  it('reads a post together with its undocumented fields', async () => {
    const post = { id: 'p1', title: 'Hello', mood: 'bright' };
    const service = await serve(json(200, { post }));
    const { client } = await open(service.baseUrl);
    expect(await client.readDetail('post', 'p/1 ä', never)).toMatchObject({
      detail: post,
      requests: 1,
      retries: 0,
    });
    expect(service.requests[0]?.url).toBe('/api/v1/posts/p%2F1%20%C3%A4');
  });

  it('decodes gzip', async () => {
    const { body } = (await ask(text(200, gzipSync('[1,2]'), { 'content-encoding': 'gzip' })))
      .answer;
    expect(body.toString()).toBe('[1,2]');
  });

  it('drops a byte order mark', async () => {
    const { body, records } = (await ask(text(200, '\ufeff[]'))).answer;
    expect({ body: body.toString(), records }).toEqual({ body: '[]', records: [] });
  });

  it('has no more requests in flight than its concurrency', async () => {
    const inFlight: ServerResponse[] = [];
    let most = 0;
    const service = await serve((response) => {
      inFlight.push(response);
      most = Math.max(most, inFlight.length);
      // The third request is answered only after a fourth has had time to arrive.
      if (inFlight.length === 3) {
        setTimeout(() => inFlight.splice(0).forEach((waiting) => waiting.end('[]')), 20);
      }
    });
    const { client } = await open(service.baseUrl, { concurrency: 3 });
    await Promise.all(
      Array.from({ length: 6 }, () => client.readAnalytics(profileId, window, never)),
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
    const port = await listenOnLoopback(proxy);
    onTestFinished(() => void vi.unstubAllEnvs());
    const service = await serve(json(200, { post: {} }));
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${port}`);
    vi.stubEnv('NO_PROXY', '');
    const proxied = await open(service.baseUrl);
    await proxied.client.readDetail('post', 'p1', never);
    expect(targets).toEqual([`${service.baseUrl}/posts/p1`]);
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    const direct = await open(service.baseUrl);
    await direct.client.readDetail('post', 'p1', never);
    expect(targets).toHaveLength(1);
  });
});

const refusals = [
  [401, 'Missing bearer token', 'API_KEY_MISSING', 'removes the Authorization header'],
  [401, 'Invalid or unauthorized API key', 'API_KEY_INVALID', 'check ACME_API_KEY'],
  [403, 'API key was revoked 3 days ago', 'API_KEY_REVOKED', 'set it as ACME_API_KEY'],
  [403, 'API key is expired', 'API_KEY_EXPIRED', 'create a new key'],
  [403, 'Invalid or unauthorized API key', 'API_KEY_DISABLED', 'is disabled'],
  [403, 'Insufficient permissions', 'API_INSUFFICIENT_PERMISSIONS', 'the right to do this'],
  [403, 'Insufficient credits', 'API_INSUFFICIENT_CREDITS', 'add credits'],
  [403, 'Usage exceeded', 'API_USAGE_EXCEEDED', 'raise its plan'],
  [403, 'Engagement profiles have none', 'API_ENGAGEMENT_PROFILE', 'workspaces.acme.profiles'],
  [403, 'Not today', 'API_FORBIDDEN', 'Not today (403)'],
  [404, 'Profile not found', 'API_NOT_FOUND', 'check the id'],
  [409, 'Already scheduled', 'API_CONFLICT', 'current state'],
  [418, 'Short and stout', 'API_UNEXPECTED_STATUS', 'does not use'],
] as const;

const reaches: Record<string, string> = {
  API_INSUFFICIENT_PERMISSIONS: 'profile',
  API_ENGAGEMENT_PROFILE: 'profile',
  API_FORBIDDEN: 'profile',
  API_NOT_FOUND: 'profile',
  API_CONFLICT: 'call',
  API_UNEXPECTED_STATUS: 'call',
};

describe('a refusal', () => {
  it.each(refusals)(
    '%i "%s" has its own error and is not retried: %s',
    async (status, message, code, advice) => {
      const { error, clock } = await failToAsk(refusal(status, 'WHATEVER', message));
      const reach = reaches[code] ?? 'workspace';
      const once = { method: 'GET', requests: 1, retries: 0, isRetryable: false };
      expect(error).toMatchObject({ code, status, reach, ...once });
      expect(error.message).toContain(
        `GET /analytics/linkedin/${profileId}/posts?startDate=2026-01-01&endDate=2026-01-30: ${message} (${status})`,
      );
      expect(error.message).toContain(advice);
      expect(clock.sleptMs).toEqual([]);
    },
  );

  it('names each invalid field and what is wrong with it', async () => {
    const errors = { startDate: ['Invalid date'], endDate: ['Invalid date', 'Too late'] };
    const { error } = await failToAsk(json(400, { message: 'Bad Request', data: { errors } }));
    expect(error).toMatchObject({ code: 'API_BAD_REQUEST', status: 400, fieldErrors: errors });
    expect(error.message).toContain('startDate: Invalid date; endDate: Invalid date, Too late');
  });

  it('that is a web page is reported without showing the page', async () => {
    const { error } = await failToReadPost(text(404, '<html>nginx</html>'));
    expect(error.message).toContain('HTTP 404 without a message from the API (404)');
    expect(error.message).toContain('workspaces.acme.base_url');
  });

  it('that redirects is not followed, so that the key is sent nowhere else', async () => {
    const { error } = await failToReadPost(
      text(302, '', { location: 'https://login.example.com/' }),
    );
    expect(error).toMatchObject({ code: 'API_REDIRECT', status: 302, requests: 1 });
    expect(error.message).toContain(
      'redirects to https://login.example.com/ (302); set workspaces.acme.base_url',
    );
  });

  it('never shows the key, even when the service quotes it', async () => {
    const long = `Invalid key ${key}\n${'x'.repeat(500)}`;
    const { client, dataDir, error } = await failToAsk(refusal(401, 'UNAUTHORIZED', long));
    expect(error.message).toContain('Invalid key [API key] xxx');
    expect(error.message.length).toBeLessThan(600);
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain(key);
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(key);
    for (const file of await readdir(join(dataDir, 'budget'))) {
      expect(await readFile(join(dataDir, 'budget', file), 'utf8')).not.toContain(key);
    }
  });

  it('comes before any request when the key cannot be put into a header', async () => {
    const service = await serve(json(200, []));
    const apiKey = new Secret('ACME_API_KEY', 'jobs.yaml: workspaces.acme.api_key', `${key}\n`);
    const { client } = await open(service.baseUrl, { apiKey });
    const error = await failureOf(client.readDetail('post', 'p', never));
    expect(error).toMatchObject({ code: 'API_KEY_UNUSABLE', requests: 0, reach: 'workspace' });
    expect(service.requests).toEqual([]);
  });
});

describe('a temporary failure', () => {
  it.each([
    ['a reset connection', reset],
    ['a cut body', cut],
    ['a body without its end', text(200, '[{"id":"1"}')],
    ['an empty body', text(200, '')],
    ['a body that is not JSON', text(200, 'oops')],
    ['a web page in place of the API', text(200, '<!doctype html>')],
    ['broken compression', text(200, 'not gzip', { 'content-encoding': 'gzip' })],
    ['500 INTERNAL_SERVER_ERROR', refusal(500, 'INTERNAL_SERVER_ERROR', 'Oops')],
    ['a gateway’s page', text(502, '<html>Bad gateway</html>')],
  ])('is tried again: %s', async (_, behaviour) => {
    const { answer, client, clock } = await ask(behaviour, behaviour, json(200, [{ id: '1' }]));
    expect(answer).toMatchObject({ records: [{ id: '1' }], requests: 3, retries: 2 });
    expect(clock.sleptMs).toEqual([250, 500]);
    expect([client.requests, client.retries, client.throttled]).toEqual([3, 2, 0]);
  });

  it.each([
    ['a reset connection', reset, 'API_UNREACHABLE', null, 'no answer from http://127.0.0.1:'],
    ['a cut body', cut, 'API_BODY_CUT', 200, 'was cut short'],
    ['a body that is not JSON', text(200, 'oops'), 'API_NOT_JSON', 200, 'it begins with "oops"'],
    [
      'a web page',
      text(200, '<!doctype html>'),
      'API_NOT_JSON',
      200,
      'workspaces.acme.base_url is probably not',
    ],
    ['503', refusal(503, 'UNAVAILABLE', 'Try later'), 'API_SERVER_ERROR', 503, 'Try later (503)'],
  ])('is reported after five attempts: %s', async (_, behaviour, code, status, message) => {
    const { error, clock, service } = await failToAsk(behaviour);
    expect(error).toMatchObject({ code, status, requests: 5, retries: 4, isRetryable: true });
    expect(error.message).toContain(message);
    expect(clock.sleptMs).toEqual([250, 500, 1000, 2000]);
    expect(service.requests).toHaveLength(5);
  });

  it.each([
    ['no answer', silence],
    ['an answer that never ends', drip],
  ])('is a timeout of the whole attempt: %s', async (_, behaviour) => {
    const { error } = await failToAsk(behaviour, { timeoutSeconds: 0.05 });
    expect(error).toMatchObject({ code: 'API_TIMEOUT', requests: 5, retries: 4 });
    expect(error.message).toContain(
      'no complete answer within 0.05 s; raise workspaces.acme.timeout_seconds',
    );
  });

  it('is a timeout, too: a connection that is never made', async () => {
    const server = createTcpServer((socket) => socket.on('error', () => undefined));
    const port = await listenOnLoopback(server);
    const { client } = await open(`https://127.0.0.1:${port}/api/v1`, { timeoutSeconds: 0.02 });
    const error = await failureOf(client.readDetail('post', 'p', never));
    expect(error).toMatchObject({ code: 'API_TIMEOUT', status: null, requests: 5 });
  });

  const sent = 'Wed, 15 Jan 2025 12:00:00 GMT';
  it.each([
    ['7', sent, 7_000],
    [' 1.5 ', sent, 1_500],
    ['120', sent, 120_000],
    ['Wed, 15 Jan 2025 12:00:09 GMT', sent, 9_000],
    ['Wednesday, 15-Jan-25 12:00:09 GMT', sent, 9_000],
    ['Wed Jan 15 12:00:09 2025', sent, 9_000],
    ['Thu, 15 Jan 2026 12:00:09 GMT', 'today', 9_000],
    ['Wed, 15 Jan 2025 11:00:00 GMT', sent, 250],
    ['-5', sent, 250],
    ['soon', sent, 250],
  ])(
    'is retried after the time that Retry-After asks for: %s',
    async (header, date, expectedMs) => {
      vi.stubEnv('TZ', 'America/New_York');
      onTestFinished(() => void vi.unstubAllEnvs());
      const headers = { 'retry-after': header, date };
      const busy = refusal(503, 'UNAVAILABLE', 'Try later', headers);
      const { clock } = await ask(busy, json(200, []));
      expect(clock.sleptMs).toEqual([expectedMs]);
    },
  );

  it('is reported at once when the service asks for a wait that is too long', async () => {
    const busy = refusal(503, 'UNAVAILABLE', 'Try later', { 'retry-after': '121' });
    const { error, clock } = await failToAsk(busy);
    expect(error).toMatchObject({ code: 'API_SERVER_ERROR', requests: 1 });
    expect(error.message).toContain(
      'Try later (503); the service has a problem, try again in 121 s',
    );
    expect(clock.sleptMs).toEqual([]);
  });
});

describe('an answer that does not have the form that the call returns', () => {
  it.each([
    ['{"code":"X"}', failToAsk, 'should be a list, but is an object'],
    ['"[]"', failToAsk, 'should be a list, but is a string'],
    ['[]', failToReadPost, 'should be an object with an object post, but is a list'],
    ['{"post":null}', failToReadPost, 'an object with an object post, but is one with null there'],
  ])('is refused: %s', async (body, fail, message) => {
    const { error } = await fail(text(200, body));
    expect(error).toMatchObject({ code: 'API_UNEXPECTED_BODY', status: 200, requests: 1 });
    expect(error.message).toContain(message);
  });
});

describe('an answer that is too large', () => {
  it.each([
    ['when its length is declared', text(200, `["${'x'.repeat(20_000)}"]`)],
    [
      'when its length is not declared',
      (response: ServerResponse) => response.write(`["${'x'.repeat(20_000)}"]`),
    ],
    [
      'once decompressed',
      text(200, gzipSync(Buffer.alloc(5_000_000, 32)), { 'content-encoding': 'gzip' }),
    ],
  ] satisfies [string, Behaviour][])('is refused at once: %s', async (_, behaviour) => {
    const service = await serve(behaviour);
    const { client } = await open(service.baseUrl, {}, { maxResponseBytes: 10_000 });
    const error = await failureOf(client.readAnalytics(profileId, window, never));
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

  it('is waited for as long as the service says, and does not count as an attempt', async () => {
    const { answer, client, clock } = await ask(
      ...Array.from({ length: 7 }, () => throttled(12)),
      json(200, []),
    );
    expect(answer).toMatchObject({ requests: 8, retries: 0 });
    expect([client.requests, client.retries, client.throttled]).toEqual([8, 0, 7]);
    expect(clock.sleptMs).toEqual([12_000, 12_000, 12_000, 12_000, 12_000, 12_000, 12_000]);
  });

  it.each([
    ['the later of message and header', throttled(5, { 'retry-after': '9' }), 9_000],
    ['a later message', throttled(9, { 'retry-after': '3' }), 9_000],
    ['the header alone', text(429, 'Slow down', { 'retry-after': '7' }), 7_000],
    ['a second at least', throttled(0.4), 1_000],
    ['the window of the limit if no time is given', text(429, 'Slow down'), 60_000],
  ])('waits for %s', async (_, behaviour, expectedMs) => {
    const { clock } = await ask(behaviour, json(200, []));
    expect(clock.sleptMs.reduce((sum, ms) => sum + ms, 0)).toBe(expectedMs);
  });

  it('stops the whole workspace, not one call', async () => {
    const service = await serve(throttled(30), json(200, []));
    const { client, clock } = await open(service.baseUrl, { concurrency: 1 });
    const startMs = clock.monotonicMs();
    const times = await Promise.all(
      [1, 2, 3].map(async () => {
        await client.readAnalytics(profileId, window, never);
        return clock.monotonicMs() - startMs;
      }),
    );
    expect(Math.min(...times)).toBeGreaterThanOrEqual(30_000);
    expect(service.requests).toHaveLength(4);
  });

  it('that never ends is ended by the signal', async () => {
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
  ])('is in no message: %s', async (_, status, body) => {
    const service = await serve(text(status, body));
    const { client } = await open(service.baseUrl);
    for (const call of [client.readDetail('post', 'p', never), client.getPost(profileId, never)]) {
      const error = await failureOf(call);
      const everything = `${error.message} ${error.explain()} ${error.stack ?? ''} ${inspect(error)}`;
      expect(everything).not.toContain(key.slice(0, 10));
    }
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
});
