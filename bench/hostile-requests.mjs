import fc from 'fast-check';

/** What `webhook-hostile.mjs` sends: bytes for a connection, and how the sender leaves it. */

export const token = 'a-token-that-the-hostile-lack';

const event = (data) => JSON.stringify({ type: 'test', data, createdAt: '2026-11-21T10:00:00Z' });

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

const brokenJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom('', ',', '}', '\0', '\\u', '"', '\u2028', '1e999', '//'),
  )
  .map(([json, at, extra]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + extra + json.slice(place + (at % 3));
  });

const almostEvent = fc
  .record(
    {
      type: fc.oneof(text, fc.constantFrom('', null, 7, 'post.permanently_deleted')),
      data: fc.oneof(fc.object(), fc.jsonValue(), fc.constant([])),
      createdAt: fc.oneof(
        text,
        fc.constantFrom(
          '2026-02-30T00:00:00Z',
          '2026-11-21',
          '9'.repeat(400),
          '2026-11-21T25:00:00Z',
          0,
        ),
      ),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));

const oddEvent = fc.constantFrom(
  event({ a: 1 }).replace('{', '{"type":"again",'),
  event({ a: 1 }).replace('"a":1', '"__proto__":{"polluted":true}'),
  event({ a: 1 }).replace('"a":1', '"constructor":{"prototype":{}}'),
  event({ a: 1 }).replace('"a":1', `"a":${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  event({ a: 1 }).replace('"a":1', `"a":${'{"b":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
  event({ a: 1 }).replace('"a":1', `"a":${'9'.repeat(50_000)}`),
  event({ a: 1 }).replace('"a":1', '"a":"\\ud800"'),
  event({ a: 1 }).replace('"a":1', '"a":-0.0e-0'),
  `\ufeff${event({ a: 2 })}`,
  ' '.repeat(100_000),
  event({ a: 'x'.repeat(1_048_576) }),
);

const bodies = fc.oneof(
  { arbitrary: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)), weight: 3 },
  { arbitrary: brokenJson.map((json) => Buffer.from(json)), weight: 4 },
  { arbitrary: almostEvent.map((json) => Buffer.from(json)), weight: 4 },
  { arbitrary: almostEvent.map((json) => Buffer.from(json, 'utf16le')), weight: 1 },
  { arbitrary: oddEvent.map((json) => Buffer.from(json)), weight: 2 },
);

const headerValue = fc
  .string({ unit: 'binary-ascii', maxLength: 60 })
  .map((value) => value.replace(/[^\x20-\x7e]/g, '?'));

const headerLines = fc.array(
  fc.oneof(
    fc.constantFrom(
      'Content-Type: application/json',
      'Content-Type: application/json; charset=utf-16',
      'Content-Type: text/plain',
      'Content-Type: ;;;=,"',
      'Content-Encoding: gzip',
      'Content-Encoding: identity',
      'Expect: 100-continue',
      'Expect: the-unexpected',
      'Connection: Upgrade\r\nUpgrade: websocket',
      'Cookie: a=b; a=c; __proto__=d',
      'X-Forwarded-For: 127.0.0.1, evil',
      'webhook-id: x\r\nwebhook-id: y',
      `X-Long: ${'x'.repeat(10_000)}`,
      `X-Longer: ${'x'.repeat(40_000)}`,
    ),
    fc
      .tuple(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/), headerValue)
      .map(([name, value]) => {
        const reserved = /^(content-length|transfer-encoding|connection|host)$/i;
        return `${reserved.test(name) ? 'X-Other' : name}: ${value}`;
      }),
  ),
  { maxLength: 4 },
);

const authorization = fc.oneof(
  { arbitrary: fc.constant(`Authorization: Bearer ${token}`), weight: 7 },
  {
    arbitrary: fc.constantFrom(
      'Authorization: Bearer wrong',
      'Authorization: Basic Og==',
      'Authorization:',
      `Authorization: ${'Bearer '.repeat(500)}`,
      'X-Nothing: 1',
    ),
    weight: 2,
  },
);

// no HEAD: the answers to it announce a length that they do not have
const methods = fc.oneof(
  { arbitrary: fc.constant('POST'), weight: 8 },
  {
    arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'QUERY'),
    weight: 1,
  },
);

const targets = fc.oneof(
  { arbitrary: fc.constant('/webhooks'), weight: 8 },
  {
    arbitrary: fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '/../../etc/passwd',
        '/webhooks?token=%ff%zz',
        '/%00',
        '*',
        '/health',
      ),
      fc.webUrl(),
      fc.webPath().map((path) => path || '/'),
      fc.webQueryParameters().map((query) => `/webhooks?${query}`),
    ),
    weight: 2,
  },
);

function request({ method, target, auth, lines, body, framing }) {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: x', auth, ...lines, framing(body.length)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

const framings = fc.oneof(
  { arbitrary: fc.constant((bytes) => `Content-Length: ${bytes}`), weight: 8 },
  {
    arbitrary: fc.constantFrom(
      (bytes) => `Content-Length: ${bytes + 100}`,
      (bytes) => `Content-Length: ${Math.max(0, bytes - 10)}`,
      (bytes) => `Content-Length: ${bytes}\r\nContent-Length: ${bytes + 1}`,
      (bytes) => `Content-Length: ${bytes}\r\nTransfer-Encoding: chunked`,
      () => 'Transfer-Encoding: chunked',
      () => 'Transfer-Encoding: gzip, chunked',
      () => 'Transfer-Encoding: chunked, chunked',
      () => 'Content-Length: 99999999999999999999999',
      () => 'Content-Length: 2000000',
      () => 'Content-Length: -5',
      () => 'Content-Length: 0x10',
      () => 'X-No-Framing: 1',
    ),
    weight: 3,
  },
);

const wellFormed = fc
  .record({
    method: methods,
    target: targets,
    auth: authorization,
    lines: fc.oneof(
      { arbitrary: fc.constant(['Content-Type: application/json']), weight: 2 },
      { arbitrary: headerLines, weight: 1 },
    ),
    body: bodies,
    framing: framings,
  })
  .map(request);

const chunkedHead = `POST /webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunkedNonsense = fc
  .array(
    fc.oneof(
      fc.nat(70_000).map((size) => `${size.toString(16)}\r\n`),
      fc.constantFrom(
        '0\r\n\r\n',
        '-1\r\n',
        'ffffffffffffffffff\r\n',
        ';a=b\r\n',
        '5;x="\r\n',
        '\r\n',
        '5\r\n{"a":\r\n',
      ),
      fc.string({ maxLength: 30 }),
    ),
    { maxLength: 10 },
  )
  .map((chunks) => Buffer.from(chunkedHead + chunks.join(''), 'latin1'));

const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc]),
    Buffer.from('GET /health\r\n\r\n'),
    Buffer.from('\r\n'.repeat(2_000)),
    Buffer.from(`POST /webhooks HTTP/1.1\r\n${'A: b\r\n'.repeat(5_000)}\r\n`),
    Buffer.from(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`),
  ),
);

const tunnel = fc
  .tuple(fc.constantFrom('example.com:443', '/', '[::1]:1', 'x'), fc.string({ maxLength: 30 }))
  .map(([target, rest]) => Buffer.from(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n${rest}`));

const bytes = fc.oneof(
  { arbitrary: wellFormed, weight: 12 },
  { arbitrary: tunnel, weight: 1 },
  { arbitrary: fc.tuple(wellFormed, tunnel).map((both) => Buffer.concat(both)), weight: 1 },
  {
    arbitrary: fc
      .array(wellFormed, { minLength: 2, maxLength: 6 })
      .map((all) => Buffer.concat(all)),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(wellFormed, fc.nat())
      .map(([whole, at]) => whole.subarray(0, at % whole.length)),
    weight: 2,
  },
  { arbitrary: chunkedNonsense, weight: 2 },
  { arbitrary: garbage, weight: 2 },
);

const hostileRequest = fc.record({
  bytes,
  /** Of the bytes, in pieces of their own; the rest follows. */
  cuts: fc.array(fc.nat(), { maxLength: 3 }),
  /** Whether the connection is reset at once, or closed on the sender's side alone. */
  isReset: fc.oneof(
    { arbitrary: fc.constant(false), weight: 15 },
    { arbitrary: fc.constant(true), weight: 1 },
  ),
});

/** The same for the same seed. */
export function hostileRequests(count, seed) {
  return fc.sample(hostileRequest, { numRuns: count, seed });
}

/** What is sent on connections that are reset before any answer is read: many requests ahead, and a tunnel. */
export const floods = [
  Buffer.from('GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200)),
  Buffer.from('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'),
  Buffer.from(
    `${'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`,
  ),
];

export function goodRequest(number) {
  const body = Buffer.from(event({ good: number }));
  return request({
    method: 'POST',
    target: '/webhooks',
    auth: `Authorization: Bearer ${token}`,
    lines: ['Content-Type: application/json'],
    body,
    framing: (length) => `Content-Length: ${length}`,
  });
}
