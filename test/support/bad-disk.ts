import { EventEmitter, once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { onTestFinished } from 'vitest';

type Operation = 'write' | 'datasync' | 'sync' | 'truncate';

/** What happens in place of an operation on a file; `go` carries it out. */
type Instead = (go: () => Promise<unknown>, data: unknown) => Promise<unknown>;

/**
 * Lets an operation on any file of this process fail or wait, as a bad disk would.
 * @returns what ends that, as the test's end does
 */
export async function disturb(operation: Operation, instead: Instead): Promise<() => void> {
  const handle = await open('/dev/null');
  const prototype = Object.getPrototypeOf(handle) as Record<Operation, unknown>;
  await handle.close();
  const original = prototype[operation] as (...args: unknown[]) => Promise<unknown>;
  prototype[operation] = function (this: FileHandle, ...args: unknown[]) {
    return instead(() => original.apply(this, args), args[0]);
  };
  const restore = () => {
    prototype[operation] = original;
  };
  onTestFinished(restore);
  return restore;
}

/** As the operating system says that a disk has failed. */
export function failure(): Promise<never> {
  return Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
}

/** Holds work back: `reached` resolves once it has come here, and it goes on after `release`. */
export class Gate {
  readonly #events = new EventEmitter();
  readonly #released = once(this.#events, 'released');
  readonly reached = once(this.#events, 'reached');

  release(): void {
    this.#events.emit('released');
  }

  async pass(): Promise<void> {
    this.#events.emit('reached');
    await this.#released;
  }
}
