interface IncomingLimits {
  readonly incomingBytes: number;
  readonly unverifiedBytes: number;
}

/** Memory for a body on its way in. */
export interface Room {
  /** @returns whether there was room; if so, it is taken */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** How many bytes of unfinished bodies are held in memory. */
export class IncomingBytes {
  readonly #limits: IncomingLimits;
  #held = 0;
  readonly #heldByAddress = new Map<string, number>();

  constructor(limits: IncomingLimits) {
    this.#limits = limits;
  }

  /** @param address of a sender that has not proved yet that it may send, and must leave room for others */
  of(address: string | null): Room {
    return {
      take: (bytes) => {
        const hasRoom = this.#hasRoom(bytes, address);
        if (hasRoom) this.#add(bytes, address);
        return hasRoom;
      },
      give: (bytes) => this.#add(-bytes, address),
    };
  }

  #hasRoom(bytes: number, address: string | null): boolean {
    const { incomingBytes, unverifiedBytes } = this.#limits;
    if (this.#held + bytes > incomingBytes) return false;
    return address === null || this.#heldBy(address) + bytes <= unverifiedBytes;
  }

  #add(bytes: number, address: string | null): void {
    this.#held += bytes;
    if (address === null) return;
    const held = this.#heldBy(address) + bytes;
    if (held === 0) this.#heldByAddress.delete(address);
    else this.#heldByAddress.set(address, held);
  }

  #heldBy(address: string): number {
    return this.#heldByAddress.get(address) ?? 0;
  }
}
