import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket, type DropArgument } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { InterruptedError } from '../../core/errors.ts';
import { refusalAnswer, sendAnswer, type Answer } from './answer.ts';
import { brokenRequestReason, brokenRequestRefusal, writeRawAnswer } from './broken-request.ts';
import { Exchange, OpenExchanges } from './exchange.ts';
import type { ReceiverLimits } from './limits.ts';
import { RefusedRequestError, refusals, type Refusal } from './refusals.ts';
import { plainAddress, senderAddress } from './sender-address.ts';

interface ServerParts {
  readonly limits: ReceiverLimits;
  /** Whether X-Forwarded-For is believed. */
  readonly isProxyTrusted: boolean;
  readonly clock: Clock;
  /** Null when there is nobody left to answer. */
  readonly respond: (exchange: Exchange) => Promise<Answer | null>;
  /** Told of what was refused before it was a request. */
  readonly onBroken: (refusal: Refusal, address: string, reason: string) => void;
  /** Told of what failed without a foreseen reason. */
  readonly onFailure: (error: unknown) => void;
  /** Told of a connection beyond the limit, which was closed at once. */
  readonly onDrop: (address: string) => void;
}

/** Node's HTTP server within limits, with an answer for whatever bytes arrive. */
export class RequestServer {
  readonly server: Server;
  readonly #parts: ServerParts;
  readonly #open = new OpenExchanges();
  /** The last exchange of each connection, also when it is over. */
  readonly #latest = new WeakMap<Duplex, Exchange>();
  /** Connections that were refused; what they go on sending is dropped. */
  readonly #refused = new WeakSet<Duplex>();
  #isStopping = false;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.server = createLimitedServer(parts.limits);
    const take =
      (isContinueAwaited: boolean) => (request: IncomingMessage, response: ServerResponse) =>
        this.#take(request, response, isContinueAwaited);
    this.server
      .on('request', take(false))
      .on('checkContinue', take(true))
      .on('checkExpectation', take(false))
      .on('connect', (_, socket) => this.#takeTunnel(tcp(socket)))
      .on('clientError', (error, socket) => this.#takeBroken(error, tcp(socket)))
      .on('drop', (from?: DropArgument) => parts.onDrop(plainAddress(from?.remoteAddress)));
  }

  /** Takes no further connection, answers what has come in for as long as the limits say, and closes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const closed = once(this.server, 'close');
    this.server.close();
    await this.#untilAnswered();
    this.server.closeAllConnections();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse, isContinueAwaited: boolean): void {
    const address = senderAddress(request, this.#parts.isProxyTrusted);
    const exchange = new Exchange(request, response, { address, isContinueAwaited });
    this.#open.add(exchange);
    this.#latest.set(request.socket, exchange);
    // a connection that breaks tells by `close` as well
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    this.#contain(request.socket, this.#answer(exchange));
  }

  /** Whatever fails costs its own connection alone. */
  #contain(connection: Duplex, answering: Promise<void>): void {
    answering.catch((error: unknown) => {
      this.#parts.onFailure(error);
      connection.destroy();
    });
  }

  async #answer(exchange: Exchange): Promise<void> {
    const answer = await this.#parts.respond(exchange);
    const { bodyBytes, lingerMs } = this.#parts.limits;
    if (answer === null) exchange.response.destroy();
    else sendAnswer(exchange, answer, { bodyBytes, lingerMs, isLast: this.#isStopping });
  }

  /** Bytes that are no request, or a request that takes too long: Node gives the connection up. */
  #takeBroken(error: Error, socket: Socket): void {
    if (this.#refused.has(socket)) return;
    const refusal = brokenRequestRefusal(error, this.#parts.limits);
    if (refusal === null) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    const latest = this.#latest.get(socket);
    if (latest && !latest.request.complete) breakOff(latest, refusal, error, socket);
    else
      this.#contain(socket, this.#refuseAfterOthers(socket, refusal, brokenRequestReason(error)));
  }

  /** Node has let go of the connection by now, and of its own listeners with it. */
  #takeTunnel(socket: Socket): void {
    // one that breaks would end the process; what it goes on sending is dropped
    socket.on('error', () => undefined).resume();
    this.#contain(socket, this.#refuseAfterOthers(socket, refusedConnect, 'CONNECT'));
  }

  /** Answers go out in the order of requests. */
  async #refuseAfterOthers(socket: Socket, refusal: Refusal, reason: string): Promise<void> {
    const others = this.#open.on(socket);
    await Promise.all(others.map(({ response }) => untilOver(response)));
    this.#refuseRaw(socket, refusal, reason);
  }

  #refuseRaw(socket: Socket, refusal: Refusal, reason: string): void {
    this.#parts.onBroken(refusal, plainAddress(socket.remoteAddress), reason);
    const { clock, limits } = this.#parts;
    const { lingerMs } = limits;
    writeRawAnswer(socket, refusalAnswer(refusal), { now: clock.now(), lingerMs });
  }

  async #untilAnswered(): Promise<void> {
    const { clock, limits } = this.#parts;
    const answered = new AbortController();
    const timeLimit = clock.sleep(limits.stopMs, answered.signal).catch(ignoreInterruption);
    await Promise.race([this.#open.whenNone(), timeLimit]);
    answered.abort();
  }
}

const refusedConnect = refusals.methodNotAllowed('POST');

/** Node's types leave open what carries HTTP; here it is a TCP connection. */
function tcp(carrier: Duplex): Socket {
  if (carrier instanceof Socket) return carrier;
  throw new TypeError('HTTP came over something that is no TCP connection');
}

/** Who has sent all may close its side, and still be answered; Node's types do not have the switch. */
type HalfOpenServer = Server & { httpAllowHalfOpen: boolean };

function createLimitedServer(limits: ReceiverLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    // Node's own answer has no body
    requireHostHeader: false,
  });
  (server as HalfOpenServer).httpAllowHalfOpen = true;
  server.maxConnections = limits.connections;
  server.timeout = limits.idleMs;
  return server;
}

/** The request that is still coming in is the one that broke. */
function breakOff(exchange: Exchange, refusal: Refusal, error: Error, socket: Socket): void {
  exchange.isBroken = true;
  if (exchange.isAnswered) socket.destroySoon();
  else
    exchange.body?.fail(
      new RefusedRequestError(refusal, brokenRequestReason(error), { cause: error }),
    );
}

/** Whether it ended well or not. */
function untilOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
  });
}

function ignoreInterruption(error: unknown): void {
  if (!(error instanceof InterruptedError)) throw error;
}
