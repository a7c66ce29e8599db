import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { isSystemError } from '../core/errors.ts';

/** The state of each path at one look. */
type Look = ReadonlyMap<string, string>;

const lookAgainMs = 200;
const settledMs = 75;

/**
 * Polls files and folders until one has changed. Unlike the system's notifications, polling notices editors
 * that save by renaming, new and deleted files, and folders that are created again, and it works on every
 * file system. Each look costs a few dozen calls of stat.
 */
export class InputWatch {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #seen: Look = new Map();

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * Watches these paths from now on. A path that was watched before keeps the state in which it was last
   * seen.
   */
  async follow(paths: readonly string[]): Promise<void> {
    const now = await lookAt(paths);
    this.#seen = new Map(
      [...now].map(([path, fingerprint]) => [path, this.#seen.get(path) ?? fingerprint]),
    );
  }

  /**
   * Resolves when something has changed and has then stayed the same for a moment, as after a save.
   * @throws InterruptedError when the signal aborts
   */
  async changed(): Promise<void> {
    const look = async () => lookAt([...this.#seen.keys()]);
    let now = await look();
    while (isSame(now, this.#seen)) {
      await this.#clock.sleep(lookAgainMs, this.#signal);
      now = await look();
    }
    for (let before: Look = new Map(); !isSame(now, before); now = await look()) {
      before = now;
      await this.#clock.sleep(settledMs, this.#signal);
    }
    this.#seen = new Map([...this.#seen, ...now]);
  }
}

async function lookAt(paths: readonly string[]): Promise<Look> {
  const fingerprints = await Promise.all(paths.map(fingerprintOf));
  return new Map(paths.map((path, index) => [path, fingerprints[index] ?? '']));
}

/** Compares the paths of the present look. Further paths may have been added since. */
function isSame(now: Look, before: Look): boolean {
  return [...now].every(([path, fingerprint]) => before.get(path) === fingerprint);
}

/** Returns a text that changes with a file's content, or with any file directly in a folder. */
async function fingerprintOf(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isDirectory()) return `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    const names = (await readdir(path)).sort();
    const fingerprints = await Promise.all(
      names.map(async (name) => {
        const file = join(path, name);
        const isFolder = (await stat(file)).isDirectory();
        return `${name} ${isFolder ? 'folder' : await fingerprintOf(file)}`;
      }),
    );
    return fingerprints.join('\n');
  } catch (error) {
    // the file is gone, or is being removed
    if (isSystemError(error)) return String(error.code);
    throw error;
  }
}
