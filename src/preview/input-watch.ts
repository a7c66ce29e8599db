import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { isSystemError } from '../core/errors.ts';

/** What each path was at one look. */
type Look = ReadonlyMap<string, string>;

const lookAgainMs = 200;
const settledMs = 75;

/**
 * Polls files and folders until one has changed. Polling, unlike the system's notifications,
 * sees what editors save by rename, files that are new or gone, a folder that is made again, and works on every
 * file system; it costs a few dozen calls of stat a look.
 */
export class InputWatch {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #seen: Look = new Map();

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Takes the paths as they are from now on; of those that it has seen already, as they were then. */
  async follow(paths: readonly string[]): Promise<void> {
    const now = await lookAt(paths);
    this.#seen = new Map([...now].map(([path, print]) => [path, this.#seen.get(path) ?? print]));
  }

  /**
   * Resolves once something has changed and then stayed as it is for a moment, as it does after a save.
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
  const prints = await Promise.all(paths.map(printOf));
  return new Map(paths.map((path, index) => [path, prints[index] ?? '']));
}

/** Of the paths that were looked at now; others may have come since. */
function isSame(now: Look, before: Look): boolean {
  return [...now].every(([path, print]) => before.get(path) === print);
}

/** Changes with a file's content, and with any file of a folder, but not of folders in it. */
async function printOf(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isDirectory()) return `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    const names = (await readdir(path)).sort();
    const prints = await Promise.all(
      names.map(async (name) => {
        const file = join(path, name);
        const isFolder = (await stat(file)).isDirectory();
        return `${name} ${isFolder ? 'folder' : await printOf(file)}`;
      }),
    );
    return prints.join('\n');
  } catch (error) {
    // gone, or going just now
    if (isSystemError(error)) return String(error.code);
    throw error;
  }
}
