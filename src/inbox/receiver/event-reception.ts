import type { Clock } from '../../core/clock.ts';
import { readEvent, type EventText } from '../events/read-event.ts';
import { UnfitEventError } from '../events/unfit-event-error.ts';
import type { EventStore } from '../spool/event-store.ts';
import { SpoolUnavailableError } from '../spool/spool-errors.ts';
import type { Answer } from './answer.ts';
import type { Authentication } from './authentication.ts';
import type { Exchange } from './exchange.ts';
import { FailedAttempts } from './failed-attempts.ts';
import { declaredLength, IncomingBody } from './incoming-body.ts';
import { IncomingBytes } from './incoming-bytes.ts';
import type { ReceiverLimits } from './limits.ts';
import { mediaTypeRefusal } from './media-type.ts';
import type { StoreOutcome } from '../spool/group-queue.ts';
import { FailedAuthenticationError, RefusedRequestError, refusals } from './refusals.ts';
import { RequestRate } from './request-rate.ts';
import { signatureHeaderProblem } from './signature-check.ts';

interface ReceptionParts {
  readonly authentication: Authentication;
  readonly store: EventStore;
  readonly limits: ReceiverLimits;
  /** Null: as many as there come. */
  readonly maxRequestsPerSecond: number | null;
  readonly clock: Clock;
  /** Told when an event is on disk. */
  readonly onEvent: (outcome: StoreOutcome, event: EventText, storeMs: number) => void;
  /** Told when an event could not be stored. */
  readonly onUnavailable: () => void;
}

const accepted: Readonly<Record<StoreOutcome, Answer>> = {
  stored: { status: 202, body: '{"status":"stored"}' },
  duplicate: { status: 200, body: '{"status":"duplicate"}' },
};

/** From a request to an event on disk: who may send, what may be sent, then the event. */
export class EventReception {
  readonly #parts: ReceptionParts;
  readonly #failures: FailedAttempts;
  readonly #rate: RequestRate | null;
  readonly #incoming: IncomingBytes;

  constructor(parts: ReceptionParts) {
    const { clock, limits, maxRequestsPerSecond } = parts;
    this.#parts = parts;
    this.#failures = new FailedAttempts(clock, limits);
    this.#rate =
      maxRequestsPerSecond === null ? null : new RequestRate(clock, maxRequestsPerSecond);
    this.#incoming = new IncomingBytes(limits);
  }

  /**
   * @throws RefusedRequestError
   * @throws SenderGoneError
   */
  async receive(exchange: Exchange): Promise<Answer> {
    const { request, method } = exchange;
    if (method !== 'POST') throw new RefusedRequestError(refusals.methodNotAllowed('POST'));
    this.#checkToken(exchange);
    this.#checkSignatureHeaders(exchange);
    if (this.#rate?.take() === false) {
      throw new RefusedRequestError(refusals.tooMany(1), 'more than max_requests_per_second');
    }
    this.#checkLength(exchange);
    const mediaType = mediaTypeRefusal(request.headers);
    if (mediaType) throw new RefusedRequestError(mediaType);
    const body = await this.#readBody(exchange);
    this.#checkSignature(exchange, body);
    return accepted[await this.#store(readFit(body))];
  }

  #checkToken(exchange: Exchange): void {
    const { tokens } = this.#parts.authentication;
    if (tokens === null) return;
    const { request, target, address } = exchange;
    exchange.isProven = tokens.holds({ rawHeaders: request.rawHeaders, query: target.query });
    if (!exchange.isProven) throw this.#failure(address, 'no right token');
  }

  /** No body is read for headers that can be no signature. */
  #checkSignatureHeaders({ request, address }: Exchange): void {
    const { authentication, clock } = this.#parts;
    if (authentication.signatures === null) return;
    const problem = signatureHeaderProblem(request.rawHeaders, clock.now());
    if (problem !== null) throw this.#failure(address, problem);
  }

  #checkLength({ request }: Exchange): void {
    const { bodyBytes } = this.#parts.limits;
    if ((declaredLength(request) ?? 0) <= bodyBytes) return;
    throw new RefusedRequestError(refusals.tooLarge(bodyBytes));
  }

  #readBody(exchange: Exchange): Promise<Buffer> {
    const { request, response, isContinueAwaited, address } = exchange;
    const { authentication, limits } = this.#parts;
    const room = this.#incoming.of(authentication.tokens === null ? address : null);
    exchange.body = new IncomingBody(request, limits.bodyBytes, room);
    const body = exchange.body.read();
    if (isContinueAwaited) response.writeContinue();
    return body;
  }

  #checkSignature(exchange: Exchange, body: Buffer): void {
    const { signatures } = this.#parts.authentication;
    if (signatures === null) return;
    const problem = signatures.problem(body, exchange.request.rawHeaders);
    exchange.isProven = problem === null;
    if (problem !== null) throw this.#failure(exchange.address, problem);
  }

  #failure(address: string, reason: string): FailedAuthenticationError {
    const isHeldBack = this.#failures.add(address);
    if (!isHeldBack) return new FailedAuthenticationError(refusals.unauthorized, reason);
    return new FailedAuthenticationError(
      refusals.tooMany(this.#failures.retryAfterSeconds),
      'too many failed authentications',
    );
  }

  async #store(event: EventText): Promise<StoreOutcome> {
    const { clock, store, onEvent, onUnavailable } = this.#parts;
    const startMs = clock.monotonicMs();
    const storing = store.store(event, clock.now());
    const outcome = await storing.catch((error: unknown) => {
      if (!(error instanceof SpoolUnavailableError)) throw error;
      onUnavailable();
      throw new RefusedRequestError(refusals.unavailable, error.message, { cause: error });
    });
    onEvent(outcome, event, clock.monotonicMs() - startMs);
    return outcome;
  }
}

/** @throws RefusedRequestError which tells the sender what is wrong */
function readFit(body: Buffer): EventText {
  try {
    return readEvent(body);
  } catch (error) {
    if (!(error instanceof UnfitEventError)) throw error;
    const refusal = refusals.badRequest('Bad Request', error.errors);
    throw new RefusedRequestError(refusal, error.message, { cause: error });
  }
}
