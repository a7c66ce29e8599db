import type { ReadSegment } from '../../archive/archive-segments.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../core/log.ts';
import { keysOf } from '../../inbox/spool/key-file.ts';
import {
  readSegment,
  type DamagedLine,
  type SegmentContent,
} from '../../inbox/spool/read-segment.ts';
import type { Segment } from '../../inbox/spool/segment.ts';
import { SegmentUnreadableError } from '../../inbox/spool/spool-errors.ts';
import type { EventCopy } from './judge-event.ts';
import { setAsideLines } from './set-aside.ts';

export interface ReadingOptions {
  readonly config: Pick<Config, 'dataDir'>;
  readonly log: Log;
  /** Damaged lines are left where they are, and nothing is told of them. */
  readonly isTrial?: boolean;
}

/** Segments of the inbox as they are read, and what was found in them. Damaged lines are set aside. */
export class SegmentReading {
  readonly #options: ReadingOptions;
  /** Events so far. */
  count = 0;
  /** Damaged lines that were set aside for the first time. */
  damaged = 0;
  readonly segments: ReadSegment[] = [];

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** One segment after another. */
  async *events(segments: readonly Segment[]): AsyncGenerator<readonly EventCopy[]> {
    for (const segment of segments) yield await this.read(segment);
  }

  /** None of one that was moved, or cannot be read: it stays where it is, and keeps no other from being loaded. */
  async read(segment: Segment): Promise<readonly EventCopy[]> {
    const content = await this.#readContent(segment);
    if (content === null) return [];
    const { bytes, events, damages } = content;
    if (damages.length > 0 && !this.#options.isTrial) await this.#setAside(segment, damages);
    this.count += events.length;
    this.segments.push({ ...segment, bytes, keys: keysOf(events) });
    return events;
  }

  async #readContent(segment: Segment): Promise<SegmentContent | null> {
    try {
      return await readSegment(segment);
    } catch (error) {
      if (!(error instanceof SegmentUnreadableError)) throw error;
      this.#options.log.warn({ segment: segment.path }, error.message);
      return null;
    }
  }

  async #setAside(segment: Segment, damages: readonly DamagedLine[]): Promise<void> {
    const { config, log } = this.#options;
    const file = await setAsideLines(config.dataDir, segment.name, damages);
    const [first] = damages;
    if (file === null || !first) return;
    this.damaged += damages.length;
    log.warn(
      { file, lines: damages.length },
      `${segment.path}: line ${first.line} cannot be read (${first.reason}); what cannot was set aside, and all else was loaded`,
    );
  }
}
