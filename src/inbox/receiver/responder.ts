import { errorMessage } from '../../core/errors.ts';
import { refusalAnswer, type Answer } from './answer.ts';
import type { EventReception } from './event-reception.ts';
import type { Exchange } from './exchange.ts';
import { headerValues } from './header-values.ts';
import type { Health } from './health.ts';
import { SenderGoneError } from './incoming-body.ts';
import type { ReceiverLog } from './receiver-log.ts';
import type { ReceiverMetrics } from './receiver-metrics.ts';
import {
  FailedAuthenticationError,
  RefusedRequestError,
  refusals,
  type Refusal,
} from './refusals.ts';

interface ResponderParts {
  readonly reception: EventReception;
  readonly health: Health;
  readonly metrics: ReceiverMetrics;
  readonly log: ReceiverLog;
}

export const webhooksPath = '/webhooks';
const healthPath = '/health';

/** Finds the answer to each request, and keeps account of it. */
export class Responder {
  readonly #parts: ResponderParts;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /** Null when the sender has left. */
  async respond(exchange: Exchange): Promise<Answer | null> {
    try {
      const answer = await this.#route(exchange);
      this.#parts.metrics.answered(answer.status);
      return answer;
    } catch (error) {
      return this.#answerError(exchange, error);
    }
  }

  /** What could not be read as a request. */
  refuseBroken(refusal: Refusal, address: string, reason: string): void {
    const { metrics, log } = this.#parts;
    metrics.answered(refusal.status);
    log.refused({ status: refusal.status, address, reason, method: null, path: null, bytes: 0 });
  }

  /** What failed beside the finding of an answer. */
  fail(error: unknown): void {
    this.#parts.log.failed(error);
  }

  /** A connection that was closed for the sake of others. */
  refuseConnection(address: string, reason: string): void {
    const { metrics, log } = this.#parts;
    metrics.connectionRefused();
    log.refused({ status: null, address, reason, method: null, path: null, bytes: 0 });
  }

  #route(exchange: Exchange): Promise<Answer> {
    requireHost(exchange);
    requireKnownCoding(exchange);
    const { method, target } = exchange;
    if (target.path === webhooksPath) return this.#parts.reception.receive(exchange);
    if (target.path !== healthPath) throw new RefusedRequestError(refusals.notFound);
    if (method === 'GET' || method === 'HEAD') return this.#parts.health.answer();
    throw new RefusedRequestError(refusals.methodNotAllowed('GET, HEAD'));
  }

  #answerError(exchange: Exchange, error: unknown): Answer | null {
    const { metrics, log } = this.#parts;
    // what scanners ask for is no event
    if (isEventSent(exchange)) metrics.refused();
    if (error instanceof SenderGoneError) {
      log.refused({ ...lineOf(exchange), status: null, reason: error.message });
      return null;
    }
    const isForeseen = error instanceof RefusedRequestError;
    if (!isForeseen) log.failed(error);
    const refusal = isForeseen ? error.refusal : refusals.internal;
    metrics.answered(refusal.status);
    const isHeldBack = error instanceof FailedAuthenticationError && refusal.status === 429;
    if (isHeldBack) log.heldBack();
    else log.refused({ ...lineOf(exchange), status: refusal.status, reason: errorMessage(error) });
    return refusalAnswer(refusal);
  }
}

function isEventSent({ method, target }: Exchange): boolean {
  return method === 'POST' && target.path === webhooksPath;
}

/** RFC 9112, 3.2. */
function requireHost({ request }: Exchange): void {
  const hosts = headerValues(request.rawHeaders, 'host').length;
  const isOld = request.httpVersion === '1.0' && hosts === 0;
  if (hosts === 1 || isOld) return;
  throw new RefusedRequestError(refusals.badRequest('Bad Request: send one Host header'));
}

/** RFC 9112, 6.1. */
function requireKnownCoding({ request }: Exchange): void {
  const coding = request.headers['transfer-encoding'] ?? 'chunked';
  if (coding.trim().toLowerCase() === 'chunked') return;
  throw new RefusedRequestError(
    refusals.notImplemented('send chunks as they are, without a coding'),
  );
}

function lineOf({ method, target, address, bodyBytes }: Exchange) {
  return { method, path: target.path, address, bytes: bodyBytes };
}
