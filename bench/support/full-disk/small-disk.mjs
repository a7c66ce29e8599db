import { execFileSync } from 'node:child_process';
import { cp, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const roomy = 512 * 1024 * 1024;

/** A file system in memory whose room can be set at any time. */
export class SmallDisk {
  #folder;

  static mount(folder) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${roomy}`, 'none', folder]);
    return new SmallDisk(folder);
  }

  constructor(folder) {
    this.#folder = folder;
  }

  /** Puts a copy of a folder in the place of all that it holds, with so much room beside it; null: with plenty. */
  async fill(template, freeBytes) {
    this.makeRoom();
    for (const name of await readdir(this.#folder))
      await rm(join(this.#folder, name), { recursive: true });
    await cp(template, this.#folder, { recursive: true, preserveTimestamps: true });
    if (freeBytes !== null) this.#resize((await this.usedBytes()) + freeBytes);
  }

  async usedBytes() {
    const { blocks, bfree, bsize } = await statfs(this.#folder);
    return (blocks - bfree) * bsize;
  }

  makeRoom() {
    this.#resize(roomy);
  }

  #resize(bytes) {
    // with a source named, mount(8) adds no options that it finds: an ordinary user may not give them again
    execFileSync('mount', ['-o', `remount,size=${bytes}`, 'none', this.#folder]);
  }
}
