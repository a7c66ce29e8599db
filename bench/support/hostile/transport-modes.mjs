import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bodyOf, chunked, drip, head, sendAnswer } from './wire.mjs';

const json = { 'content-type': 'application/json' };

function wholeAnswer({ good }, headers = {}) {
  const body = bodyOf(good);
  return Buffer.concat([head(200, { ...json, 'content-length': body.length, ...headers }), body]);
}

/** Sends so much of the answer, from 0 to 1, and what follows is up to `then`. */
function partly(share, then) {
  return (exchange) => {
    const bytes = wholeAnswer(exchange);
    exchange.socket.write(bytes.subarray(0, Math.floor(bytes.length * share)), () =>
      then(exchange.socket),
    );
  };
}

const headShare = 0.005;
const reset = (socket) => socket.resetAndDestroy();
const end = (socket) => socket.end();
const stall = () => undefined;

function encoded(encoding, encode) {
  return ({ socket, good }) =>
    sendAnswer(socket, { body: encode(bodyOf(good)), headers: { 'content-encoding': encoding } });
}

function raw(make) {
  return (exchange) => exchange.socket.write(make(exchange), 'latin1');
}

function rawThenEnd(make) {
  return (exchange) => exchange.socket.end(make(exchange), 'latin1');
}

/** Twice as much as is let in, in a thousandth of it. */
const bomb = gzipSync(Buffer.alloc(1 << 27, 0x20));

const chunkedHead = () => head(200, { ...json, 'transfer-encoding': 'chunked' });

/** What happens to the bytes on their way. */
export const transportModes = {
  retried: {
    'reset-at-once': ({ socket }) => reset(socket),
    'reset-in-head': partly(headShare, reset),
    'reset-in-body': partly(0.6, reset),
    'closed-without-a-byte': ({ socket }) => end(socket),
    'closed-in-head': partly(headShare, end),
    'closed-in-body': partly(0.6, end),
    silence: stall,
    'stalled-in-head': partly(headShare, stall),
    'stalled-in-body': partly(0.6, stall),
    'drip-without-end': (exchange) => {
      const bytes = wholeAnswer(exchange);
      drip(exchange.socket, bytes, { pieces: 200, ms: 80_000 });
    },
    'length-too-short': (exchange) =>
      exchange.socket.end(
        wholeAnswer(exchange, { 'content-length': Math.floor(bodyOf(exchange.good).length / 2) }),
      ),
    'length-not-a-number': raw((exchange) => wholeAnswer(exchange, { 'content-length': 'many' })),
    'length-negative': raw((exchange) => wholeAnswer(exchange, { 'content-length': '-5' })),
    'length-twice': raw((exchange) => wholeAnswer(exchange, { 'content-length': ['7', '9'] })),
    'length-and-chunks': raw(({ good }) =>
      Buffer.concat([
        head(200, { ...json, 'content-length': '5', 'transfer-encoding': 'chunked' }),
        chunked(bodyOf(good)),
      ]),
    ),
    'chunk-size-garbage': raw(() =>
      Buffer.concat([chunkedHead(), Buffer.from('zz\r\n[]\r\n0\r\n\r\n')]),
    ),
    'chunk-size-huge': rawThenEnd(() =>
      Buffer.concat([chunkedHead(), Buffer.from('fffffffffffffffff\r\n[]')]),
    ),
    'chunks-without-end': rawThenEnd(({ good }) =>
      Buffer.concat([chunkedHead(), chunked(bodyOf(good))]),
    ),
    'gzip-of-nothing': encoded('gzip', () => Buffer.alloc(0)),
    'gzip-garbage': encoded('gzip', () => Buffer.from('this is no gzip at all')),
    'gzip-cut': encoded('gzip', (body) => gzipSync(body).subarray(0, -12)),
    'gzip-flipped': encoded('gzip', (body) => {
      const bytes = gzipSync(body);
      bytes[bytes.length >> 1] ^= 0x10;
      return bytes;
    }),
    'gzip-undeclared': ({ socket, good }) => sendAnswer(socket, { body: gzipSync(bodyOf(good)) }),
    'gzip-twice-declared-once': encoded('gzip', (body) => gzipSync(gzipSync(body))),
    'gzip-declared-only': encoded('gzip', (body) => body),
    'encoding-unknown': encoded('zstd', (body) => body),
    'not-http': raw(() => 'SSH-2.0-OpenSSH_9.6\r\n'),
    'http-0.9': rawThenEnd(({ good }) => bodyOf(good)),
    'http-2-frames': raw(() =>
      Buffer.from('000012040000000000000300000064000400a00000000200000000', 'hex'),
    ),
    'status-line-garbage': raw(() => 'HTTP/1.1 OK 200\r\n\r\n'),
    'status-of-two-digits': raw(() => 'HTTP/1.1 20 OK\r\ncontent-length: 2\r\n\r\n[]'),
    'header-without-colon': raw(() => 'HTTP/1.1 200 OK\r\nthis is no header\r\n\r\n[]'),
    'header-with-nul': raw(() => 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 2\r\n\r\n[]'),
    'header-of-a-megabyte': raw((exchange) =>
      wholeAnswer(exchange, { 'x-bomb': 'a'.repeat(1 << 20) }),
    ),
    'headers-without-end': ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, Buffer.from('x-more: and more\r\n'.repeat(4000)), { pieces: 100, ms: 20_000 });
    },
    'switching-protocols': raw(
      () => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
    ),
    // the client takes a 100 that it did not ask for as an offence, and connects anew
    'continue-flood': raw((exchange) =>
      Buffer.concat([
        Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(500)),
        Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(500)),
        wholeAnswer(exchange),
      ]),
    ),
  },
  refused: {
    'gzip-bomb': encoded('gzip', () => bomb),
  },
  harmless: {
    gzip: encoded('gzip', gzipSync),
    deflate: encoded('deflate', deflateSync),
    brotli: encoded('br', brotliCompressSync),
    'gzip-twice': encoded('gzip, gzip', (body) => gzipSync(gzipSync(body))),
    'gzip-of-two-members': encoded('gzip', (body) =>
      Buffer.concat([gzipSync(body.subarray(0, 9)), gzipSync(body.subarray(9))]),
    ),
    chunks: raw(({ good }) =>
      Buffer.concat([
        chunkedHead(),
        chunked(bodyOf(good), 7),
        Buffer.from('0\r\nx-trailer: 1\r\n\r\n'),
      ]),
    ),
    'slow-drip': (exchange) =>
      drip(exchange.socket, wholeAnswer(exchange), { pieces: 20, ms: 400 }),
    'http-1.0': rawThenEnd(({ good }) =>
      Buffer.concat([head(200, json, 'HTTP/1.0'), bodyOf(good)]),
    ),
    'until-close': rawThenEnd(({ good }) => Buffer.concat([head(200, json), bodyOf(good)])),
    'closed-after-each': rawThenEnd((exchange) => wholeAnswer(exchange, { connection: 'close' })),
    'closed-after-each-unsaid': rawThenEnd((exchange) => wholeAnswer(exchange)),
    'reset-after-whole': (exchange) => {
      exchange.socket.write(wholeAnswer(exchange), () =>
        setTimeout(() => reset(exchange.socket), 20),
      );
    },
    'a-second-answer': {
      // bytes that nobody asked for: whoever takes them for the next answer has the wrong one
      answer: raw((exchange) =>
        Buffer.concat([
          wholeAnswer(exchange),
          head(200, { ...json, 'content-length': 2 }),
          Buffer.from('[]'),
        ]),
      ),
    },
    'content-type-html': (exchange) =>
      exchange.socket.write(wholeAnswer(exchange, { 'content-type': 'text/html' })),
    'content-type-none': (exchange) =>
      exchange.socket.write(wholeAnswer(exchange, { 'content-type': null })),
    'date-in-1970': raw((exchange) =>
      wholeAnswer(exchange, { date: 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    ),
    'date-in-2099': raw((exchange) =>
      wholeAnswer(exchange, { date: 'Thu, 01 Jan 2099 00:00:00 GMT' }),
    ),
    'date-garbage': raw((exchange) => wholeAnswer(exchange, { date: 'yesterday' })),
    'odd-headers': raw((exchange) =>
      wholeAnswer(exchange, { 'set-cookie': ['a=b', 'c=d'], 'x-odd': '\xe9', server: '' }),
    ),
  },
};
