/** Bytes of a SHA-256. */
export const keyBytes = 32;
const keysPerBlock = 1 << 15;
const blockBytes = keysPerBlock * keyBytes;
const firstSlots = 1 << 12;
/** Of the slots, at most; a probe then looks at few. */
const fullest = 0.75;

/**
 * A set of event keys: about 40 bytes a key, where a Set of hex strings takes 150. Keys are stored one after
 * another; a table of their numbers finds them by their first four bytes, which hashes spread evenly.
 */
export class KeyIndex {
  readonly #blocks: Buffer[] = [];
  /** The number of a key from 1, or 0: open addressing, linear probing. */
  #slots = new Uint32Array(firstSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param key lower-case hex */
  has(key: string): boolean {
    const bytes = Buffer.from(key, 'hex');
    return this.#slots[this.#findSlot(bytes, 0)] !== 0;
  }

  /** @param key lower-case hex */
  add(key: string): void {
    this.addBytes(Buffer.from(key, 'hex'), 0);
  }

  /** Adds the key that begins at `offset`. */
  addBytes(data: Buffer, offset: number): void {
    const slot = this.#findSlot(data, offset);
    if (this.#slots[slot] !== 0) return;
    data.copy(this.#blockForNext(), this.#offsetOf(this.#size), offset, offset + keyBytes);
    this.#size += 1;
    this.#slots[slot] = this.#size;
    if (this.#size > this.#slots.length * fullest) this.#grow();
  }

  /** The slot that holds the key, or the free one where it belongs. */
  #findSlot(data: Buffer, offset: number): number {
    const mask = this.#slots.length - 1;
    let slot = data.readUInt32LE(offset) & mask;
    for (let number = this.#slots[slot] ?? 0; number !== 0; number = this.#slots[slot] ?? 0) {
      if (this.#isKey(number - 1, data, offset)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isKey(index: number, data: Buffer, offset: number): boolean {
    const start = this.#offsetOf(index);
    const block = this.#blockOf(index);
    return block.compare(data, offset, offset + keyBytes, start, start + keyBytes) === 0;
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let index = 0; index < this.#size; index += 1) {
      let slot = this.#blockOf(index).readUInt32LE(this.#offsetOf(index)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }

  #blockForNext(): Buffer {
    if (this.#size === this.#blocks.length * keysPerBlock)
      this.#blocks.push(Buffer.alloc(blockBytes));
    return this.#blockOf(this.#size);
  }

  #blockOf(index: number): Buffer {
    const block = this.#blocks[Math.floor(index / keysPerBlock)];
    if (block === undefined) throw new RangeError(`there is no key ${index}`);
    return block;
  }

  #offsetOf(index: number): number {
    return (index % keysPerBlock) * keyBytes;
  }
}
