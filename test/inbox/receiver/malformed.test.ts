import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  numberedEvent,
  openRaw,
  parseAnswers,
  sendRaw,
  startTestReceiver,
  untilClosed,
} from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const head = 'POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const notHttp = {
  status: 400,
  headers: { connection: 'close' },
  body: { code: 'BAD_REQUEST', message: 'Bad Request: this is no HTTP request' },
};

function requestOf(event: string): string {
  return `${head}Content-Length: ${event.length}\r\n\r\n${event}`;
}

/** Asks for a tunnel, and leaves at once, or where there is an answer to read. */
async function resetTunnel(port: number, isAtOnce: boolean): Promise<void> {
  const socket = openRaw(port, '').on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const leave = () => socket.resetAndDestroy();
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', () => {
    if (isAtOnce) leave();
    else socket.once('readable', leave);
  });
  await closed;
}

describe('bytes that are no request', () => {
  it.each([
    ['a word', 'hello\r\n\r\n'],
    ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that there is not', 'GET /webhooks HTTP/7.7\r\nHost: x\r\n\r\n'],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length below zero', `${head}Content-Length: -1\r\n\r\n`],
    ['a length that is no number', `${head}Content-Length: many\r\n\r\n`],
    [
      'a length beside chunks',
      `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['an unknown coding', `${head}Transfer-Encoding: chunked, gzip\r\n\r\n`],
    ['a NUL byte in a header', `${head}X-A: a\0b\r\n\r\n`],
    ['a space before the colon', `${head}X-A : b\r\n\r\n`],
    ['a folded header', `${head}X-A: b\r\n c\r\n\r\n`],
    ['line feeds alone', 'POST /webhooks HTTP/1.1\nHost: x\n\n'],
    ['a chunk of no size', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a chunk that is too short', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}}}\r\n`],
    ['a chunk of enormous size', `${head}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n`],
  ])('are answered 400 and cut: %s', async (_, bytes) => {
    const { port, post, storedEvents } = await startTestReceiver();
    expect(parseAnswers(await sendRaw(port, bytes))).toMatchObject([notHttp]);
    expect((await post(numberedEvent(1))).status).toBe(202);
    expect(await storedEvents()).toHaveLength(1);
  });

  it('are answered with all that other answers have', async () => {
    const clock = new ManualClock('2026-01-15T12:00:00Z');
    const { port } = await startTestReceiver({ clock });
    const { body } = notHttp;
    expect(parseAnswers(await sendRaw(port, 'nonsense\r\n\r\n'))).toEqual([
      {
        status: 400,
        headers: {
          date: 'Thu, 15 Jan 2026 12:00:00 GMT',
          connection: 'close',
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(JSON.stringify(body).length),
          'cache-control': 'no-store',
        },
        body,
      },
    ]);
  });

  it.each([
    ['in one header', `X-A: ${'a'.repeat(20_000)}\r\n`],
    ['in many', 'X-A: a\r\n'.repeat(6_000)],
    ['in the request line', ''],
  ])('are answered 431 beyond 16 KiB of headers, %s', async (where, lines) => {
    const { port, lines: logged } = await startTestReceiver();
    const target = where.endsWith('line') ? `/webhooks?${'a'.repeat(20_000)}` : '/webhooks';
    const text = await sendRaw(port, `POST ${target} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`);
    expect(parseAnswers(text)).toMatchObject([
      { status: 431, headers: { connection: 'close' }, body: { code: 'HEADERS_TOO_LARGE' } },
    ]);
    expect(logged).toMatchObject([{ level: 40, status: 431 }]);
  });

  it('are answered 413 where chunks carry more beside them than themselves', async () => {
    const { port } = await startTestReceiver();
    const extension = `2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`;
    const text = await sendRaw(port, `${head}Transfer-Encoding: chunked\r\n\r\n${extension}`);
    expect(parseAnswers(text)).toMatchObject([
      { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } },
    ]);
  });

  it.each([
    ['no Host', ''],
    ['two of them', 'Host: x\r\nHost: y\r\n'],
  ])('are answered 400: %s', async (_, hosts) => {
    const { port } = await startTestReceiver();
    const text = await sendRaw(port, `GET /health HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect(parseAnswers(text)).toMatchObject([{ status: 400, body: { code: 'BAD_REQUEST' } }]);
  });

  it('are answered 405 as a tunnel', async () => {
    const { port } = await startTestReceiver();
    const text = await sendRaw(
      port,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    );
    expect(parseAnswers(text)).toMatchObject([
      { status: 405, body: { code: 'METHOD_NOT_ALLOWED' } },
    ]);
  });

  it('are answered 405 as a tunnel behind other requests, in their order', async () => {
    const { port } = await startTestReceiver();
    const tunnel = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n';
    const text = await sendRaw(port, `${requestOf(numberedEvent(1))}${requestOf('{}')}${tunnel}`);
    expect(parseAnswers(text).map(({ status }) => status)).toEqual([202, 400, 405]);
  });

  it('take nobody with them as tunnels that are reset', async () => {
    const { port, post, lines } = await startTestReceiver();
    for (let n = 0; n < 50; n += 1) await resetTunnel(port, n % 2 === 0);
    expect((await post(numberedEvent(1))).status).toBe(202);
    expect(lines[0]).toMatchObject({ status: 405, reason: 'CONNECT' });
  });

  it('are told of where their sender has stopped half-way, and can still hear', async () => {
    const { port, lines } = await startTestReceiver();
    for (const bytes of ['POST /webh', `${head}Content-Length: 100\r\n\r\n{`]) {
      const socket = openRaw(port, '');
      const text = untilClosed(socket);
      socket.end(bytes);
      expect(parseAnswers(await text)).toMatchObject([notHttp]);
    }
    const reason = 'the sender stopped in the middle of a request';
    expect(lines).toMatchObject([{ reason }, { reason, request: 'POST /webhooks' }]);
  });
});

describe('a connection', () => {
  it('that its sender has closed on one side is answered', async () => {
    const { port } = await startTestReceiver();
    const socket = openRaw(port, '');
    const text = untilClosed(socket);
    socket.end(requestOf(numberedEvent(1)));
    expect(parseAnswers(await text)).toMatchObject([{ status: 202 }]);
  });

  it('may carry requests ahead of their answers, which come in order, then what is none', async () => {
    const { port, storedEvents } = await startTestReceiver();
    const requests = [1, 2, 1, 3].map((n) => requestOf(numberedEvent(n)));
    const noEvent = requestOf('{}');
    const text = await sendRaw(port, `${requests.join('')}${noEvent}nonsense\r\n\r\n`);
    expect(parseAnswers(text).map(({ status }) => status)).toEqual([202, 202, 200, 202, 400, 400]);
    expect(await storedEvents()).toHaveLength(3);
  });

  it('that breaks while its event is written does not lose the event', async () => {
    const limits = { logLinesPerSecond: 1_000 };
    const { port, storedEvents, lines, close } = await startTestReceiver({ limits });
    for (let n = 0; n < 50; n += 1) {
      const socket = openRaw(port, '').on('error', () => undefined);
      socket.write(requestOf(numberedEvent(n)), () => socket.resetAndDestroy());
    }
    const stored = () => lines.filter(({ msg }) => msg === 'event stored');
    await until(() => stored().length > 0);
    await close();
    expect(await storedEvents()).toHaveLength(stored().length);
  });

  it('that breaks after an event and nonsense takes nobody else with it', async () => {
    const { port, post } = await startTestReceiver();
    const closings = Array.from({ length: 20 }, async (_, n) => {
      const socket = openRaw(port, '');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(`${requestOf(numberedEvent(n))}nonsense\r\n\r\n`, () =>
        socket.resetAndDestroy(),
      );
      await closed;
    });
    await Promise.all(closings);
    expect((await post(numberedEvent(100))).status).toBe(202);
  });

  it('is not changed into one of another kind, and answered all the same', async () => {
    const { port } = await startTestReceiver();
    const event = numberedEvent(1);
    const upgrade =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const socket = openRaw(port, '');
    const text = untilClosed(socket);
    socket.end(`${head}${upgrade}Content-Length: ${event.length}\r\n\r\n${event}`);
    expect(parseAnswers(await text)).toMatchObject([{ status: 202 }]);
  });

  it('without keep-alive, of HTTP/1.0, is answered and closed', async () => {
    const { port } = await startTestReceiver();
    const event = numberedEvent(1);
    const text = await sendRaw(
      port,
      `POST /webhooks HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${event.length}\r\n\r\n${event}`,
    );
    expect(parseAnswers(text)).toMatchObject([{ status: 202, headers: { connection: 'close' } }]);
  });
});
