import { join } from 'node:path';
import { writeFileAtomic } from '../../core/atomic-file.ts';
import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { errorMessage } from '../../core/errors.ts';
import { acquireLock, type Lock } from '../../core/lock.ts';
import type { EventText } from '../events/read-event.ts';
import { KnownEvents } from './known-events.ts';
import { inboxFolder, ingestLockPath } from './layout.ts';
import { removeLeftovers } from './leftovers.ts';
import { OpenEvents } from './open-events.ts';
import { recordLine } from './record-line.ts';
import { SegmentNames, sealedSuffix } from './segment-name.ts';
import { SpoolUnavailableError } from './spool-errors.ts';

const segmentBytes = 8 << 20;
/** What {@link writeFileAtomic} leaves of a segment when its process is killed. */
const unfinished = /\.ndjson\.[0-9a-f-]+\.tmp$/;

/**
 * Adds events from files to the inbox, as sealed segments of its own: beside a receiver, or without one.
 * Only one writer at a time has the inbox.
 */
export class SegmentWriter {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #lock: Lock;
  readonly #known: KnownEvents;
  readonly #openEvents: OpenEvents;
  readonly #names = new SegmentNames();

  private constructor(dataDir: string, clock: Clock, lock: Lock, known: KnownEvents) {
    this.#folder = inboxFolder(dataDir);
    this.#clock = clock;
    this.#lock = lock;
    this.#known = known;
    this.#openEvents = new OpenEvents(dataDir, clock);
  }

  /**
   * @throws BusyError when another writer has the inbox for longer than `waitMs`
   * @throws InterruptedError when the signal aborts while waiting
   */
  static async open(
    dataDir: string,
    clock: Clock,
    waitMs = 0,
    signal?: AbortSignal,
  ): Promise<SegmentWriter> {
    const folder = inboxFolder(dataDir);
    const options = {
      purpose: 'webhooks ingest',
      waitMs,
      ...(signal && { signal }),
      remedy: 'try again when it is done',
      clock,
    };
    const lock = await acquireLock(ingestLockPath(dataDir), options);
    try {
      await makeFolder(folder);
      await removeLeftovers(folder, unfinished);
      return new SegmentWriter(dataDir, clock, lock, await KnownEvents.open(dataDir, clock));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /**
   * Once this resolves, all of the events are on disk for good. After an error a part of them may be: to add
   * them again does no harm.
   * @throws SpoolUnavailableError
   */
  async add(
    events: readonly EventText[],
    receivedAt: Date,
  ): Promise<{ stored: number; duplicates: number }> {
    try {
      const fresh = await this.#selectNew(events);
      for (const group of groupLines(fresh, receivedAt)) await this.#writeSegment(group);
      return { stored: fresh.length, duplicates: events.length - fresh.length };
    } catch (error) {
      const reason = errorMessage(error);
      throw new SpoolUnavailableError(
        `${this.#folder} takes no events (${reason}); make room or repair the disk, and add them again`,
        { cause: error },
      );
    }
  }

  /** Gives the inbox free for others that add events from files. */
  close(): Promise<void> {
    return this.#lock.release();
  }

  async #selectNew(events: readonly EventText[]): Promise<EventText[]> {
    const found = new Map(events.map((event) => [event.eventKey, event]));
    await this.#forgetKnown(found);
    if (await this.#openEvents.waitUntilSealed(new Set(found.keys()))) {
      await this.#forgetKnown(found);
    }
    return [...found.values()];
  }

  async #forgetKnown(events: Map<string, EventText>): Promise<void> {
    await this.#known.refresh();
    for (const key of events.keys()) if (this.#known.has(key)) events.delete(key);
  }

  async #writeSegment({ lines, keys }: LineGroup): Promise<void> {
    const name = `${this.#names.next(this.#clock.now())}${sealedSuffix}`;
    const data = Buffer.concat(lines);
    await writeFileAtomic(join(this.#folder, name), data);
    this.#known.addStored(name, data.length, keys);
  }
}

interface LineGroup {
  readonly lines: Buffer[];
  readonly keys: string[];
}

/** Lines in groups that are a segment each. */
function* groupLines(events: readonly EventText[], receivedAt: Date): Generator<LineGroup> {
  let group: LineGroup = { lines: [], keys: [] };
  let bytes = 0;
  for (const event of events) {
    const line = recordLine(event, receivedAt, 'ingest');
    if (bytes > 0 && bytes + line.length > segmentBytes) {
      yield group;
      group = { lines: [], keys: [] };
      bytes = 0;
    }
    group.lines.push(line);
    group.keys.push(event.eventKey);
    bytes += line.length;
  }
  if (bytes > 0) yield group;
}
