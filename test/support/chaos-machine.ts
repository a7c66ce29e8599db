import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCli, type Finished, type Running } from './cli.ts';
import { mountOwnDisk, type OwnDisk } from './own-disk.ts';

/** A process of a machine, with times of the monotonic clock. */
export interface ChaosProcess {
  /** The key with which it asks the service. */
  readonly key: string;
  readonly startMs: number;
  readonly running: Running;
  /** Null while it runs. */
  end: (Finished & { readonly atMs: number }) | null;
}

/** A machine whose command is started again until it ends well. */
export class ChaosMachine {
  readonly name: string;
  readonly folder: string;
  readonly processes: ChaosProcess[] = [];
  isStopped = false;
  readonly #disk: OwnDisk | null;

  private constructor(name: string, folder: string, disk: OwnDisk | null) {
    this.name = name;
    this.folder = folder;
    this.#disk = disk;
  }

  /** @param hasOwnDisk whether its data are on a disk that can be filled */
  static async make(name: string, folder: string, hasOwnDisk: boolean): Promise<ChaosMachine> {
    if (!hasOwnDisk) return new ChaosMachine(name, folder, null);
    const disk = await mountOwnDisk(join(folder, 'data'));
    await disk.shell(`chmod 700 "$1" && echo ${name} > "$1"/machine-id`);
    return new ChaosMachine(name, folder, disk);
  }

  get hasOwnDisk(): boolean {
    return this.#disk !== null;
  }

  /** The process that runs; null between two. */
  get running(): ChaosProcess | null {
    const last = this.processes.at(-1);
    return last?.end === null ? last : null;
  }

  /** @returns why it did not end well before the signal aborted; null if it did */
  async runUntilDone(args: readonly string[], giveUp: AbortSignal): Promise<string | null> {
    let last: Finished | null = null;
    while (!giveUp.aborted) {
      last = await this.#run(args, giveUp);
      if (last.code === 0) return null;
      await delay(1_000);
    }
    const end = last && `${last.code ?? last.signal}: ${last.stderr}`;
    return `${this.name} did not get done; its last process ended with ${end}`;
  }

  async #run(args: readonly string[], giveUp: AbortSignal): Promise<Finished> {
    const key = `${this.name}.${this.processes.length + 1}`;
    const startMs = performance.now();
    const running = startCli(args, {
      cwd: this.folder,
      env: { KEY: key },
      ...(this.#disk && { wrapper: this.#disk.wrapper }),
    });
    const process: ChaosProcess = { key, startMs, running, end: null };
    this.processes.push(process);
    const kill = () => running.child.kill('SIGKILL');
    giveUp.addEventListener('abort', kill);
    const finished = await running.finished;
    giveUp.removeEventListener('abort', kill);
    process.end = { ...finished, atMs: performance.now() };
    return finished;
  }

  kill(): void {
    this.running?.running.child.kill('SIGKILL');
  }

  stop(): void {
    this.isStopped = true;
    this.running?.running.child.kill('SIGSTOP');
  }

  resume(): void {
    this.running?.running.child.kill('SIGCONT');
    this.isStopped = false;
  }

  async fillDisk(): Promise<void> {
    await this.#disk?.shell('cat /dev/zero > "$1"/ballast 2> "$1"/../full || true');
  }

  async emptyDisk(): Promise<void> {
    await this.#disk?.shell('rm "$1"/ballast');
  }
}
