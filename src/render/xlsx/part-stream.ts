import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

/** Text is handed on in pieces of this many characters: compressing row by row is slow. */
const pieceLength = 65_536;

/** One part of the workbook on its way into the zip: exceljs writes, the zip reads at its own pace. */
export class PartStream {
  readonly #output = new PassThrough();
  #text = '';

  get readable(): Readable {
    return this.#output;
  }

  write(chunk: string | { toBuffer(): Buffer }): void {
    this.#text += typeof chunk === 'string' ? chunk : chunk.toBuffer().toString();
    if (this.#text.length >= pieceLength) this.#flush();
  }

  end(): void {
    this.#flush();
    this.#output.end();
  }

  /** exceljs asks for it; nothing flows before the zip reads. */
  pause(): void {
    return undefined;
  }

  /** Waits until the zip has taken what was written. */
  async drained(): Promise<void> {
    if (this.#output.writableNeedDrain) await once(this.#output, 'drain');
  }

  #flush(): void {
    if (this.#text !== '') this.#output.write(this.#text);
    this.#text = '';
  }
}
