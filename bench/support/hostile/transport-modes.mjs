import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bodyOf, chunked, drip, head, sendAnswer } from './service.mjs';

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
    'reset-in-body': partly(0.6, reset),
    'closed-without-a-byte': ({ socket }) => end(socket),
    'closed-in-body': partly(0.6, end),
    silence: stall,
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
    'chunks-without-end': rawThenEnd(({ good }) =>
      Buffer.concat([chunkedHead(), chunked(bodyOf(good))]),
    ),
    'gzip-garbage': encoded('gzip', () => Buffer.from('this is no gzip at all')),
    'gzip-cut': encoded('gzip', (body) => gzipSync(body).subarray(0, -12)),
    'encoding-unknown': encoded('zstd', (body) => body),
    'header-of-a-megabyte': raw((exchange) =>
      wholeAnswer(exchange, { 'x-bomb': 'a'.repeat(1 << 20) }),
    ),
  },
  refused: {
    'gzip-bomb': encoded('gzip', () => bomb),
  },
  harmless: {
    gzip: encoded('gzip', gzipSync),
    brotli: encoded('br', brotliCompressSync),
    chunks: raw(({ good }) =>
      Buffer.concat([
        chunkedHead(),
        chunked(bodyOf(good), 7),
        Buffer.from('0\r\nx-trailer: 1\r\n\r\n'),
      ]),
    ),
    'slow-drip': (exchange) =>
      drip(exchange.socket, wholeAnswer(exchange), { pieces: 20, ms: 400 }),
    'until-close': rawThenEnd(({ good }) => Buffer.concat([head(200, json), bodyOf(good)])),
    'closed-after-each': rawThenEnd((exchange) => wholeAnswer(exchange, { connection: 'close' })),
    'reset-after-whole': (exchange) => {
      exchange.socket.write(wholeAnswer(exchange), () =>
        setTimeout(() => reset(exchange.socket), 20),
      );
    },
    'content-type-html': (exchange) =>
      exchange.socket.write(wholeAnswer(exchange, { 'content-type': 'text/html' })),
    'odd-headers': raw((exchange) =>
      wholeAnswer(exchange, { 'set-cookie': ['a=b', 'c=d'], 'x-odd': '\xe9', server: '' }),
    ),
  },
};
