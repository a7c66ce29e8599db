import { writeSync } from 'node:fs';
import { hasErrorCode } from './errors.ts';

/** Between two tries while whoever reads a pipe is behind. */
const pauseMs = 10;
const lineFeed = '\n';

/** Writes lines to a file descriptor at once. One that was written in part never has the next one glued to it. */
export class LineWriter {
  readonly #descriptor: number;
  #isTorn = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @throws what the system says when it does not take all of it */
  write(line: string): void {
    const data = Buffer.from(this.#isTorn ? lineFeed + line : line);
    for (let offset = 0; offset < data.length; ) {
      const written = this.#writeSome(data.subarray(offset));
      offset += written;
      if (written > 0) this.#isTorn = offset < data.length;
    }
  }

  /** A pipe that is full is waited for, as any program waits whose pipe blocks. */
  #writeSome(data: Buffer): number {
    try {
      return writeSync(this.#descriptor, data);
    } catch (error) {
      if (!hasErrorCode(error, 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      return 0;
    }
  }
}
