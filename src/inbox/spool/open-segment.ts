import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import { sealFile } from './seal-orphans.ts';
import { openSuffix } from './segment-name.ts';
import { writeAll } from './write-all.ts';

/** A segment that its receiver appends to. After an error it can only be sealed. */
export class OpenSegment {
  /** With its suffix. */
  readonly name: string;
  readonly path: string;
  readonly #handle: FileHandle;
  #bytes = 0;

  private constructor(name: string, path: string, handle: FileHandle) {
    this.name = name;
    this.path = path;
    this.#handle = handle;
  }

  /** @param stem the name without a suffix, used by nobody before */
  static async create(folder: string, stem: string): Promise<OpenSegment> {
    const name = `${stem}${openSuffix}`;
    const path = join(folder, name);
    const handle = await open(path, 'wx', 0o600);
    try {
      await syncFolder(folder);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
    return new OpenSegment(name, path, handle);
  }

  /** Of the events that are on disk for good. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends whole lines. Once this resolves they survive a kill and a power cut. */
  async append(lines: Buffer): Promise<void> {
    await writeAll(this.#handle, lines, this.#bytes);
    await this.#handle.datasync();
    this.#bytes += lines.length;
  }

  /** Takes away what was written in part, and gives the segment its final name; one that is empty goes. */
  async seal(): Promise<void> {
    try {
      await this.#handle.truncate(this.#bytes);
    } finally {
      await this.#handle.close();
    }
    await sealFile(this.path);
  }

  /** Leaves the file as it is. */
  close(): Promise<void> {
    return this.#handle.close();
  }
}
