import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../../src/core/clock.ts';
import type { Answer } from '../../../src/inbox/receiver/answer.ts';
import { defaultLimits, type ReceiverLimits } from '../../../src/inbox/receiver/limits.ts';
import { listen } from '../../../src/inbox/receiver/listening.ts';
import { RequestServer } from '../../../src/inbox/receiver/request-server.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  numberedEvent,
  openRaw,
  parseAnswers,
  startTestReceiver,
  testSecret,
  untilClosed,
} from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
const postHead = 'POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const halfBody = `${postHead}Content-Length: 100\r\n\r\n{`;
const tooMany = 'too many connections are open';

/** Answers come when a test says so. */
async function startServer(limits: Partial<ReceiverLimits>, clock: Clock = systemClock) {
  const waiting: ((answer: Answer) => void)[] = [];
  const told: string[] = [];
  const server = new RequestServer({
    ...{ limits: { ...defaultLimits, stopGraceMs: 0, ...limits }, isProxyTrusted: false, clock },
    respond: () => new Promise((resolve) => waiting.push(resolve)),
    onBroken: ({ code }, address) => told.push(`${code} ${address}`),
    onDrop: (_, reason) => told.push(reason),
    onFailure: (error) => told.push(String(error)),
  });
  const place = { host: '127.0.0.1', port: 0, setting: 'webhooks.port' };
  const { port } = new URL(await listen(server.server, place, () => undefined));
  onTestFinished(() => server.stop());
  const answerAll = () => {
    for (const resolve of waiting.splice(0)) resolve({ status: 200, body: '{}' });
  };
  return { port: Number(port), waiting, told, answerAll, stop: () => server.stop() };
}

async function openConnected(port: number, bytes: string) {
  const socket = openRaw(port, bytes);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request on an open connection, and waits for the answer. */
async function askHealth(socket: ReturnType<typeof openRaw>) {
  socket.write(health);
  return parseAnswers(String((await once(socket, 'data'))[0]));
}

describe('connections beyond the limit', () => {
  it.each([
    ['that say nothing', ''],
    ['with half a head', 'POST /webhooks HTTP/1.1\r\nHost: x\r\n'],
    ['with half a body', halfBody],
  ])('%s make room for others, at once', async (_, bytes) => {
    const { port, post, lines } = await startTestReceiver({ limits: { connections: 10 } });
    for (let n = 0; n < 30; n += 1) await openConnected(port, bytes);
    for (let n = 0; n < 5; n += 1) expect((await post(numberedEvent(n))).status).toBe(202);
    expect(lines.find(({ reason }) => reason === tooMany)).toMatchObject({
      ...{ level: 40, status: null, address: '127.0.0.1', msg: 'refused' },
    });
  });

  it('make room in the order in which they were last answered', async () => {
    const { port, lines } = await startTestReceiver({ limits: { connections: 2 } });
    const used = await openConnected(port, '');
    const silent = await openConnected(port, 'P');
    const closed = untilClosed(silent);
    expect(await askHealth(used)).toMatchObject([{ status: 200 }]);
    expect(await askHealth(await openConnected(port, ''))).toMatchObject([{ status: 200 }]);
    expect(await closed).toBe('');
    expect(await askHealth(used)).toMatchObject([{ status: 200 }]);
    expect(lines.filter(({ reason }) => reason === tooMany)).toHaveLength(1);
  });

  it('make room after those whose senders have proved nothing', async () => {
    const webhooks = { tokens: [testSecret('right')] };
    const { port } = await startTestReceiver({ webhooks, limits: { connections: 3 } });
    const proven = await openConnected(port, '');
    const body = numberedEvent(1);
    proven.write(
      `POST /webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const answer = once(proven, 'data');
    for (let n = 0; n < 5; n += 1) await askHealth(await openConnected(port, ''));
    proven.write(body);
    expect(parseAnswers(String((await answer)[0]))).toMatchObject([{ status: 202 }]);
  });

  it('are closed themselves where all others are being answered', async () => {
    const { port, waiting, told, answerAll } = await startServer({ connections: 1 });
    const socket = openRaw(port, health);
    const first = once(socket, 'data');
    await until(() => waiting.length === 1);
    expect(await untilClosed(openRaw(port, health))).toBe('');
    expect(told).toEqual([tooMany]);
    answerAll();
    expect(parseAnswers(String((await first)[0]))).toMatchObject([{ status: 200 }]);
  });
});

describe('requests that are sent ahead', () => {
  it('are answered up to a limit, and cost their connection beyond it', async () => {
    const { port, waiting, told, answerAll } = await startServer({ requestsAhead: 3 });
    const socket = openRaw(port, health.repeat(3));
    const answers = untilClosed(socket);
    await until(() => waiting.length === 3);
    socket.end();
    answerAll();
    expect(parseAnswers(await answers).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await untilClosed(openRaw(port, health.repeat(1_000)))).toBe('');
    expect(waiting).toHaveLength(3);
    expect(told).toEqual(['too many requests ahead of their answers']);
  });

  it('may be a hundred', async () => {
    const { port } = await startTestReceiver();
    const requests =
      health.repeat(99) + health.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(parseAnswers(await untilClosed(openRaw(port, requests)))).toHaveLength(100);
  });

  it('are forgotten when their connection breaks, so that no stop waits for them', async () => {
    const { port, waiting, stop } = await startServer({}, new ManualClock());
    const sockets = Array.from({ length: 20 }, () => openRaw(port, health.repeat(50)));
    await until(() => waiting.length === 1_000);
    for (const socket of sockets) socket.resetAndDestroy();
    // the clock stands still: a stop that waited would not end
    await stop();
  });

  it('are forgotten when their connection breaks, with the nonsense behind them', async () => {
    const { port, waiting, told } = await startServer({});
    const socket = openRaw(port, `${health.repeat(3)}nonsense\r\n\r\n`);
    await until(() => waiting.length === 3);
    expect(told).toEqual([]);
    socket.resetAndDestroy();
    await until(() => told.length > 0);
    expect(told).toEqual(['BAD_REQUEST 127.0.0.1']);
  });
});

describe('a sender that was refused', () => {
  it.each([
    ['401', '/webhooks', 'application/json'],
    ['404', '/elsewhere', 'application/json'],
  ])('with %s is cut when it goes on sending for long', async (status, path, type) => {
    const webhooks = { tokens: [testSecret('right')] };
    const { port } = await startTestReceiver({ limits: { lingerMs: 50 }, webhooks });
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n`;
    const text = await untilClosed(openRaw(port, `${head}Content-Length: 100\r\n\r\n{`));
    expect(parseAnswers(text)).toMatchObject([{ status: Number(status) }]);
  });

  it('keeps its connection when it sends the rest in time', async () => {
    const { port } = await startTestReceiver({ webhooks: { tokens: [testSecret('right')] } });
    const socket = openRaw(port, `${postHead}Content-Length: 3\r\n\r\n{`);
    expect(parseAnswers(String((await once(socket, 'data'))[0]))).toMatchObject([{ status: 401 }]);
    socket.write('}\n');
    expect(await askHealth(socket)).toMatchObject([{ status: 200 }]);
  });
});
