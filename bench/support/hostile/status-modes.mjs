import { sendAnswer } from './wire.mjs';

function refusing(status, code, message, headers = {}) {
  return ({ socket }) => sendAnswer(socket, { status, value: { code, message }, headers });
}

function withBody(status, body, headers = {}) {
  return ({ socket }) => sendAnswer(socket, { status, body, headers });
}

function withoutBody(status, headers = {}) {
  return ({ socket }) =>
    sendAnswer(socket, { status, body: '', headers: { 'content-length': null, ...headers } });
}

const page = '<!doctype html><html><body><h1>Bad Gateway</h1></body></html>';
const html = { 'content-type': 'text/html' };
const limitMessage = 'Rate limit of 100 requests per 60s exceeded. Quota resets in';
/** What is said of the key or the profile keeps the rest of it from being asked. */
function stopping(...refusal) {
  return { answer: refusing(...refusal), stops: true };
}

/** So that two waits of an hour each are over in half a minute. */
const hours = 300;

/** A limit that is over after the first answer, however often it is asked for. */
function limited(message, headers = {}) {
  const refuse = refusing(429, 'TOO_MANY_REQUESTS', message, headers);
  return (exchange) =>
    exchange.attempt > 2 ? sendAnswer(exchange.socket, exchange.good) : refuse(exchange);
}

/** What the service says of the request. */
export const statusModes = {
  retried: {
    500: refusing(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error'),
    '502-page': withBody(502, page, html),
    '503-without-a-body': withBody(503, ''),
    '503-retry-after': refusing(503, 'SERVICE_UNAVAILABLE', 'Later', { 'retry-after': '2' }),
    '503-retry-after-in-the-past': refusing(503, 'SERVICE_UNAVAILABLE', 'Later', {
      'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT',
    }),
    '503-retry-after-garbage': refusing(503, 'SERVICE_UNAVAILABLE', 'Later', {
      'retry-after': '-1e9 bananas',
    }),
    504: refusing(504, 'GATEWAY_TIMEOUT', 'Gateway Timeout'),
    520: withBody(520, page, html),
    408: refusing(408, 'REQUEST_TIMEOUT', 'Request Timeout'),
    599: withBody(599, 'who knows'),
    204: withoutBody(204),
    205: withBody(205, ''),
    '200-page': withBody(200, page, html),
    // no status of HTTP, which some services give to whom they take for a machine
    999: withBody(999, 'denied'),
  },
  refused: {
    '301-to-itself': ({ socket, request }) =>
      sendAnswer(socket, { status: 301, body: '', headers: { location: request.target } }),
    '302-elsewhere': withBody(302, '', { location: 'http://192.0.2.1/api/v1' }),
    '307-without-a-place': withBody(307, ''),
    '308-to-a-file': withBody(308, '', { location: 'file:///etc/passwd' }),
    300: withBody(300, '[]'),
    304: withoutBody(304),
    400: refusing(400, 'BAD_REQUEST', 'Bad Request'),
    '400-with-hostile-errors': withBody(
      400,
      '{"code":"BAD_REQUEST","message":"Bad \\u001b[31mRequest","data":{"errors":{"__proto__":["x"],"a":5,"b":null}}}',
    ),
    401: stopping(401, 'UNAUTHORIZED', 'Invalid or unauthorized API key'),
    '401-without-a-body': { answer: withBody(401, ''), stops: true },
    '403-revoked': stopping(403, 'FORBIDDEN', 'API key was revoked 3 days ago'),
    '403-expired': stopping(403, 'FORBIDDEN', 'API key is expired'),
    '403-credits': stopping(403, 'FORBIDDEN', 'Insufficient credits'),
    '403-usage': stopping(403, 'FORBIDDEN', 'Usage exceeded'),
    '403-page': { answer: withBody(403, page, html), stops: true },
    404: stopping(404, 'NOT_FOUND', 'Not found'),
    405: refusing(405, 'METHOD_NOT_ALLOWED', 'Method not allowed'),
    409: refusing(409, 'CONFLICT', 'Conflict'),
    410: refusing(410, 'GONE', 'Gone'),
    418: refusing(418, 'TEAPOT', 'I am a teapot'),
    451: withBody(451, 'not here'),
    '503-retry-after-a-year': refusing(503, 'SERVICE_UNAVAILABLE', 'Later', {
      'retry-after': '31536000',
    }),
    '429-for-ever': {
      answer: refusing(429, 'TOO_MANY_REQUESTS', `${limitMessage} 1 seconds`),
      codes: [3, 0, 3],
      stops: true,
    },
  },
  harmless: {
    429: limited(`${limitMessage} 3 seconds`),
    '429-without-a-reset': limited('Too many requests'),
    '429-retry-after': limited('Too many requests', { 'retry-after': '2' }),
    '429-retry-after-in-the-past': limited('Too many requests', {
      'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT',
    }),
    '429-reset-in-nan': limited(`${limitMessage} NaN seconds`),
    '429-reset-negative': limited(`${limitMessage} -5 seconds`),
    '429-reset-absurd': { answer: limited(`${limitMessage} 99999999999 seconds`), speed: hours },
    '429-retry-after-in-2099': {
      answer: limited('Too many requests', { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }),
      speed: hours,
    },
    '429-page': ({ socket, attempt, good }) =>
      attempt > 1
        ? sendAnswer(socket, good)
        : sendAnswer(socket, { status: 429, body: page, headers: html }),
    201: ({ socket, good }) => sendAnswer(socket, { ...good, status: 201 }),
    206: ({ socket, good }) => sendAnswer(socket, { ...good, status: 206 }),
    'flapping-503': ({ socket, attempt, good }) =>
      attempt % 2 === 0 ? sendAnswer(socket, good) : sendAnswer(socket, { status: 503, body: '' }),
  },
};
