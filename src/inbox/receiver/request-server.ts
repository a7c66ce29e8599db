import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as TcpServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { InterruptedError } from '../../core/errors.ts';
import { refusalAnswer, sendAnswer, type Answer } from './answer.ts';
import { brokenRequestReason, brokenRequestRefusal, writeRawAnswer } from './broken-request.ts';
import { Connections, type Connection } from './connections.ts';
import { Exchange } from './exchange.ts';
import type { ReceiverLimits } from './limits.ts';
import { RefusedRequestError, refusals, type Refusal } from './refusals.ts';
import { senderAddress } from './sender-address.ts';

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
  /** Told of a connection that was closed for the sake of others. */
  readonly onDrop: (address: string, reason: string) => void;
}

/** Node's HTTP server within limits, with an answer for whatever bytes arrive. */
export class RequestServer {
  readonly server: Server;
  readonly #parts: ServerParts;
  readonly #connections: Connections;
  #isStopping = false;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.server = createLimitedServer(parts.limits);
    this.#connections = new Connections(parts.limits.connections, parts.onDrop);
    const take =
      (isContinueAwaited: boolean) => (request: IncomingMessage, response: ServerResponse) =>
        this.#take(request, response, isContinueAwaited);
    this.server
      .on('connection', (socket: Socket) => this.#connections.open(socket))
      .on('request', take(false))
      .on('checkContinue', take(true))
      .on('checkExpectation', take(false))
      .on('connect', (_, socket) => this.#takeTunnel(tcp(socket)))
      .on('clientError', (error, socket) => this.#takeBroken(error, tcp(socket)));
  }

  /** Takes no further connection, answers what has come in for as long as the limits say, and closes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const { stopMs, stopGraceMs } = this.#parts.limits;
    const closed = once(this.server, 'close');
    // its own close would cut idle connections at once, and what is on its way on them
    TcpServer.prototype.close.call(this.server);
    await this.#within(stopGraceMs, closed);
    this.server.close();
    await this.#within(stopMs - stopGraceMs, this.#connections.whenNone());
    this.server.closeAllConnections();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse, isContinueAwaited: boolean): void {
    const connection = this.#connections.of(request.socket);
    // dropped, and what had come by then is read to its end
    if (connection === null) return;
    if (connection.exchanges.size === this.#parts.limits.requestsAhead) {
      this.#connections.drop(connection, 'too many requests ahead of their answers');
      return;
    }
    const address = senderAddress(request, this.#parts.isProxyTrusted);
    const exchange = new Exchange(request, response, { address, isContinueAwaited });
    this.#connections.begin(connection, exchange);
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
    const connection = this.#connections.of(socket);
    if (connection === null || connection.isRefused) return;
    const refusal = brokenRequestRefusal(error, this.#parts.limits);
    if (refusal === null) {
      socket.destroy();
      return;
    }
    connection.isRefused = true;
    const { latest } = connection;
    if (latest && !latest.request.complete) breakOff(latest, refusal, error, socket);
    else
      this.#contain(
        socket,
        this.#refuseAfterOthers(connection, refusal, brokenRequestReason(error)),
      );
  }

  /** Node has let go of the connection by now, and of its own listeners with it. */
  #takeTunnel(socket: Socket): void {
    // one that breaks would end the process; what it goes on sending is dropped
    socket.on('error', () => undefined).resume();
    const connection = this.#connections.of(socket);
    if (connection === null) return;
    this.#contain(socket, this.#refuseAfterOthers(connection, refusedConnect, 'CONNECT'));
  }

  /** Answers go out in the order of requests. */
  async #refuseAfterOthers(
    connection: Connection,
    refusal: Refusal,
    reason: string,
  ): Promise<void> {
    await connection.untilAnswered();
    this.#refuseRaw(connection, refusal, reason);
  }

  #refuseRaw({ socket, address }: Connection, refusal: Refusal, reason: string): void {
    this.#parts.onBroken(refusal, address, reason);
    const { clock, limits } = this.#parts;
    const { lingerMs } = limits;
    writeRawAnswer(socket, refusalAnswer(refusal), { now: clock.now(), lingerMs });
  }

  async #within(ms: number, event: Promise<unknown>): Promise<void> {
    if (ms === 0) return;
    const over = new AbortController();
    const timeLimit = this.#parts.clock.sleep(ms, over.signal).catch(ignoreInterruption);
    await Promise.race([event, timeLimit]);
    over.abort();
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
  // as many as fit into their bytes: beyond a number Node would leave out the rest without a word
  server.maxHeadersCount = 0;
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

function ignoreInterruption(error: unknown): void {
  if (!(error instanceof InterruptedError)) throw error;
}
