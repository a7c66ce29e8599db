import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import type { Clock } from '../../core/clock.ts';
import { readNames } from './existing.ts';
import { readKeys, restoreKeys, type KeysRead } from './key-file.ts';
import { KeyIndex } from './key-index.ts';
import { inboxFolder } from './layout.ts';
import { readSegment } from './read-segment.ts';
import { isSealedName, isSegmentName, sealedNameOf } from './segment-name.ts';
import { KeyFileError, SegmentUnreadableError } from './spool-errors.ts';

/** Longer than anything that is done under the inbox's lock takes. */
const restoreWaitMs = 60_000;

/** What waits in the inbox to be loaded and archived. */
export interface Backlog {
  readonly events: number;
  readonly bytes: number;
  readonly segments: number;
}

/** Told of a file that cannot be read, each time that it is tried. */
export type OnUnreadable = (path: string, error: Error) => void;

/**
 * The keys of all events that are on disk for good, in the archive and in the inbox, whoever stored them. It
 * lies beside the files: what other processes add is known after the next refresh.
 *
 * Of what others write, only sealed segments count: the last lines of an open one may be taken away again, and
 * their senders told so.
 */
export class KnownEvents {
  readonly #dataDir: string;
  readonly #onUnreadable: OnUnreadable;
  readonly #index = new KeyIndex();
  /** What is known of each segment, by its sealed name: all of a sealed one, and all that this process wrote. */
  readonly #segments = new Map<string, { bytes: number; events: number }>();
  /** The inbox's files when it was last looked into. */
  #names: ReadonlySet<string> = new Set();
  #keysRead: KeysRead | null = null;

  private constructor(dataDir: string, onUnreadable: OnUnreadable) {
    this.#dataDir = dataDir;
    this.#onUnreadable = onUnreadable;
  }

  /**
   * What cannot be read is passed over: repeats of its events are unknown then, which costs a second copy of
   * them and no more.
   * @throws KeyFileError
   */
  static async open(
    dataDir: string,
    clock: Clock,
    onUnreadable: OnUnreadable = () => undefined,
  ): Promise<KnownEvents> {
    await restoreKeys(dataDir, { clock, waitMs: restoreWaitMs });
    const known = new KnownEvents(dataDir, onUnreadable);
    await known.#refreshSegments();
    await known.#refreshKeys();
    return known;
  }

  get size(): number {
    return this.#index.size;
  }

  get backlog(): Backlog {
    const backlog = { events: 0, bytes: 0, segments: this.#segments.size };
    for (const { bytes, events } of this.#segments.values()) {
      backlog.events += events;
      backlog.bytes += bytes;
    }
    return backlog;
  }

  has(eventKey: string): boolean {
    return this.#index.has(eventKey);
  }

  /** Whether a file of this name was in the inbox when it was last looked into. */
  isListed(fileName: string): boolean {
    return this.#names.has(fileName);
  }

  /** Takes in events that the caller has just put on disk, as the next lines of a segment. */
  addStored(fileName: string, bytes: number, eventKeys: readonly string[]): void {
    for (const key of eventKeys) this.#index.add(key);
    const name = sealedNameOf(fileName);
    const before = this.#segments.get(name) ?? { bytes: 0, events: 0 };
    const events = before.events + eventKeys.length;
    this.#segments.set(name, { bytes: before.bytes + bytes, events });
  }

  /**
   * Takes in what others stored and archived. Segments come first and the archive's keys second: a
   * segment that is moved in between has its keys there by then.
   */
  async refresh(): Promise<void> {
    await this.#refreshSegments();
    try {
      await this.#refreshKeys();
    } catch (error) {
      if (!(error instanceof KeyFileError)) throw error;
      this.#onUnreadable(error.path, error);
    }
  }

  async #refreshSegments(): Promise<void> {
    const folder = inboxFolder(this.#dataDir);
    const names = await readNames(folder);
    this.#names = new Set(names);
    const segmentNames = names.filter(isSegmentName);
    this.#forgetAllBut(new Set(segmentNames.map(sealedNameOf)));
    const found = segmentNames.filter((name) => isSealedName(name) && !this.#segments.has(name));
    // a power cut may undo a rename that others have not made durable yet
    if (found.length > 0) await syncFolder(folder);
    for (const name of found) await this.#readSegment(name);
  }

  async #refreshKeys(): Promise<void> {
    this.#keysRead = await readKeys(this.#dataDir, this.#index, this.#keysRead);
  }

  #forgetAllBut(sealedNames: ReadonlySet<string>): void {
    for (const name of this.#segments.keys()) {
      if (!sealedNames.has(name)) this.#segments.delete(name);
    }
  }

  async #readSegment(name: string): Promise<void> {
    const path = join(inboxFolder(this.#dataDir), name);
    try {
      const content = await readSegment({ name, path, isSealed: true, bytes: 0 });
      if (content === null) return;
      const keys = content.events.map(({ eventKey }) => eventKey);
      this.addStored(name, content.bytes, keys);
    } catch (error) {
      if (!(error instanceof SegmentUnreadableError)) throw error;
      this.#onUnreadable(path, error.cause);
    }
  }
}
