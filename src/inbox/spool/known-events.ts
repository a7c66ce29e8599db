import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { readKeys, restoreKeys, type KeysRead } from './key-file.ts';
import { KeyIndex } from './key-index.ts';
import { inboxFolder } from './layout.ts';
import { keyOfLine, splitLines } from './record-line.ts';
import { isSealedName, isSegmentName, sealedNameOf } from './segment-name.ts';

/** What waits in the inbox to be loaded and archived. */
export interface Backlog {
  readonly events: number;
  readonly bytes: number;
  readonly segments: number;
}

/** How far a segment was read. */
interface SegmentRead {
  bytes: number;
  events: number;
  /** Sealed and read to its end: it never changes again. */
  isDone: boolean;
}

/**
 * The keys of all events that are on disk, in the archive and in the inbox, whoever stored them. It lies
 * beside the files: what other processes add is known after the next refresh.
 */
export class KnownEvents {
  readonly #dataDir: string;
  readonly #index = new KeyIndex();
  /** By sealed name, whether sealed yet or not. */
  #segments = new Map<string, SegmentRead>();
  /** The inbox's files when it was last looked into. */
  #names: ReadonlySet<string> = new Set();
  #keysRead: KeysRead | null = null;

  private constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  static async open(dataDir: string, clock: Clock): Promise<KnownEvents> {
    await restoreKeys(dataDir, clock);
    const known = new KnownEvents(dataDir);
    await known.refresh();
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
    const read = this.#readOf(fileName);
    read.bytes += bytes;
    read.events += eventKeys.length;
  }

  /**
   * Takes in what others stored and archived. Segments come first and the archive's keys second: a
   * segment that is moved in between has its keys there by then.
   */
  async refresh(): Promise<void> {
    const names = await readNames(inboxFolder(this.#dataDir));
    this.#names = new Set(names);
    const segmentNames = names.filter(isSegmentName);
    this.#forgetAllBut(new Set(segmentNames.map(sealedNameOf)));
    for (const name of segmentNames) await this.#readSegment(name);
    this.#keysRead = await readKeys(this.#dataDir, this.#index, this.#keysRead);
  }

  #forgetAllBut(sealedNames: ReadonlySet<string>): void {
    for (const name of this.#segments.keys()) {
      if (!sealedNames.has(name)) this.#segments.delete(name);
    }
  }

  async #readSegment(fileName: string): Promise<void> {
    const read = this.#readOf(fileName);
    if (read.isDone) return;
    const found = await readNewLines(join(inboxFolder(this.#dataDir), fileName), read.bytes);
    const sealedName = sealedNameOf(fileName);
    if (found === null) {
      if (fileName !== sealedName) return this.#readSegment(sealedName);
      this.#segments.delete(sealedName);
      return;
    }
    const keys = found.lines.map(keyOfLine).filter((key) => key !== null);
    this.addStored(fileName, found.bytes, keys);
    read.isDone = isSealedName(fileName);
  }

  #readOf(fileName: string): SegmentRead {
    const name = sealedNameOf(fileName);
    const read = this.#segments.get(name) ?? { bytes: 0, events: 0, isDone: false };
    this.#segments.set(name, read);
    return read;
  }
}

interface NewLines {
  readonly lines: readonly Buffer[];
  readonly bytes: number;
}

/** The whole lines after `start`; null when there is no such file. */
async function readNewLines(path: string, start: number): Promise<NewLines | null> {
  const handle = await openExisting(path);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    if (size <= start) return { lines: [], bytes: 0 };
    // what another process has written may not be on disk yet, and known means on disk
    if (!isSealedName(path)) await handle.datasync();
    const data = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(data, 0, data.length, start);
    const { lines, tail } = splitLines(data.subarray(0, bytesRead));
    return { lines, bytes: bytesRead - tail.length };
  } finally {
    await handle.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
