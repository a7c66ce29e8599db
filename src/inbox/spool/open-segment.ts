import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import { statExisting } from './existing.ts';
import { sealAt } from './seal-orphans.ts';
import { openSuffix } from './segment-name.ts';
import { SpoolUnavailableError } from './spool-errors.ts';
import { writeAll } from './write-all.ts';

/** A segment that its receiver appends to. After an error it can only be sealed. */
export class OpenSegment {
  /** With its suffix. */
  readonly name: string;
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #inode: bigint;
  #bytes = 0;

  private constructor(name: string, path: string, handle: FileHandle, inode: bigint) {
    this.name = name;
    this.path = path;
    this.#handle = handle;
    this.#inode = inode;
  }

  /** @param stem the name without a suffix, used by nobody before */
  static async create(folder: string, stem: string): Promise<OpenSegment> {
    const name = `${stem}${openSuffix}`;
    const path = join(folder, name);
    const handle = await open(path, 'wx', 0o600);
    try {
      await syncFolder(folder);
      return new OpenSegment(name, path, handle, (await handle.stat({ bigint: true })).ino);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Of the events that are on disk for good. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends whole lines. Once this resolves they survive a kill and a power cut, and whoever reads the inbox
   * finds them.
   * @throws SpoolUnavailableError when somebody who took this process for dead has sealed or removed the segment
   */
  async append(lines: Buffer): Promise<void> {
    await writeAll(this.#handle, lines, this.#bytes);
    await this.#handle.datasync();
    if (!(await this.#isInPlace())) {
      throw new SpoolUnavailableError(
        `${this.path} was sealed or removed by another process while events were written to it; send them again`,
      );
    }
    this.#bytes += lines.length;
  }

  /**
   * Takes away what was written in part or not for good, and gives the segment its final name; one that is empty
   * goes. May be called again after it failed. Nothing is done to a file that others have sealed.
   */
  async seal(): Promise<void> {
    try {
      if (!(await this.#isInPlace())) return;
    } finally {
      await this.close();
    }
    await sealAt(this.path, this.#bytes);
  }

  /** Leaves the file as it is. */
  close(): Promise<void> {
    return this.#handle.close();
  }

  async #isInPlace(): Promise<boolean> {
    return (await statExisting(this.path))?.ino === this.#inode;
  }
}
