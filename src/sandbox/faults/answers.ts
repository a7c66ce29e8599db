import type { Context } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { Clock } from '../../core/clock.ts';
import { quotaExceeded, type RequestLimit } from '../access.ts';
import { between, integerBetween, type Random } from '../made-up/random.ts';
import { internalError, refusal } from '../refusal.ts';

/** What the answer to a request that suffers a fault is made from. */
export interface FaultCase {
  readonly context: Context;
  /** Below the API's base path, without the query. */
  readonly apiPath: string;
  /** Whatever is left to chance. */
  readonly random: Random;
  readonly isHostile: boolean;
  /** Of a slow drip, or to wait after `rate_limited` and `unavailable`; null: drawn. */
  readonly seconds: number | null;
  readonly limit: RequestLimit;
  /** The machine's. */
  readonly clock: Clock;
}

/** A case whose request was carried out. */
export interface AnsweredCase extends FaultCase {
  readonly answer: Response;
  readonly text: string;
}

export function rateLimited(fault: FaultCase): Response {
  return quotaExceeded(fault.limit, waitSeconds(fault)).getResponse();
}

export function serverError(): Response {
  return refusal(internalError).getResponse();
}

export function badGateway(): Response {
  return refusal({ status: 502, code: 'BAD_GATEWAY', message: 'Bad Gateway' }).getResponse();
}

/** Some services say when to come back, some do not. */
export function unavailable(fault: FaultCase): Response {
  const reason = {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'Service Unavailable',
  } as const;
  const response = refusal(reason).getResponse();
  const saysWhen = fault.seconds !== null || fault.random() < 0.5;
  if (saysWhen) response.headers.set('retry-after', String(waitSeconds(fault)));
  return response;
}

function waitSeconds({ isHostile, seconds, random }: FaultCase): number {
  return Math.ceil(seconds ?? integerBetween(1, isHostile ? 5 : 2, random));
}

/** As a proxy in front of the service sends one. */
export function htmlPage(status: number, title: string): Response {
  const page = `<!doctype html>
<html>
<head><title>${title}</title></head>
<body><center><h1>${title}</h1></center><hr><center>proxy</center></body>
</html>
`;
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

/** What is answered after that is not delivered. */
export function resetConnection({ context }: FaultCase): Response {
  const { incoming } = context.env as HttpBindings;
  incoming.socket.resetAndDestroy();
  return new Response(null);
}

/** The length is right, so time is all that goes wrong. */
export function drip({ answer, text, seconds, isHostile, random, clock }: AnsweredCase): Response {
  const drawn = isHostile ? between(3, 45, random) : between(0.5, 2.5, random);
  const bytes = new TextEncoder().encode(text);
  const body = drippingBody(bytes, (seconds ?? drawn) * 1000, clock);
  return withBody(answer, body, { 'content-length': String(bytes.length) });
}

const mostPieces = 25;

/** A body that comes in pieces with pauses between them, `totalMs` in all. */
function drippingBody(bytes: Uint8Array, totalMs: number, clock: Clock) {
  const size = Math.ceil(bytes.length / mostPieces);
  const pauseMs = totalMs / Math.ceil(bytes.length / size);
  const left = new AbortController();
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
      await clock.sleep(pauseMs, left.signal);
      if (sent >= bytes.length) controller.close();
    },
    // the client has gone, or the sandbox closes
    cancel: () => left.abort(),
  });
}

/** The length is that of the whole, and the connection closes before. */
export function cutBody({ answer, text, random }: AnsweredCase): Response {
  const bytes = new TextEncoder().encode(text);
  const part = bytes.subarray(0, integerBetween(0, bytes.length - 1, random));
  const headers = { 'content-length': String(bytes.length), connection: 'close' };
  return withBody(answer, part, headers);
}

/** Objects and lists that end early, or go on after their end, are no JSON. */
export function malformedJson({ answer, text, random }: AnsweredCase): Response {
  if (random() < 0.3) return withBody(answer, `${text}, ${text.slice(0, 1)}`);
  return withBody(answer, text.slice(0, integerBetween(1, text.length - 1, random)));
}

export function withBody(
  answer: Response,
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Response {
  const all = { ...Object.fromEntries(answer.headers), ...headers };
  return new Response(body, { status: answer.status, headers: all });
}
