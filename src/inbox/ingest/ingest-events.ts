import type { Clock } from '../../core/clock.ts';
import { InterruptedError } from '../../core/errors.ts';
import { readEvent, type EventText } from '../events/read-event.ts';
import { UnfitEventError } from '../events/unfit-event-error.ts';
import { SpoolUnavailableError } from '../spool/spool-errors.ts';
import { SegmentWriter } from '../spool/write-segment.ts';
import { IngestInputError, IngestStoppedError, QuarantineError } from './ingest-errors.ts';
import type { InputBytes } from './input-bytes.ts';
import { RejectedTexts, type Rejection } from './rejected-texts.ts';
import { Scanner, type CutOff, type ScannedText } from './scanner.ts';

export interface IngestOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /** How long to wait while another ingest is at it. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** What became of an input. */
export interface IngestReport {
  readonly stored: number;
  /** Known before, or twice in the input. */
  readonly duplicates: number;
  /** The first ten thousand, in the input's order. */
  readonly rejections: readonly Rejection[];
  readonly rejected: number;
  /** The file that keeps what was rejected. */
  readonly quarantine: string | null;
  /** What the input ended in the middle of. */
  readonly cutOff: CutOff | null;
  /** Why the input was not read to its end. */
  readonly inputError: IngestInputError | null;
}

/** As over HTTP. */
const maxEventBytes = 1_048_576;
const mostRejections = 10_000;
/** What is made durable together: one sync costs as much as thousands of events. */
const groupEvents = 2_000;
const groupBytes = 4 * 1_048_576;

/**
 * Stores every event of an input in the inbox, where a receiver or a load may be at work at the same time.
 * What is no event is kept apart and costs its neighbours nothing. Taking the same input again, also after
 * a kill, stores what is missing and nothing twice.
 * @throws BusyError when another ingest goes on for longer than `waitMs`
 * @throws InterruptedError which says how much is stored, or that it was still waiting
 * @throws IngestStoppedError which says how much is stored, when the disk takes no more
 */
export async function ingestEvents(
  input: InputBytes,
  options: IngestOptions,
): Promise<IngestReport> {
  const { dataDir, clock, waitMs, signal } = options;
  const writer = await SegmentWriter.open(dataDir, clock, waitMs, signal);
  try {
    return await new Ingest(writer, options).run(input);
  } finally {
    await writer.close();
  }
}

class Ingest {
  readonly #writer: SegmentWriter;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #scanner = new Scanner(maxEventBytes);
  readonly #rejectedTexts: RejectedTexts;
  readonly #rejections: Rejection[] = [];
  #group: EventText[] = [];
  #groupBytes = 0;
  #stored = 0;
  #duplicates = 0;
  #rejected = 0;

  constructor(writer: SegmentWriter, { dataDir, clock, signal }: IngestOptions) {
    this.#writer = writer;
    this.#clock = clock;
    this.#signal = signal;
    this.#rejectedTexts = new RejectedTexts(dataDir, clock);
  }

  async run(input: InputBytes): Promise<IngestReport> {
    try {
      const inputError = await this.#readAll(input);
      await this.#store();
      await this.#rejectedTexts.close();
      return this.#report(inputError);
    } catch (error) {
      // the error that came first is the one to tell
      await this.#rejectedTexts.close().catch(() => undefined);
      throw this.#withCount(error);
    }
  }

  #withCount(error: unknown): unknown {
    const isOfDisk = error instanceof SpoolUnavailableError || error instanceof QuarantineError;
    if (!isOfDisk) return error;
    const stored = `${this.#stored.toLocaleString('en-US')} stored`;
    const remedy = 'then take the whole input in again, what is stored is known';
    return new IngestStoppedError(`stopped with ${stored}: ${error.message}; ${remedy}`, {
      cause: error,
    });
  }

  async #readAll(input: InputBytes): Promise<IngestInputError | null> {
    let problem: IngestInputError | null = null;
    try {
      for await (const chunk of input) await this.#take(this.#scanner.push(chunk));
    } catch (error) {
      this.#stopWhereAsked();
      if (!(error instanceof IngestInputError)) throw error;
      problem = error;
    }
    await this.#take(this.#scanner.end());
    return problem;
  }

  async #take(texts: readonly ScannedText[]): Promise<void> {
    for (const text of texts) {
      const read = readText(text);
      if (typeof read === 'string') await this.#reject(text, read);
      else await this.#collect(read);
    }
    this.#stopWhereAsked();
  }

  async #collect(event: EventText): Promise<void> {
    this.#group.push(event);
    this.#groupBytes += event.payload.length;
    if (this.#group.length >= groupEvents || this.#groupBytes >= groupBytes) await this.#store();
  }

  async #store(): Promise<void> {
    if (this.#group.length === 0) return;
    const { stored, duplicates } = await this.#writer.add(this.#group, this.#clock.now());
    this.#stored += stored;
    this.#duplicates += duplicates;
    this.#group = [];
    this.#groupBytes = 0;
  }

  async #reject(text: ScannedText, reason: string): Promise<void> {
    const { line, number, element } = text;
    const rejection = { line, number, element, reason };
    await this.#rejectedTexts.add(text, rejection);
    if (text.isContinued) return;
    this.#rejected += 1;
    if (this.#rejections.length < mostRejections) this.#rejections.push(rejection);
  }

  #stopWhereAsked(): void {
    if (!this.#signal.aborted) return;
    throw new InterruptedError(
      `stopped before the end of the input: ${this.#stored} stored; take it in again, what is stored is known`,
    );
  }

  #report(inputError: IngestInputError | null): IngestReport {
    return {
      stored: this.#stored,
      duplicates: this.#duplicates,
      rejections: this.#rejections,
      rejected: this.#rejected,
      quarantine: this.#rejectedTexts.path,
      cutOff: this.#scanner.cutOff,
      inputError,
    };
  }
}

/** The event, or why the text is none. */
function readText({ bytes, flaw }: ScannedText): EventText | string {
  if (flaw !== null) return flaw;
  try {
    return readEvent(bytes);
  } catch (error) {
    if (!(error instanceof UnfitEventError)) throw error;
    return error.summary;
  }
}
