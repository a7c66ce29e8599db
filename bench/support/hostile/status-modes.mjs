import { sendAnswer } from './service.mjs';

function refusing(status, code, message, headers = {}) {
  return ({ socket }) => sendAnswer(socket, { status, value: { code, message }, headers });
}

function withBody(status, body, headers = {}) {
  return ({ socket }) => sendAnswer(socket, { status, body, headers });
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
    '503-retry-after': refusing(503, 'SERVICE_UNAVAILABLE', 'Later', { 'retry-after': '2' }),
    504: refusing(504, 'GATEWAY_TIMEOUT', 'Gateway Timeout'),
    408: refusing(408, 'REQUEST_TIMEOUT', 'Request Timeout'),
    '200-page': withBody(200, page, html),
  },
  refused: {
    '301-to-itself': ({ socket, request }) =>
      sendAnswer(socket, { status: 301, body: '', headers: { location: request.target } }),
    400: refusing(400, 'BAD_REQUEST', 'Bad Request'),
    '400-with-hostile-errors': withBody(
      400,
      '{"code":"BAD_REQUEST","message":"Bad \\u001b[31mRequest","data":{"errors":{"__proto__":["x"],"a":5,"b":null}}}',
    ),
    401: stopping(401, 'UNAUTHORIZED', 'Invalid or unauthorized API key'),
    '403-revoked': stopping(403, 'FORBIDDEN', 'API key was revoked 3 days ago'),
    '403-page': { answer: withBody(403, page, html), stops: true },
    404: stopping(404, 'NOT_FOUND', 'Not found'),
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
    '429-reset-absurd': { answer: limited(`${limitMessage} 99999999999 seconds`), speed: hours },
    '429-retry-after-in-2099': {
      answer: limited('Too many requests', { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }),
      speed: hours,
    },
    'flapping-503': ({ socket, attempt, good }) =>
      attempt % 2 === 0 ? sendAnswer(socket, good) : sendAnswer(socket, { status: 503, body: '' }),
  },
};
