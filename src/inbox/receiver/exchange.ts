import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { declaredLength, type IncomingBody } from './incoming-body.ts';
import { parseTarget, type RequestTarget } from './request-target.ts';

/** A request and the answer to it. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  /** The sender's, for log and limits. */
  readonly address: string;
  /** The sender waits for a word before it sends the body (RFC 9110, 10.1.1). */
  readonly isContinueAwaited: boolean;
  /** There once the body is being read. */
  body: IncomingBody | null = null;
  /** What comes after this on its connection can no longer be understood. */
  isBroken = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    sender: { readonly address: string; readonly isContinueAwaited: boolean },
  ) {
    this.request = request;
    this.response = response;
    this.target = parseTarget(request.url ?? '');
    this.address = sender.address;
    this.isContinueAwaited = sender.isContinueAwaited;
  }

  get method(): string {
    return this.request.method ?? '';
  }

  get isAnswered(): boolean {
    return this.response.headersSent;
  }

  /** How much of the body has come, or else will. */
  get bodyBytes(): number {
    return this.body?.bytes ?? declaredLength(this.request) ?? 0;
  }
}

/** The exchanges that are not over yet. */
export class OpenExchanges {
  readonly #byConnection = new Map<Duplex, Set<Exchange>>();
  #count = 0;
  #onNone: () => void = () => undefined;

  add(exchange: Exchange): void {
    const { socket } = exchange.request;
    const others = this.#byConnection.get(socket);
    if (others) others.add(exchange);
    else this.#byConnection.set(socket, new Set([exchange]));
    this.#count += 1;
    exchange.response.once('close', () => this.#remove(socket, exchange));
  }

  /** Of one connection, in the order in which they came: senders may send ahead. */
  on(socket: Duplex): readonly Exchange[] {
    return [...(this.#byConnection.get(socket) ?? [])];
  }

  get count(): number {
    return this.#count;
  }

  /** Resolves when none is open, at once where none is. */
  async whenNone(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#onNone = resolve;
    });
  }

  #remove(socket: Duplex, exchange: Exchange): void {
    const others = this.#byConnection.get(socket);
    if (!others?.delete(exchange)) return;
    if (others.size === 0) this.#byConnection.delete(socket);
    this.#count -= 1;
    if (this.#count === 0) this.#onNone();
  }
}
