import type { Config } from '../../config/config.ts';
import type { Log } from '../../core/log.ts';
import type { ReadSegment } from '../../archive/archive-segments.ts';
import { keysOf } from '../../inbox/spool/key-file.ts';
import {
  readSegment,
  type DamagedLine,
  type SegmentContent,
} from '../../inbox/spool/read-segment.ts';
import type { Segment } from '../../inbox/spool/segment.ts';
import { SegmentUnreadableError } from '../../inbox/spool/spool-errors.ts';
import type { WorkSpace } from '../../warehouse/warehouse.ts';
import type { EventCopy } from './judge-event.ts';
import { addFigures, mergeAllEvents, type EventFigures } from './merge-events.ts';
import { setAsideLines } from './set-aside.ts';
import { readStoredEvents } from './stored-events.ts';
import { slugsOf } from './workspace-slugs.ts';

export interface InboxOptions {
  readonly config: Pick<Config, 'dataDir' | 'workspaces'>;
  readonly log: Log;
}

/** What a load did with events. */
export interface MergedInbox {
  readonly figures: EventFigures;
  /** Events of the segments that told nothing new. */
  readonly repeats: number;
  /** Damaged lines that were set aside for the first time. */
  readonly damaged: number;
  /** Segments whose events are all in the work space now. */
  readonly segments: readonly ReadSegment[];
}

/**
 * Merges the events of these segments, and those of the warehouse that waited for a workspace or a version
 * which is there by now. Damaged lines are set aside. The segments stay where they are.
 */
export async function mergeInbox(
  space: WorkSpace,
  segments: readonly Segment[],
  options: InboxOptions,
): Promise<MergedInbox> {
  const slugs = slugsOf(options.config);
  const reading = new SegmentReading(segments, options);
  const fromInbox = await mergeAllEvents(space, reading.events(), slugs);
  const { applied, kept, rejected } = fromInbox.told;
  const waiting = readStoredEvents(space.database, 'waiting', slugs);
  return {
    figures: addFigures(fromInbox, await mergeAllEvents(space, waiting, slugs)),
    repeats: reading.count - applied - kept - rejected,
    damaged: reading.damaged,
    segments: reading.segments,
  };
}

/** Segments as they are read, one after another, and what was found in them. */
class SegmentReading {
  readonly #pending: readonly Segment[];
  readonly #options: InboxOptions;
  /** Events so far. */
  count = 0;
  damaged = 0;
  readonly segments: ReadSegment[] = [];

  constructor(segments: readonly Segment[], options: InboxOptions) {
    this.#pending = segments;
    this.#options = options;
  }

  async *events(): AsyncGenerator<readonly EventCopy[]> {
    for (const segment of this.#pending) {
      const content = await this.#read(segment);
      if (content === null) continue;
      if (content.damages.length > 0) await this.#setAside(segment, content.damages);
      const { bytes, events } = content;
      this.count += events.length;
      this.segments.push({ ...segment, bytes, keys: keysOf(events) });
      yield events;
    }
  }

  /** One that cannot be read stays where it is, and keeps no other from being loaded. */
  async #read(segment: Segment): Promise<SegmentContent | null> {
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
