import type { ReadSegment } from '../../archive/archive-segments.ts';
import type { Config } from '../../config/config.ts';
import type { Segment } from '../../inbox/spool/segment.ts';
import type { WorkSpace } from '../../warehouse/warehouse.ts';
import { addFigures, mergeAllEvents, type EventFigures } from './merge-events.ts';
import { SegmentReading, type ReadingOptions } from './segment-reading.ts';
import { dueSlugs, type DueSlugs } from './slug-history.ts';
import { readStoredEvents } from './stored-events.ts';
import { slugsOf } from './workspace-slugs.ts';

export interface InboxOptions extends ReadingOptions {
  readonly config: Pick<Config, 'dataDir' | 'workspaces'>;
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
  /** What the ledger is to be told before these events are published; null when there is nothing to tell. */
  readonly dueSlugs: DueSlugs | null;
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
  const due = await dueSlugs(options.config.dataDir, slugs, segments, space.database);
  const reading = new SegmentReading(options);
  const fromInbox = await mergeAllEvents(space, reading.events(segments), slugs);
  const { applied, kept, rejected } = fromInbox.told;
  const waiting = readStoredEvents(space.database, 'waiting', slugs);
  const figures = addFigures(fromInbox, await mergeAllEvents(space, waiting, slugs));
  return {
    figures,
    repeats: reading.count - applied - kept - rejected,
    damaged: reading.damaged,
    segments: reading.segments,
    dueSlugs: due?.isFirst && !figures.hasChanged ? null : due,
  };
}
