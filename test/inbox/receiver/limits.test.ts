import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { FailedAttempts } from '../../../src/inbox/receiver/failed-attempts.ts';
import { IncomingBytes } from '../../../src/inbox/receiver/incoming-bytes.ts';
import { RequestRate } from '../../../src/inbox/receiver/request-rate.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  numberedEvent,
  openRaw,
  parseAnswers,
  sendRaw,
  startTestReceiver,
  testSecret,
  untilClosed,
} from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const head = 'POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const tooSlow = {
  status: 408,
  headers: { connection: 'close' },
  body: { code: 'REQUEST_TIMEOUT', message: 'Request Timeout: it took too long to arrive' },
};

describe('a slow sender', () => {
  const hasty = { headersTimeoutMs: 50, requestTimeoutMs: 60_000 };
  const hastyBody = { headersTimeoutMs: 50, requestTimeoutMs: 50 };

  it.each([
    ['of headers', hasty, 'POST /webhooks HTTP/1.1\r\nHost:'],
    ['of nothing at all', hasty, ''],
    ['of a body', hastyBody, `${head}Content-Length: 100\r\n\r\n{"type":`],
    ['of chunks', hastyBody, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"typ`],
  ])('%s is answered 408 and cut', async (_, times, bytes) => {
    const limits = { ...times, checkIntervalMs: 10, lingerMs: 50 };
    const { port, lines } = await startTestReceiver({ limits });
    expect(parseAnswers(await untilClosed(openRaw(port, bytes)))).toMatchObject([tooSlow]);
    expect(lines).toMatchObject([{ level: 40, status: 408, address: '127.0.0.1' }]);
  });

  it('of a body that nobody wants has had its answer, and gets no second one', async () => {
    const webhooks = { tokens: [testSecret('right')] };
    const limits = {
      ...{ headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 },
      ...{ checkIntervalMs: 10, lingerMs: 60_000 },
    };
    const { port } = await startTestReceiver({ limits, webhooks });
    const text = await untilClosed(openRaw(port, `${head}Content-Length: 100\r\n\r\n{`));
    expect(parseAnswers(text)).toMatchObject([{ status: 401 }]);
  });

  it('does not hold up others', async () => {
    const { port, post } = await startTestReceiver();
    openRaw(port, `${head}Content-Length: 100\r\n\r\n{`);
    expect((await post(numberedEvent(1))).status).toBe(202);
  });
});

describe('connections', () => {
  it('that idle are closed after a while', async () => {
    const { port } = await startTestReceiver({ limits: { keepAliveMs: 10 } });
    const text = await untilClosed(openRaw(port, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'));
    expect(parseAnswers(text)).toMatchObject([{ status: 200 }]);
  });
});

describe('headers', () => {
  it('may be as many as fit into their bytes, with the token behind all others', async () => {
    const { port } = await startTestReceiver({ webhooks: { tokens: [testSecret('right')] } });
    const event = numberedEvent(1);
    const many = Array.from({ length: 2_000 }, () => 'X:\r\n').join('');
    const end = `Connection: close\r\nAuthorization: Bearer right\r\n\r\n${event}`;
    const request = `${head}Content-Length: ${event.length}\r\n${many}${end}`;
    expect(parseAnswers(await sendRaw(port, request))).toMatchObject([{ status: 202 }]);
  });
});

describe('the memory for bodies on their way', () => {
  it('has an end, and room again when senders leave', async () => {
    const { port, post, lines } = await startTestReceiver({ limits: { incomingBytes: 1_000 } });
    const slow = openRaw(port, `${head}Content-Length: 950\r\n\r\n${'x'.repeat(940)}`);
    let answer = await post(numberedEvent(1));
    // until what was sent first has arrived, there is room
    for (let n = 2; answer.status === 202; n += 1) answer = await post(numberedEvent(n));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await answer.json()).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Service Unavailable: the event was not stored, send it again',
    });
    slow.resetAndDestroy();
    await until(() =>
      lines.some(({ reason }) => reason === 'the sender left before its body was whole'),
    );
    expect((await post(numberedEvent(0))).status).toBe(202);
  });
});

describe('the memory for bodies of senders that have proved nothing', () => {
  it('has an end for each address, and leaves room for others', () => {
    const incoming = new IncomingBytes({ incomingBytes: 100, unverifiedBytes: 40 });
    const [one, other, proved] = [incoming.of('a'), incoming.of('b'), incoming.of(null)];
    expect([one.take(30), incoming.of('a').take(11), other.take(40)]).toEqual([true, false, true]);
    expect([proved.take(31), proved.take(30)]).toEqual([false, true]);
    one.give(30);
    expect([incoming.of('a').take(30), one.take(1)]).toEqual([true, false]);
  });

  it('is held to where only a signature would prove it', async () => {
    const secret = testSecret(`whsec_${Buffer.alloc(24, 7).toString('base64')}`);
    const limits = { unverifiedBytes: 100 };
    const event = JSON.stringify({
      ...(JSON.parse(numberedEvent(1)) as object),
      x: 'x'.repeat(99),
    });
    const unsigned = await startTestReceiver({ limits });
    expect((await unsigned.post(event)).status).toBe(503);
    const webhooks = { tokens: [testSecret('right')], signingSecrets: [secret] };
    const { post } = await startTestReceiver({ limits, webhooks });
    const signature = new Webhook(secret.reveal()).sign('msg_1', systemClock.now(), event);
    const timestamp = String(Math.floor(systemClock.now().getTime() / 1000));
    const headers = { 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    const right = { ...headers, 'webhook-id': 'msg_1', authorization: 'Bearer right' };
    expect((await post(event, right)).status).toBe(202);
  });
});

describe('the rate of requests', () => {
  it('is held over all senders in any second', () => {
    const clock = new ManualClock();
    const rate = new RequestRate(clock, 3);
    const take = () => rate.take();
    expect([take(), take()]).toEqual([true, true]);
    void clock.advance(900);
    clock.jumpTo('2030-01-01T00:00:00Z');
    expect([take(), take()]).toEqual([true, false]);
  });

  it('lets as many pass as have left the last second', async () => {
    const clock = new ManualClock();
    const rate = new RequestRate(clock, 3);
    const passed: number[] = [];
    for (let ms = 0; ms < 5_000; ms += 100) {
      if (rate.take()) passed.push(ms);
      await clock.advance(100);
    }
    expect(passed).toEqual(
      [0, 1_000, 2_000, 3_000, 4_000].flatMap((ms) => [ms, ms + 100, ms + 200]),
    );
  });

  it('is answered 429 beyond it, and wrong tokens use none of it up', async () => {
    const clock = new ManualClock();
    const webhooks = { tokens: [testSecret('right')], maxRequestsPerSecond: 2 };
    const { post, lines } = await startTestReceiver({ webhooks, clock });
    const right = { authorization: 'Bearer right' };
    for (let n = 0; n < 5; n += 1) expect((await post(numberedEvent(n))).status).toBe(401);
    expect((await post(numberedEvent(1), right)).status).toBe(202);
    expect((await post(numberedEvent(2), right)).status).toBe(202);
    const answer = await post(numberedEvent(3), right);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect([answer.status, await answer.json()]).toEqual([
      429,
      { code: 'TOO_MANY_REQUESTS', message: 'Too Many Requests' },
    ]);
    expect(lines.at(-1)).toMatchObject({ reason: 'more than max_requests_per_second' });
    await clock.advance(1_000);
    expect((await post(numberedEvent(3), right)).status).toBe(202);
  });
});

describe('failed authentications', () => {
  const right = { authorization: 'Bearer right' };

  it('are answered 429 beyond so many a minute, which a right token never is', async () => {
    const clock = new ManualClock();
    const webhooks = { tokens: [testSecret('right')] };
    const limits = { failuresPerMinute: 2 };
    const { post, lines } = await startTestReceiver({ webhooks, limits, clock });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await post(numberedEvent(n))).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect((await post(numberedEvent(1), right)).status).toBe(202);
    await clock.advance(20_000);
    expect((await post(numberedEvent(1))).headers.get('retry-after')).toBe('40');
    await clock.advance(40_000);
    expect((await post(numberedEvent(1))).status).toBe(401);
    expect(lines.map(({ status, msg }) => [status, msg])).toEqual([
      [401, 'refused'],
      [401, 'refused'],
      [undefined, 'event stored'],
      [429, '3 more failed authentications'],
      [401, 'refused'],
    ]);
  });

  it('of signatures are answered 429 too, and a right signature is not', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const webhooks = { signingSecrets: [testSecret(secret)] };
    const { post } = await startTestReceiver({ webhooks, limits: { failuresPerMinute: 1 } });
    const event = numberedEvent(1);
    const now = systemClock.now();
    const headers = (signature: string) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signature,
    });
    expect((await post(event)).status).toBe(401);
    expect((await post(event)).status).toBe(429);
    expect((await post(event, headers('v1,AAAA'))).status).toBe(429);
    const signature = new Webhook(secret).sign('msg_1', now, event);
    expect((await post(event, headers(signature))).status).toBe(202);
  });

  it('are counted by the address that a trusted proxy names', async () => {
    const webhooks = { tokens: [testSecret('right')], trustProxy: true };
    const { post } = await startTestReceiver({ webhooks, limits: { failuresPerMinute: 1 } });
    const from = async (forwarded: string) =>
      (await post('{}', { 'x-forwarded-for': forwarded })).status;
    expect(await from('192.0.2.1')).toBe(401);
    expect(await from('192.0.2.2')).toBe(401);
    expect(await from('192.0.2.9, 192.0.2.1')).toBe(429);
  });

  it('are counted in a table that has an end: addresses beyond it are one', () => {
    const attempts = new FailedAttempts(new ManualClock(), { failuresPerMinute: 2, addresses: 2 });
    expect(['a', 'b', 'a', 'a'].map((address) => attempts.add(address))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(['c', 'd', 'e', 'b'].map((address) => attempts.add(address))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(['a', 'b', 'f'].map((address) => attempts.add(address))).toEqual([true, true, true]);
  });
});
