import { randomBytes } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { errorMessage } from '../../core/errors.ts';
import { QuarantineError } from './ingest-errors.ts';
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

  /**
   * Writes a line of JSON: `text`, or `base64` where the bytes are no UTF-8.
   * @throws QuarantineError
   */
  async add(text: ScannedText, rejection: Rejection): Promise<void> {
    const line = recordLine(text, rejection);
    await this.#try(async () => {
      this.#file ??= await this.#create();
      await this.#file.appendFile(line);
    });
  }

  /**
   * Makes them durable. A second call has nothing left to do.
   * @throws QuarantineError
   */
  async close(): Promise<void> {
    const file = this.#file;
    if (file === null) return;
    this.#file = null;
    await this.#try(async () => {
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(this.#folder);
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      throw new QuarantineError(
        `${this.#folder} cannot take what is no event (${errorMessage(cause)}); it must be a folder with room that this user may write to`,
        { cause },
      );
    }
  }

  async #create(): Promise<FileHandle> {
    await makeFolder(this.#folder);
    const stamp = this.#clock.now().toISOString().replace(/[-:]/g, '');
    this.#path = join(this.#folder, `ingest-${stamp}-${randomBytes(4).toString('hex')}.ndjson`);
    return open(this.#path, 'wx', 0o600);
  }
}

function recordLine(text: ScannedText, rejection: Rejection): string {
  const content = isUtf8(text.bytes)
    ? { text: text.bytes.toString('utf8') }
    : { base64: text.bytes.toString('base64') };
  const continued = text.isContinued ? { continued: true } : {};
  return `${JSON.stringify({ ...rejection, ...continued, ...content })}\n`;
}
