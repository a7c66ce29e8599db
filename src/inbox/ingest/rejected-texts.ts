import { randomBytes } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import type { ScannedText } from './scanner.ts';

/** A text of the input that is no event. */
export interface Rejection {
  /** On which it begins. */
  readonly line: number;
  /** Which of the input's texts it is, from 1; tells those apart that share a line. */
  readonly number: number;
  /** Which of its array's elements it is, from 1; null where it stands in none. */
  readonly element: number | null;
  readonly reason: string;
}

/** What is rejected of one input: kept in a file of its own, which is made when there is something. */
export class RejectedTexts {
  readonly #folder: string;
  readonly #clock: Clock;
  #file: FileHandle | null = null;
  #path: string | null = null;

  constructor(dataDir: string, clock: Clock) {
    this.#folder = join(dataDir, 'quarantine');
    this.#clock = clock;
  }

  /** Where they are; null when there are none. */
  get path(): string | null {
    return this.#path;
  }

  /** Writes a line of JSON: `text`, or `base64` where the bytes are no UTF-8. */
  async add(text: ScannedText, rejection: Rejection): Promise<void> {
    this.#file ??= await this.#create();
    const content = isUtf8(text.bytes)
      ? { text: text.bytes.toString('utf8') }
      : { base64: text.bytes.toString('base64') };
    const continued = text.isContinued ? { continued: true } : {};
    const record = { ...rejection, ...continued, ...content };
    await this.#file.appendFile(`${JSON.stringify(record)}\n`);
  }

  /** Makes them durable. */
  async close(): Promise<void> {
    if (this.#file === null) return;
    await this.#file.sync();
    await this.#file.close();
    this.#file = null;
    await syncFolder(this.#folder);
  }

  async #create(): Promise<FileHandle> {
    await makeFolder(this.#folder);
    const stamp = this.#clock.now().toISOString().replace(/[-:]/g, '');
    this.#path = join(this.#folder, `ingest-${stamp}-${randomBytes(4).toString('hex')}.ndjson`);
    return open(this.#path, 'wx', 0o600);
  }
}
