import { existsSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';

const lookAgainMs = 100;
const settledMs = 75;
const anyName = '*';

/**
 * Waits until files or folders change, come or go. It watches the folders that they are in: an editor that saves by
 * renaming puts another file in the place of the one that was watched.
 */
export class InputWatch {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #watchers: readonly FSWatcher[] = [];
  #hasChanged = false;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#close(), { once: true });
  }

  /** Watches these paths from now on. A change of one that was watched before is not lost. */
  follow(paths: readonly string[]): void {
    if (this.#signal.aborted) return;
    const before = this.#watchers;
    this.#watchers = [...namesByFolder(paths)].map(([folder, names]) =>
      watch(folder, (_, name) => {
        if (name === null || names.has(name) || names.has(anyName)) this.#hasChanged = true;
      }).on('error', () => (this.#hasChanged = true)),
    );
    for (const watcher of before) watcher.close();
  }

  /**
   * Resolves when something has changed and has then stayed the same for a moment, as after a save.
   * @throws InterruptedError when the signal aborts
   */
  async changed(): Promise<void> {
    while (!this.#hasChanged) await this.#clock.sleep(lookAgainMs, this.#signal);
    while (this.#hasChanged) {
      this.#hasChanged = false;
      await this.#clock.sleep(settledMs, this.#signal);
    }
  }

  #close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}

/**
 * Returns the names to watch in each folder. Of a path whose folder is missing, that is the first folder that is, and of a
 * link also the file that it names.
 */
function namesByFolder(paths: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (folder: string, name: string) =>
    found.set(folder, (found.get(folder) ?? new Set()).add(name));
  const targets = paths.filter(existsSync).map((path) => realpathSync(path));
  for (const path of new Set([...paths, ...targets])) {
    let missing = path;
    while (!existsSync(dirname(missing))) missing = dirname(missing);
    add(dirname(missing), basename(missing));
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) add(path, anyName);
  }
  return found;
}
