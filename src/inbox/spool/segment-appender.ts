import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { errorMessage } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { OpenSegment } from './open-segment.ts';
import { SegmentNames } from './segment-name.ts';

export interface AppenderOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A segment is sealed before it grows beyond this; a single event may be larger. */
  readonly segmentBytes: number;
  /** A segment is sealed when its first event is as old as this. */
  readonly segmentAgeMs: number;
}

/** Appends to one segment after another. Its calls must not overlap. */
export class SegmentAppender {
  readonly #options: AppenderOptions;
  readonly #names = new SegmentNames();
  #current: OpenSegment | null = null;
  #openedMs = 0;
  /** Segments that could not be sealed; all that was stored in them is on disk, and something more may be. */
  readonly #unsealed: OpenSegment[] = [];

  constructor(options: AppenderOptions) {
    this.#options = options;
  }

  /** Of the segment that is open, null when none is. */
  get openName(): string | null {
    return this.#current?.name ?? null;
  }

  get openBytes(): number {
    return this.#current?.bytes ?? 0;
  }

  /** How much goes into one segment at once, together with a first line of so many bytes. */
  roomFor(lineBytes: number): number {
    return lineBytes > this.#room ? this.#options.segmentBytes : this.#room;
  }

  /**
   * Puts whole lines on disk for good, and says in which segment. After an error they are in none, and
   * the segment is not written again: what came before them stays.
   */
  async append(lines: Buffer): Promise<string> {
    if (lines.length > this.#room && this.openBytes > 0) await this.seal();
    this.#current ??= await this.#create();
    const { name } = this.#current;
    try {
      await this.#current.append(lines);
    } catch (error) {
      await this.seal();
      throw error;
    }
    return name;
  }

  /** Seals the open segment; nothing is done when none is open. Never throws: it is tried again later. */
  async seal(): Promise<void> {
    const segment = this.#current;
    if (segment === null) return;
    this.#current = null;
    const error = await failureOf(segment.seal());
    if (error === null) return;
    this.#unsealed.push(segment);
    const fields = { segment: segment.path, error: errorMessage(error) };
    this.#options.log.warn(fields, 'a segment could not be sealed; it is tried again');
  }

  /** Seals what is due: a segment that is old, and those that could not be sealed before. */
  async sealDue(): Promise<void> {
    const { clock, segmentAgeMs } = this.#options;
    if (clock.monotonicMs() - this.#openedMs >= segmentAgeMs) await this.seal();
    for (const segment of this.#unsealed.splice(0)) {
      if ((await failureOf(segment.seal())) !== null) this.#unsealed.push(segment);
    }
  }

  /** Lets go of the open segment, which others have sealed or removed. */
  async abandon(): Promise<void> {
    const segment = this.#current;
    this.#current = null;
    await segment?.close();
  }

  /** How much more goes into the open segment, or into a new one. */
  get #room(): number {
    return this.#options.segmentBytes - this.openBytes;
  }

  async #create(): Promise<OpenSegment> {
    const { folder, clock } = this.#options;
    await makeFolder(folder);
    const segment = await OpenSegment.create(folder, this.#names.next(clock.now()));
    this.#openedMs = clock.monotonicMs();
    return segment;
  }
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}
