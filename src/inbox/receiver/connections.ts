import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';
import { plainAddress } from './sender-address.ts';

/** A sender's connection. */
export class Connection {
  readonly socket: Socket;
  /** The other side's. Asked for at once, as nobody knows it of a connection that was reset. */
  readonly address: string;
  /** Those that are not over, in the order in which they came: senders may send ahead. */
  readonly exchanges = new Set<Exchange>();
  /** The last one, also when it is over. */
  latest: Exchange | null = null;
  /** What it goes on sending is dropped. */
  isRefused = false;
  #hasProven = false;
  #onAnswered: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    this.address = plainAddress(socket.remoteAddress);
  }

  /** Whether its sender has shown a right token or signature by now. */
  get isProven(): boolean {
    return this.#hasProven || [...this.exchanges].some(({ isProven }) => isProven);
  }

  /** Whether a whole request of it is being worked on. */
  get isAwaited(): boolean {
    for (const { request, isAnswered } of this.exchanges) {
      if (request.complete && !isAnswered) return true;
    }
    return false;
  }

  /** Resolves when all exchanges are over, or the connection is; may be awaited once. */
  async untilAnswered(): Promise<void> {
    if (this.exchanges.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAnswered = resolve;
    });
  }

  /** @returns whether it was still open */
  end(exchange: Exchange): boolean {
    if (!this.exchanges.delete(exchange)) return false;
    this.#hasProven ||= exchange.isProven;
    if (this.exchanges.size === 0) this.#onAnswered();
    return true;
  }
}

const tooMany = 'too many connections are open';

/** The connections that are open, up to a limit, and the exchanges on them that are not over. */
export class Connections {
  readonly #most: number;
  readonly #onDrop: (address: string, reason: string) => void;
  /** The one that has been answered least recently, or never and is the oldest, comes first. */
  readonly #connections = new Map<Socket, Connection>();
  #exchanges = 0;
  #onNone: () => void = () => undefined;

  /** @param onDrop told of each connection that is dropped */
  constructor(most: number, onDrop: (address: string, reason: string) => void) {
    this.#most = most;
    this.#onDrop = onDrop;
  }

  /**
   * Takes a connection in. Where there are too many, another one makes room: idle ones and slow senders
   * would keep everybody else out otherwise. Those whose senders have proved nothing go first. Only when all
   * are being answered, the new one has to go.
   */
  open(socket: Socket): void {
    socket.once('close', () => this.#close(socket));
    const connection = new Connection(socket);
    this.#connections.set(socket, connection);
    if (this.#connections.size > this.#most) this.drop(this.#dispensable() ?? connection, tooMany);
  }

  of(socket: Socket): Connection | null {
    return this.#connections.get(socket) ?? null;
  }

  /** Closes a connection at once: what is under way on it has nobody to answer. */
  drop({ socket, address }: Connection, reason: string): void {
    this.#onDrop(address, reason);
    socket.destroy();
    this.#close(socket);
  }

  begin(connection: Connection, exchange: Exchange): void {
    connection.exchanges.add(exchange);
    connection.latest = exchange;
    this.#exchanges += 1;
    exchange.response.once('close', () => {
      this.#end(connection, exchange);
      this.#moveBack(connection);
    });
  }

  /** Resolves when no exchange is open, at once where none is. May be awaited once. */
  async whenNone(): Promise<void> {
    if (this.#exchanges === 0) return;
    await new Promise<void>((resolve) => {
      this.#onNone = resolve;
    });
  }

  #dispensable(): Connection | null {
    let oldestProven: Connection | null = null;
    for (const connection of this.#connections.values()) {
      if (connection.isAwaited) continue;
      if (!connection.isProven) return connection;
      oldestProven ??= connection;
    }
    return oldestProven;
  }

  /** Node tells of no end of the answers that wait behind another one on a connection that breaks. */
  #close(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    this.#connections.delete(socket);
    for (const exchange of connection.exchanges) this.#end(connection, exchange);
  }

  #end(connection: Connection, exchange: Exchange): void {
    if (!connection.end(exchange)) return;
    this.#exchanges -= 1;
    if (this.#exchanges === 0) this.#onNone();
  }

  #moveBack(connection: Connection): void {
    const { socket } = connection;
    if (this.#connections.delete(socket)) this.#connections.set(socket, connection);
  }
}
