import { describe, expect, it } from 'vitest';
import {
  numberedEvent,
  openRaw,
  parseAnswers,
  sendRaw,
  startTestReceiver,
  untilClosed,
} from '../../support/receiver.ts';

const event = numberedEvent(1);
const mebibyte = 1_048_576;

/** An event of exactly so many bytes. */
function eventOfBytes(bytes: number): string {
  const [head = '', tail = ''] = event.replace('"n":1', '"n":"|"').split('|');
  return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`;
}

async function answerOf(response: Response) {
  return { status: response.status, body: await response.json() };
}

describe('an event', () => {
  it('is answered 202 once it is in the inbox, and its repeat 200, whatever its byte order', async () => {
    const { post, storedEvents } = await startTestReceiver();
    const other =
      '\ufeff{ "createdAt":"2026-11-21T10:00:00Z", "data":{"n":1e0}, "type":"te\\u0073t" }';
    expect(await answerOf(await post(event))).toEqual({ status: 202, body: { status: 'stored' } });
    expect(await answerOf(await post(other))).toEqual({
      status: 200,
      body: { status: 'duplicate' },
    });
    expect(await storedEvents()).toEqual([JSON.parse(event)]);
  });

  it.each([
    ['application/json'],
    ['Application/JSON ; Charset="UTF-8"'],
    ['application/json; charset=utf-8'],
    ['application/cloudevents+json'],
    ['application/vnd.api+json; profile=x; charset=UTF-8'],
  ])('may come as %s', async (type) => {
    const { post } = await startTestReceiver();
    expect((await post(event, { 'content-type': type })).status).toBe(202);
  });

  it('may have 1 MiB, and not a byte more, with its length declared or not', async () => {
    const { post, storedEvents, url } = await startTestReceiver();
    expect((await post(eventOfBytes(mebibyte))).status).toBe(202);
    const tooLarge = {
      code: 'PAYLOAD_TOO_LARGE',
      message: 'Payload Too Large: a body has up to 1048576 bytes',
    };
    const declared = await post(eventOfBytes(mebibyte + 1));
    expect(declared.headers.get('connection')).toBe('close');
    expect(await answerOf(declared)).toEqual({ status: 413, body: tooLarge });
    const streamed = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([eventOfBytes(mebibyte + 1)]).stream(),
      duplex: 'half',
    });
    expect(streamed.headers.get('connection')).toBe('close');
    expect(await answerOf(streamed)).toEqual({ status: 413, body: tooLarge });
    expect(await storedEvents()).toHaveLength(1);
  });

  it('is asked for where its sender waits to be asked, and only if it will be read', async () => {
    const { port } = await startTestReceiver();
    const head = (type: string) =>
      `POST /webhooks HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: ${type}\r\nContent-Length: ${event.length}\r\n\r\n`;
    const socket = openRaw(port, head('application/json'));
    const text = untilClosed(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.end(event);
    expect(await text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 Accepted\r\n/);
    const refused = await sendRaw(port, head('text/plain'));
    expect(refused).toMatch(/^HTTP\/1\.1 415 [^]*connection: close/i);
  });
});

describe('what is no event', () => {
  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['an array', `[${event}]`],
    ['a string', '"text"'],
    ['two objects', `${event}${event}`],
    ['a key that is there twice', event.replace('{', '{"type":"other",')],
    ['nesting without end', '{"type":"t","data":'.padEnd(100_000, '{"a":')],
    ['arrays without end', '['.repeat(100_000)],
    ['a NUL byte', event.replace('test', 'te\0st')],
    ['half a UTF-8 character', Buffer.from(event.replace('test', 'té'), 'latin1')],
    ['UTF-16', Buffer.from(event, 'utf16le')],
  ])('is refused: %s', async (_, body) => {
    const { post, storedEvents } = await startTestReceiver();
    expect(await answerOf(await post(body))).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Bad Request',
        data: { errors: { body: [expect.any(String)] } },
      },
    });
    expect(await storedEvents()).toEqual([]);
  });

  it('is told which fields are wrong', async () => {
    const { post } = await startTestReceiver();
    const { status, body } = await answerOf(await post('{"data":[],"createdAt":"yesterday"}'));
    expect(status).toBe(400);
    const { errors } = (body as { data: { errors: object } }).data;
    expect(Object.keys(errors).sort()).toEqual(['createdAt', 'data', 'type']);
  });
});

describe('another request', () => {
  it.each([
    ['GET', '/webhooks', 405, 'METHOD_NOT_ALLOWED', { allow: 'POST' }],
    ['PUT', '/webhooks?token=x', 405, 'METHOD_NOT_ALLOWED', { allow: 'POST' }],
    ['POST', '/health', 405, 'METHOD_NOT_ALLOWED', { allow: 'GET, HEAD' }],
    ['POST', '/', 404, 'NOT_FOUND', {}],
    ['POST', '/webhooks/', 404, 'NOT_FOUND', {}],
    ['POST', '//webhooks', 404, 'NOT_FOUND', {}],
    ['POST', '/%77ebhooks', 404, 'NOT_FOUND', {}],
    ['GET', '/metrics', 404, 'NOT_FOUND', {}],
    ['OPTIONS', '*', 404, 'NOT_FOUND', {}],
    ['POST', 'http://other.example.com/hooks', 404, 'NOT_FOUND', {}],
  ])('%s %s is answered %i', async (method, target, status, code, headers) => {
    const { port } = await startTestReceiver();
    const request = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const [answer] = parseAnswers(await sendRaw(port, request));
    expect(answer).toMatchObject({ status, headers, body: { code } });
  });

  it.each([
    [undefined],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=utf-8; charset=utf-16'],
    ['application/jsonp'],
    ['application/+json'],
    ['text/a+json'],
    ['application/a/b+json'],
  ])('with the type %s is answered 415', async (type) => {
    const { port } = await startTestReceiver();
    const line = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const request = `POST /webhooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}Content-Length: ${event.length}\r\n\r\n${event}`;
    const [answer] = parseAnswers(await sendRaw(port, request));
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  it('with a compressed body is answered 415', async () => {
    const { post } = await startTestReceiver();
    expect((await post(event, { 'content-encoding': 'Identity' })).status).toBe(202);
    expect((await post(event, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it.each([
    ['gzip, chunked', 501],
    ['Chunked', 202],
  ])('with the transfer coding %s is answered %i', async (coding, status) => {
    const { port } = await startTestReceiver();
    const chunks = `${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`;
    const request = `POST /webhooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n${chunks}`;
    const [answer] = parseAnswers(await sendRaw(port, request));
    expect(answer?.status).toBe(status);
  });

  it.each([
    ['FOO', ''],
    ['post', ''],
    ['POSTED', `POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`],
  ])('with a method that there is not is answered 501: %s', async (method, before) => {
    const { port } = await startTestReceiver();
    const text = await sendRaw(port, `${before}${method} /webhooks HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(parseAnswers(text).at(-1)).toMatchObject({
      status: 501,
      headers: { connection: 'close' },
      body: { code: 'NOT_IMPLEMENTED', message: 'Not Implemented: use POST' },
    });
  });

  it('is found where a proxy names the whole address', async () => {
    const { port } = await startTestReceiver();
    const request = `POST http://hooks.example.com/webhooks?a=b HTTP/1.1\r\nHost: hooks.example.com\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${event.length}\r\n\r\n${event}`;
    const [answer] = parseAnswers(await sendRaw(port, request));
    expect(answer).toMatchObject({ status: 202 });
  });

  it('is logged with what it was and why it was refused, and nothing of its query and body', async () => {
    const { port, lines } = await startTestReceiver();
    const body = '{"private":"text"}';
    const request = `POST /hooks?token=private HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    await sendRaw(port, request);
    expect(lines.filter(({ level }) => level === 40)).toEqual([
      {
        level: 40,
        status: 404,
        request: 'POST /hooks',
        address: '127.0.0.1',
        bytes: 18,
        reason: 'Not Found',
        msg: 'refused',
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('private');
  });
});
