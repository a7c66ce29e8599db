import { access, constants, statfs } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { MIMEType } from 'node:util';
import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { FieldErrors } from '../api/schemas/error.ts';
import type { Clock } from '../core/clock.ts';
import { ensureFolder } from '../core/atomic-file.ts';
import { errorMessage, isSystemError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { isLoopback } from '../core/loopback.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { EventNotStoredError, eventsFolder, storeEvent } from '../store/event-store.ts';
import { RawArchiveError } from '../store/raw-archive.ts';
import type { Authentication } from './authentication.ts';
import { InvalidEventError, maxEventBytes, readEventText, type EventText } from './event-text.ts';
import type { ReceiverMetrics } from './metrics.ts';

export const webhooksPath = '/webhooks';
const healthPath = '/health';
const retryAfter = { 'retry-after': '5' };

export interface ReceiverParts {
  readonly authentication: Authentication;
  readonly dataDir: string;
  /** Uploads a stored event for other machines; null if there are none. */
  readonly archive: ((key: string) => Promise<void>) | null;
  /** True if the log takes the sender's address from the last entry of X-Forwarded-For. */
  readonly trustProxy: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ReceiverMetrics;
  /** The pages of held mails, which have a path of their own; left out: there are none, and the receiver is open to this machine. */
  readonly review?: { readonly path: string; readonly app: Hono };
  /** Aborted when the receiver stops, so that connections are not kept open for more requests. */
  readonly stopping: AbortSignal;
}

/** Creates the request handler of the receiver, for POST /webhooks and GET /health. */
export function createReceiverApp(parts: ReceiverParts): Hono {
  const app = new Hono();
  app.use(recordRequests(parts));
  const { authentication, review } = parts;
  if (authentication.isOpen && review === undefined) app.use(refuseWebPages);
  app.get(healthPath, reportHealth(parts));
  app.all(healthPath, () => {
    throw refusal(405, 'METHOD_NOT_ALLOWED', 'use GET', { headers: { allow: 'GET, HEAD' } });
  });
  if (review !== undefined) app.route(review.path, review.app);
  if (receivesEvents(parts)) addEvents(app, parts);
  app.notFound(() => {
    throw refusal(404, 'NOT_FOUND');
  });
  app.onError((error, context) => answerError(error, context, parts));
  return app;
}

/** Anyone could send events without a secret, so with `review` there is no receiver then. */
export function receivesEvents({
  authentication,
  review,
}: Pick<ReceiverParts, 'authentication' | 'review'>): boolean {
  return !authentication.isOpen || review === undefined;
}

function addEvents(app: Hono, parts: ReceiverParts): void {
  app.post(
    webhooksPath,
    requireToken(parts),
    requireJson,
    bodyLimit({ maxSize: maxEventBytes, onError: refuseTooLarge }),
    receiveEvent(parts),
  );
  app.all(webhooksPath, () => {
    throw refusal(405, 'METHOD_NOT_ALLOWED', 'use POST', { headers: { allow: 'POST' } });
  });
}

interface RefusalDetails {
  readonly headers?: Record<string, string>;
  readonly errors?: FieldErrors;
  /** The reason for the log, which the sender does not see. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** Creates an exception whose response has the API's error shape. */
function refusal(
  status: ContentfulStatusCode,
  code: string,
  hint?: string,
  { headers = {}, errors, reason, cause }: RefusalDetails = {},
): HTTPException {
  const phrase = STATUS_CODES[status] ?? '';
  const message = hint === undefined ? phrase : `${phrase}: ${hint}`;
  const body = { code, message, ...(errors && { data: { errors } }) };
  const res = Response.json(body, { status, headers });
  return new HTTPException(status, { message: reason ?? message, res, cause });
}

/** Counts every request, and logs each refused one. */
function recordRequests({ metrics, log, trustProxy, stopping }: ReceiverParts): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { status } = context.res;
    const { method, path } = context.req;
    if (stopping.aborted) context.header('connection', 'close');
    context.header('cache-control', 'no-store');
    metrics.requests.inc({ status });
    if (method === 'POST' && path === webhooksPath && status >= 300) {
      metrics.events.inc({ outcome: 'refused' });
    }
    if (status < 300) return;
    // Any other path is not logged, since a wrongly built address may contain a token.
    const isKnown = path === webhooksPath || path === healthPath;
    const request = terminalLine(`${method} ${isKnown ? path : '(another path)'}`);
    const reason = terminalLine(context.error?.message ?? '').slice(0, 200);
    log.warn({ status, request, address: senderAddress(context, trustProxy), reason }, 'refused');
  };
}

/** Returns the address of the sender, behind a proxy that is trusted the one that it names. */
export function senderAddress(context: Context, trustProxy: boolean): string {
  const forwarded = trustProxy ? context.req.header('x-forwarded-for') : undefined;
  const address = forwarded?.split(',').at(-1)?.trim() ?? getConnInfo(context).remote.address ?? '';
  return terminalLine(address.slice(0, 60));
}

/**
 * Refuses requests from web pages, since without a secret, a page in a browser on this machine could send events.
 * Browsers name the page's origin in `Origin`, and in `Host` the name by which it reached this machine.
 */
const refuseWebPages: MiddlewareHandler = async (context, next) => {
  const { hostname, origin } = new URL(context.req.url);
  const page = context.req.header('origin');
  const isForeign = page !== undefined && page !== origin;
  if (isForeign || !isLoopback(hostname)) {
    throw refusal(403, 'FORBIDDEN', 'web pages and other hosts cannot send without a token');
  }
  await next();
};

function requireToken({ authentication }: ReceiverParts): MiddlewareHandler {
  return async (context, next) => {
    const { headers } = context.req.raw;
    if (!authentication.hasToken({ headers, queryToken: context.req.query('token') })) {
      throw unauthorized('no valid token');
    }
    await next();
  };
}

/** Creates the same answer whatever is wrong or missing; only the log gets the reason. */
function unauthorized(reason: string): HTTPException {
  const headers = { 'www-authenticate': 'Bearer' };
  return refusal(401, 'UNAUTHORIZED', undefined, { headers, reason });
}

const requireJson: MiddlewareHandler = async (context, next) => {
  const type = readType(context.req.header('content-type') ?? '');
  if (!/^application\/(?:json|.+\+json)$/.test(type?.essence ?? '')) {
    throw refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'send Content-Type: application/json');
  }
  const charset = type?.params.get('charset')?.replaceAll(/['\s]/g, '');
  if (charset && !isUtf8(charset)) {
    throw refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'send charset utf-8');
  }
  if ((context.req.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'send no Content-Encoding');
  }
  await next();
};

/** Returns the type and its parameters, in lower case. Null if it is none. */
function readType(text: string): MIMEType | null {
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}

/** True for any label of UTF-8, and of ASCII, which is a part of it. */
function isUtf8(label: string): boolean {
  if (/^(?:us-)?ascii$|^csutf8$|^utf_8$/i.test(label)) return true;
  try {
    return new TextDecoder(label).encoding === 'utf-8';
  } catch {
    return false;
  }
}

function refuseTooLarge(): never {
  throw refusal(413, 'PAYLOAD_TOO_LARGE', `a body may have up to ${maxEventBytes} bytes`);
}

function receiveEvent(parts: ReceiverParts) {
  const { authentication, clock, log, metrics } = parts;
  return async (context: Context) => {
    const body = Buffer.from(await context.req.arrayBuffer());
    const problem = authentication.signatureProblem(body, context.req.raw.headers);
    if (problem !== null) throw unauthorized(problem);
    const event = parseBody(body);
    const stopTimer = metrics.storeSeconds.startTimer();
    const stored = { ...event, receivedAt: clock.now(), via: 'http' } as const;
    const status = await storeAndArchive(stored, parts).catch((error: unknown) => {
      metrics.failing.set(1);
      throw error;
    });
    stopTimer();
    metrics.failing.set(0);
    metrics.events.inc({ outcome: status });
    if (status === 'stored') metrics.lastEventAt.set(clock.now().getTime() / 1000);
    const fields = { type: terminalLine(event.type.slice(0, 120)), key: event.key.slice(0, 12) };
    log.info(fields, status === 'stored' ? 'event stored' : 'duplicate');
    return context.json({ status }, status === 'stored' ? 202 : 200);
  };
}

/** Stores and archives an event. Duplicates are archived too, since the first may not have been. */
async function storeAndArchive(
  event: Parameters<typeof storeEvent>[1],
  { dataDir, archive }: ReceiverParts,
) {
  const status = await storeEvent(dataDir, event);
  await archive?.(event.key);
  return status;
}

function parseBody(body: Buffer): EventText {
  try {
    return readEventText(body);
  } catch (error) {
    if (!(error instanceof InvalidEventError)) throw error;
    const { errors, message: reason } = error;
    throw refusal(400, 'BAD_REQUEST', undefined, { errors, reason, cause: error });
  }
}

/** Reports whether an event could be stored now: the folder must be writable and have room for the largest event. */
function reportHealth({ dataDir, clock }: ReceiverParts) {
  const startedAt = clock.now().toISOString();
  return async (context: Context) => {
    const { error, freeBytes } = await readDisk(eventsFolder(dataDir));
    const status = error === null ? 'ready' : 'failing';
    const disk = { free_bytes: freeBytes };
    const body = { status, ...(error !== null && { error }), disk, started_at: startedAt };
    return error === null ? context.json(body) : context.json(body, 503, retryAfter);
  };
}

async function readDisk(folder: string) {
  try {
    await ensureFolder(folder);
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    return { freeBytes, error: freeBytes < maxEventBytes ? 'the disk is full' : null };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // The message is left out because it contains paths.
    return { freeBytes: null, error: `events cannot be stored (${error.code})` };
  }
}

function answerError(error: Error, { env }: Context, { log }: ReceiverParts): Response {
  if (error instanceof HTTPException) return error.getResponse();
  // the sender closed the connection early, or its chunks are not HTTP
  if ((env as Partial<HttpBindings>).incoming?.errored)
    return refusal(400, 'BAD_REQUEST', 'the body is incomplete').getResponse();
  if (error instanceof EventNotStoredError || error instanceof RawArchiveError) {
    log.error({ error: error.message }, 'an event could not be stored');
    const hint = 'the event cannot be stored now';
    return refusal(503, 'SERVICE_UNAVAILABLE', hint, { headers: retryAfter }).getResponse();
  }
  log.error(
    { stack: error.stack ?? errorMessage(error) },
    'the receiver failed; this is a bug in postledger',
  );
  return refusal(500, 'INTERNAL_SERVER_ERROR').getResponse();
}
