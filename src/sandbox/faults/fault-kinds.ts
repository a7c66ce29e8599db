import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Clock } from '../../core/clock.ts';
import { quotaExceeded, type RequestLimit } from '../access.ts';
import { between, integerBetween, type Random } from '../made-up/random.ts';
import { internalError, refusal } from '../request.ts';

/** The inputs from which the answer to a request with a fault is made. */
interface FaultCase {
  readonly context: Context;
  /** The random numbers for details of the fault. */
  readonly random: Random;
  readonly isHostile: boolean;
  readonly limit: RequestLimit;
  /** The machine's clock. */
  readonly clock: Clock;
}

/** A case whose request the service has handled. */
interface AnsweredCase extends FaultCase {
  readonly answer: Response;
  readonly text: string;
}

/** A way in which a request can go wrong. */
interface FaultTraits {
  /** True when a request that changes something survives the fault: the client knows what was done. */
  readonly sparesChanges: boolean;
  /** The share of requests that suffer the fault, by level. */
  readonly mild: number;
  readonly hostile: number;
  /** Answers instead of the service: nothing is done and no quota is used. */
  readonly instead?: (fault: FaultCase) => Response;
  /** Spoils the answer of a request that was handled. */
  readonly spoil?: (fault: AnsweredCase) => Response;
}

// prettier-ignore
const faultKinds = {
  rate_limited:   { sparesChanges: true,  mild: 0.01,  hostile: 0.06, instead: (fault) => quotaExceeded(fault.limit, waitSeconds(fault)).getResponse() },
  server_error:   { sparesChanges: false, mild: 0.005, hostile: 0.05, instead: () => refusal(internalError).getResponse() },
  unavailable:    { sparesChanges: false, mild: 0.01,  hostile: 0.05, instead: unavailable },
  bad_gateway:    { sparesChanges: false, mild: 0.005, hostile: 0.04, instead: () => htmlPage(502, '502 Bad Gateway') },
  html_page:      { sparesChanges: false, mild: 0.003, hostile: 0.03, instead: () => htmlPage(200, 'We are back in a minute') },
  reset_before:   { sparesChanges: false, mild: 0.005, hostile: 0.04, instead: resetConnection },
  reset_after:    { sparesChanges: false, mild: 0.005, hostile: 0.04, spoil: resetConnection },
  slow_drip:      { sparesChanges: true,  mild: 0.003, hostile: 0.01, spoil: drip },
  cut_body:       { sparesChanges: false, mild: 0.004, hostile: 0.03, spoil: cutBody },
  malformed_json: { sparesChanges: false, mild: 0.003, hostile: 0.03, spoil: malformedJson },
} as const satisfies Record<string, FaultTraits>;
export type FaultKind = keyof typeof faultKinds;

export const faultKindNames = Object.keys(faultKinds) as [FaultKind, ...FaultKind[]];
export const faultLevels = ['none', 'mild', 'hostile'] as const;
export type FaultLevel = (typeof faultLevels)[number];

/**
 * Lists the kinds that a request of this method can suffer, with their probabilities. Mild faults do no harm: a request
 * that changes something suffers only those after which a client knows what was done.
 */
export function oddsOf(
  level: FaultLevel,
  method: string,
): [kind: FaultKind, probability: number][] {
  const isChange = method !== 'GET' && method !== 'HEAD';
  return faultKindNames
    .filter((kind) => level !== 'mild' || !isChange || faultKinds[kind].sparesChanges)
    .map((kind) => [kind, level === 'none' ? 0 : faultKinds[kind][level]]);
}

export function traitsOf(kind: FaultKind): FaultTraits {
  return faultKinds[kind];
}

/** Adds a time to wait to some answers, since not every service names one. */
function unavailable(fault: FaultCase): Response {
  const code = 'SERVICE_UNAVAILABLE';
  const response = refusal({ status: 503, code, message: 'Service Unavailable' }).getResponse();
  if (fault.random() < 0.5) response.headers.set('retry-after', String(waitSeconds(fault)));
  return response;
}

function waitSeconds({ isHostile, random }: FaultCase): number {
  return integerBetween(1, isHostile ? 5 : 2, random);
}

/** Answers with a page, as a proxy in front of the service would. */
function htmlPage(status: number, title: string): Response {
  const page = `<!doctype html>
<html>
<head><title>${title}</title></head>
<body><center><h1>${title}</h1></center><hr><center>proxy</center></body>
</html>
`;
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

/** Closes the connection, after which no answer is delivered. */
function resetConnection({ context }: FaultCase): Response {
  const { incoming } = context.env as HttpBindings;
  incoming.socket.resetAndDestroy();
  return new Response(null);
}

const mostPieces = 25;

/** Sends the body in pieces with pauses between them. Its length is right, so that the delay is the only fault. */
function drip({ answer, text, isHostile, random, clock }: AnsweredCase): Response {
  const seconds = isHostile ? between(3, 45, random) : between(0.5, 2.5, random);
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / mostPieces);
  const pauseMs = (seconds * 1000) / Math.ceil(bytes.length / size);
  const left = new AbortController();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
      await clock.sleep(pauseMs, left.signal);
      if (sent >= bytes.length) controller.close();
    },
    // the client is gone, or the sandbox closes
    cancel: () => left.abort(),
  });
  return withBody(answer, body, { 'content-length': String(bytes.length) });
}

/** Announces the length of the whole body, and closes the connection before its end. */
function cutBody({ answer, text, random }: AnsweredCase): Response {
  const bytes = new TextEncoder().encode(text);
  const part = bytes.subarray(0, integerBetween(0, bytes.length - 1, random));
  const headers = { 'content-length': String(bytes.length), connection: 'close' };
  return withBody(answer, part, headers);
}

/** Ends a body early, so that it is not JSON. */
function malformedJson({ answer, text, random }: AnsweredCase): Response {
  return withBody(answer, text.slice(0, integerBetween(1, text.length - 1, random)));
}

function withBody(
  answer: Response,
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Response {
  const all = { ...Object.fromEntries(answer.headers), ...headers };
  return new Response(body, { status: answer.status, headers: all });
}
