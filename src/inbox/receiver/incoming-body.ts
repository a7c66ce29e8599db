import type { IncomingMessage } from 'node:http';
import { PostledgerError } from '../../core/errors.ts';
import type { Room } from './incoming-bytes.ts';
import { RefusedRequestError, refusals } from './refusals.ts';

/** The sender closed its connection before the request was whole: there is nobody to answer. */
export class SenderGoneError extends PostledgerError {
  readonly code = 'SENDER_GONE';
  readonly recovery = 'retry';

  constructor() {
    super('the sender left before its body was whole');
  }
}

/** What a request declares its body to have, in bytes; null when it does not say. */
export function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}

/** A body on its way in. */
export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;
  readonly #room: Room;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #fail: (error: RefusedRequestError) => void = () => undefined;

  constructor(request: IncomingMessage, maxBytes: number, room: Room) {
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#room = room;
  }

  /** How much of it has come. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ends the reading: what comes from now on is not kept. */
  fail(error: RefusedRequestError): void {
    this.#fail(error);
  }

  /**
   * May be called once.
   * @throws RefusedRequestError when it is too large, too much is on its way in all, or it is failed
   * @throws SenderGoneError
   */
  async read(): Promise<Buffer> {
    try {
      await this.#collect();
      const [first, ...more] = this.#chunks;
      return first !== undefined && more.length === 0 ? first : Buffer.concat(this.#chunks);
    } finally {
      this.#room.give(this.#bytes);
      this.#chunks.length = 0;
    }
  }

  #collect(): Promise<void> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        request.off('data', take).off('end', succeed).off('close', leave);
        finish();
      };
      const succeed = () => settle(resolve);
      const fail = (error: PostledgerError) => settle(() => reject(error));
      const leave = () => fail(new SenderGoneError());
      const take = (chunk: Buffer) => {
        const error = this.#add(chunk);
        if (error !== null) fail(error);
      };
      this.#fail = fail;
      request.on('data', take).on('end', succeed).on('close', leave);
    });
  }

  #add(chunk: Buffer): RefusedRequestError | null {
    if (this.#bytes + chunk.length > this.#maxBytes) {
      return new RefusedRequestError(refusals.tooLarge(this.#maxBytes));
    }
    if (!this.#room.take(chunk.length)) {
      const reason = 'bodies that are coming in fill the memory set aside for them';
      return new RefusedRequestError(refusals.unavailable, reason);
    }
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    return null;
  }
}
