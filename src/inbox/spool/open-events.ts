import type { Clock } from '../../core/clock.ts';
import { readNames } from './existing.ts';
import { inboxFolder } from './layout.ts';
import { readSegment } from './read-segment.ts';
import { sealOrphans } from './seal-orphans.ts';
import { listSegments, type Segment } from './segment.ts';
import { SegmentUnreadableError } from './spool-errors.ts';

/** Between two looks. */
const pauseMs = 50;
/** A receiver that is well seals within a second while its inbox has another writer. */
const patienceMs = 5_000;

/**
 * The events of open segments, as another process than the receiver sees them: until the segment is sealed, any
 * of them may still be taken away, because its write or sync fails.
 */
export class OpenEvents {
  readonly #dataDir: string;
  readonly #clock: Clock;
  /** Segments that did not get sealed in time, which is not waited for again. */
  readonly #stuck = new Set<string>();

  constructor(dataDir: string, clock: Clock) {
    this.#dataDir = dataDir;
    this.#clock = clock;
  }

  /**
   * Waits until the open segments that hold any of these events are sealed, or for some seconds. Those of a
   * receiver that was killed are sealed here.
   * @returns whether there was any
   */
  async waitUntilSealed(eventKeys: ReadonlySet<string>): Promise<boolean> {
    const waited = await this.#segmentsWith(eventKeys);
    if (waited.length === 0) return false;
    const deadline = this.#clock.monotonicMs() + patienceMs;
    for (let left = waited; left.length > 0; left = await this.#stillOpen(left)) {
      await sealOrphans(this.#dataDir);
      if (this.#clock.monotonicMs() >= deadline) {
        for (const name of left) this.#stuck.add(name);
        break;
      }
      await this.#clock.sleep(pauseMs);
    }
    return true;
  }

  async #segmentsWith(eventKeys: ReadonlySet<string>): Promise<string[]> {
    const names: string[] = [];
    for (const segment of await listSegments(this.#dataDir)) {
      if (segment.isSealed || this.#stuck.has(segment.name)) continue;
      if (await holdsAny(segment, eventKeys)) names.push(segment.name);
    }
    return names;
  }

  async #stillOpen(names: readonly string[]): Promise<string[]> {
    const now = new Set(await readNames(inboxFolder(this.#dataDir)));
    return names.filter((name) => now.has(name));
  }
}

/** What cannot be read holds nothing that one could know. */
async function holdsAny(segment: Segment, eventKeys: ReadonlySet<string>): Promise<boolean> {
  try {
    const content = await readSegment(segment);
    return content?.events.some(({ eventKey }) => eventKeys.has(eventKey)) ?? false;
  } catch (error) {
    if (!(error instanceof SegmentUnreadableError)) throw error;
    return false;
  }
}
