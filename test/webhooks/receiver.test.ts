import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { eventsFolder, listEventKeys } from '../../src/store/event-store.ts';
import {
  numberedEvent,
  openRaw,
  sendRaw,
  startTestReceiver,
  testSecret,
  untilClosed,
} from '../support/receiver.ts';

const event = numberedEvent(1);
const token = 'a-token-of-32-characters-or-more';
const secret = (fill: number) => `whsec_${Buffer.alloc(24, fill).toString('base64')}`;

async function answerOf(answer: Promise<Response>) {
  const { status, headers, body } = await answer.then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: await response.json(),
  }));
  return { status, headers, body: body as Record<string, unknown> };
}

function signed(body: string | Buffer, fill: number, sentAt = new Date()) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret(fill)).sign('msg_1', sentAt, body),
  };
}

describe('POST /webhooks', () => {
  it('answers 202 once an event is on disk unchanged, and 200 to duplicates', async () => {
    const { post, dataDir, lines } = await startTestReceiver();
    const stored = await answerOf(post(event));
    expect([stored.status, stored.body]).toEqual([202, { status: 'stored' }]);
    const [key = ''] = await listEventKeys(dataDir);
    const path = join(eventsFolder(dataDir), key.slice(0, 2), `${key}.json`);
    const bytes = await readFile(path, 'utf8');
    expect(bytes).toMatch(/^\{"event_key":"[0-9a-f]{64}","received_at":"[^"]+Z","via":"http",/);
    expect(bytes).toContain(`"body":${event}}\n`);
    const repeat = await answerOf(post(`\ufeff${JSON.stringify(JSON.parse(event), null, 2)}`));
    expect([repeat.status, repeat.body]).toEqual([200, { status: 'duplicate' }]);
    expect(await readFile(path, 'utf8')).toBe(bytes);
    expect(lines).toMatchObject([
      { level: 30, type: 'test', key: key.slice(0, 12), msg: 'event stored' },
      { level: 30, type: 'test', key: key.slice(0, 12), msg: 'duplicate' },
    ]);
  });

  it('stores an event that has an unknown type or does not fit its type', async () => {
    const { post, storedEvents } = await startTestReceiver();
    const createdAt = '2026-01-15T12:00:00Z';
    for (const type of ['campaign.renamed', 'post.permanently_deleted']) {
      const body = JSON.stringify({ type, data: {}, createdAt });
      expect((await post(body)).status).toBe(202);
    }
    expect(await storedEvents()).toHaveLength(2);
  });

  const member = (name: string, value: string) =>
    JSON.stringify({ ...(JSON.parse(event) as object), [name]: 'VALUE' }).replace('"VALUE"', value);

  it.each([
    ['nothing', '', { body: ['is not JSON'] }],
    ['half an event', event.slice(0, 20), { body: ['is not JSON'] }],
    ['another text', 'hello', { body: ['is not JSON'] }],
    ['a list', `[${event}]`, { body: ['expected an object, got a list'] }],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), { body: ['is not UTF-8'] }],
    ['an empty object', '{}', { type: ['missing'], data: ['missing'], createdAt: ['missing'] }],
    ['no type', member('type', '""'), { type: ['expected text that is not empty, got ""'] }],
    ['data that is no object', member('data', '[]'), { data: ['expected an object, got a list'] }],
    [
      'a day for a time',
      member('createdAt', '"2026-02-30T10:00:00Z"'),
      {
        createdAt: ['expected an ISO 8601 time, got "2026-02-30T10:00:00Z"'],
      },
    ],
    [
      'a number without a canonical form',
      member('data', '{"n":1e999}'),
      { body: ['has a number beyond the range of a double'] },
    ],
    [
      'brackets in brackets',
      member('data', `{"n":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      { body: ['is nested more than 100 deep'] },
    ],
  ])('answers 400 to %s, and says what is wrong', async (_, body, errors) => {
    const { post, storedEvents } = await startTestReceiver();
    const answer = await answerOf(post(body));
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } },
    ]);
    expect(await storedEvents()).toEqual([]);
  });

  it('answers 413 to more than 1 MiB, whether the length is declared or not', async () => {
    const { post, url, storedEvents } = await startTestReceiver();
    const sized = (bytes: number) => {
      const [head = '', tail = ''] = event.replace('"n":1', '"n":"|"').split('|');
      return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`;
    };
    expect((await post(sized(1_048_576))).status).toBe(202);
    expect((await post(sized(1_048_577))).status).toBe(413);
    const headers = { 'content-type': 'application/json' };
    const chunked = request(url, { method: 'POST', headers });
    chunked.write(sized(2_000_000));
    chunked.end();
    const [response] = (await once(chunked, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(413);
    expect(await storedEvents()).toHaveLength(1);
  });

  it('answers 415, 405 and 404 to other types, methods and paths', async () => {
    const { post, url } = await startTestReceiver();
    for (const type of ['text/plain', 'application/jsonp', 'application/json; charset=latin1']) {
      expect([type, (await post(event, { 'content-type': type })).status]).toEqual([type, 415]);
    }
    expect((await post(event, { 'content-encoding': 'gzip' })).status).toBe(415);
    const labels = ['"UTF-8"', 'utf8', 'Unicode-1-1-UTF-8', 'us-ascii'];
    for (const [index, label] of labels.entries()) {
      const type = `application/cloudevents+json; v="charset=latin1"; charset=${label}`;
      const { status } = await post(event, {
        'content-type': type,
        'content-encoding': 'Identity',
      });
      expect([label, status]).toEqual([label, index === 0 ? 202 : 200]);
    }
    const types = [
      'Application/JSON',
      'application/json; profile="https://x.example/event;v=1"; charset=\'utf-8\'',
      'application/vnd.x+y+json;version=2',
      'application/json; charset=""',
      'application/json;;q',
    ];
    for (const type of types)
      expect([type, (await post(event, { 'content-type': type })).status]).toEqual([type, 200]);
    const got = await fetch(url);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(new URL('/webhooks/x', url))).status).toBe(404);
  });

  it('keeps running after input that is not HTTP, which Node answers', async () => {
    const { port, post } = await startTestReceiver();
    expect(await sendRaw(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    const long = `x-long: ${'x'.repeat(20_000)}`;
    expect(await sendRaw(port, `GET /health HTTP/1.1\r\nhost: x\r\n${long}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect((await post(event)).status).toBe(202);
  });

  it('answers 503 while it cannot store, reports that in its log and health, and recovers', async () => {
    const { post, dataDir, url, lines, metricsUrl } = await startTestReceiver({
      webhooks: { metricsPort: 0 },
    });
    const failing = async () => /^.*failing \d$/m.exec(await (await fetch(metricsUrl)).text())?.[0];
    await rm(join(dataDir, 'raw'), { recursive: true });
    await writeFile(join(dataDir, 'raw'), 'in the way');
    const answer = await answerOf(post(event));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(JSON.stringify(answer.body)).not.toContain(dataDir);
    expect(lines).toMatchObject([
      { level: 50, msg: 'an event could not be stored' },
      { status: 503 },
    ]);
    const health = await answerOf(fetch(new URL('/health', url)));
    expect([health.status, health.body['status']]).toEqual([503, 'failing']);
    expect(await failing()).toBe('postledger_webhook_failing 1');
    await rm(join(dataDir, 'raw'));
    expect((await fetch(new URL('/health', url))).status).toBe(200);
    expect((await post(event)).status).toBe(202);
    expect(await failing()).toBe('postledger_webhook_failing 0');
  });
});

describe('senders', () => {
  it('authenticate by a token: as bearer, in a configured header, or in the query', async () => {
    const { post, url, lines, storedEvents } = await startTestReceiver({
      webhooks: {
        tokens: [testSecret(token), testSecret('another+token/which-is-old=')],
        tokenHeader: 'X-Hook-Token',
      },
    });
    const type = { 'content-type': 'application/json' };
    const query = (value: string) =>
      fetch(`${url}?token=${value}`, { method: 'POST', headers: type, body: event });
    const right = [
      post(event, { authorization: `Bearer ${token}` }),
      post(event, { authorization: 'bearer another+token/which-is-old=' }),
      post(event, { 'x-hook-token': token }),
      query(token),
      query('another+token/which-is-old='),
    ];
    const wrong = [
      post(event),
      post(event, { authorization: `Basic ${token}` }),
      post(event, { authorization: `Bearer ${token}x` }),
      post(event, { authorization: 'Bearer ' }),
      post(event, { 'x-other': token }),
      query('wrong-token-of-a-sender'),
      query(''),
    ];
    expect((await Promise.all(right)).every(({ status }) => status < 300)).toBe(true);
    for (const answer of await Promise.all(wrong)) {
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { code: 'UNAUTHORIZED', message: 'Unauthorized' },
      ]);
    }
    expect(await storedEvents()).toHaveLength(1);
    const log = JSON.stringify(lines);
    for (const text of [token, 'wrong-token', 'which-is-old']) expect(log).not.toContain(text);
  });

  it('are refused without a token before their body is read', async () => {
    const { port } = await startTestReceiver({ webhooks: { tokens: [testSecret(token)] } });
    const head = 'POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n{';
    const socket = openRaw(port, head);
    const [chunk] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
    expect(chunk).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('authenticate by a signature over the raw body, made with any of the secrets', async () => {
    const { post, lines } = await startTestReceiver({
      webhooks: { signingSecrets: [testSecret(secret(1)), testSecret(secret(2))] },
    });
    const spaced = ` ${event}`;
    expect((await post(spaced, signed(spaced, 2))).status).toBe(202);
    expect((await post(event, signed(event, 1))).status).toBe(200);
    const bySvix = Object.entries(signed(event, 1)).map(([name, value]) => [
      name.replace('webhook-', 'svix-'),
      value,
    ]);
    expect((await post(event, Object.fromEntries(bySvix) as Record<string, string>)).status).toBe(
      200,
    );
    const late = new Date(Date.now() - 301_000);
    for (const headers of [{}, signed(spaced, 1), signed(event, 3), signed(event, 1, late)]) {
      expect((await post(event, headers)).status).toBe(401);
    }
    expect(lines.slice(3).map(({ reason }) => reason)).toEqual([
      'Missing required headers',
      'No matching signature found',
      'No matching signature found',
      'Message timestamp too old',
    ]);
  });

  it('need a token and a signature if both are configured', async () => {
    const { post } = await startTestReceiver({
      webhooks: { tokens: [testSecret(token)], signingSecrets: [testSecret(secret(1))] },
    });
    const authorization = `Bearer ${token}`;
    expect((await post(event, { authorization })).status).toBe(401);
    expect((await post(event, signed(event, 1))).status).toBe(401);
    expect((await post(event, { authorization, ...signed(event, 1) })).status).toBe(202);
  });

  it('can only be programs on this machine, not web pages, if nothing is configured', async () => {
    const { port, url, post } = await startTestReceiver();
    const send = async (headers: Record<string, string>) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const fixed = `content-type: application/json\r\ncontent-length: ${event.length}\r\nconnection: close\r\n`;
      const answer = await sendRaw(
        port,
        `POST /webhooks HTTP/1.1\r\n${lines.join('')}${fixed}\r\n${event}`,
      );
      return Number(answer.slice(9, 12));
    };
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, '127.0.0.2']) {
      expect([host, await send({ host })]).toEqual([host, expect.toBeOneOf([200, 202])]);
    }
    expect(await send({ host: 'rebound.example.com' })).toBe(403);
    expect(await send({ host: 'localhost.example.com' })).toBe(403);
    const { host } = new URL(url);
    expect(await send({ host, origin: 'https://page.example.com' })).toBe(403);
    expect(await send({ host, origin: 'null' })).toBe(403);
    expect((await post(event, { origin: `http://${host}` })).status).toBe(200);
  });

  it('are named in the log, by the address that a trusted proxy gives', async () => {
    const tokens = [testSecret(token)];
    const forwarded = { 'x-forwarded-for': '203.0.113.7, 198.51.100.2' };
    for (const [trustProxy, address] of [
      [true, '198.51.100.2'],
      [false, '127.0.0.1'],
    ] as const) {
      const { post, lines } = await startTestReceiver({ webhooks: { tokens, trustProxy } });
      await post(event, forwarded);
      expect(lines).toMatchObject([{ status: 401, address, reason: 'no valid token' }]);
    }
  });
});

describe('a receiver', () => {
  it('answers the requests in flight when it stops', async () => {
    const { port, close, storedEvents } = await startTestReceiver();
    const head = `POST /webhooks HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${event.length}\r\n\r\n`;
    const socket = openRaw(port, `${head}${event.slice(0, 10)}`);
    const answer = untilClosed(socket);
    const idle = openRaw(port, 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await once(idle, 'data');
    const closed = close();
    await once(idle, 'close');
    socket.write(event.slice(10));
    expect(await answer).toMatch(/^HTTP\/1\.1 202 [^]*connection: close[^]*"stored"/i);
    await closed;
    expect(await storedEvents()).toHaveLength(1);
  });

  it('serves metrics for Prometheus', async () => {
    const { post, metricsUrl } = await startTestReceiver({ webhooks: { metricsPort: 0 } });
    for (const body of [event, event, '{}']) await post(body);
    const exposed = await (await fetch(metricsUrl)).text();
    for (const line of [
      'postledger_webhook_requests_total{status="202"} 1',
      'postledger_webhook_events_total{outcome="stored"} 1',
      'postledger_webhook_events_total{outcome="duplicate"} 1',
      'postledger_webhook_events_total{outcome="refused"} 1',
      'postledger_webhook_store_seconds_count 2',
    ]) {
      expect(exposed).toContain(`${line}\n`);
    }
    // promtool refuses gauges with the names of counters
    expect(exposed).not.toMatch(/^# TYPE \w+_total gauge$/m);
  });
});
