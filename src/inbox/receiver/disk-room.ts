import { open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { ensureFolder } from '../../core/ensure-folder.ts';
import { inboxFolder, trialPath } from '../spool/layout.ts';

/** Whoever asks more often is given the last answer: health can be asked by anybody. */
const freshMs = 1_000;

interface Reading<Value> {
  readonly atMs: number;
  readonly value: Promise<Value>;
}

/** What the inbox's disk has left. */
export class DiskRoom {
  readonly #folder: string;
  readonly #trialPath: string;
  readonly #clock: Clock;
  /** What must fit for the disk to count as usable. */
  readonly #eventBytes: number;
  #free: Reading<number | null> | null = null;
  #trial: Reading<string | null> | null = null;

  constructor(dataDir: string, eventBytes: number, clock: Clock) {
    this.#folder = inboxFolder(dataDir);
    this.#trialPath = trialPath(dataDir);
    this.#eventBytes = eventBytes;
    this.#clock = clock;
  }

  /** Null where the system does not tell, as for a folder that is gone. */
  freeBytes(): Promise<number | null> {
    if (this.#isStale(this.#free)) this.#free = this.#reading(readFreeBytes(this.#folder));
    return this.#free.value;
  }

  /**
   * Why no event could be written now: the system's code, such as `ENOSPC`. Null when one could be. It is
   * tried, with a file that is removed again.
   */
  writeProblem(): Promise<string | null> {
    if (this.#isStale(this.#trial)) {
      this.#trial = this.#reading(tryWrite(this.#trialPath, this.#eventBytes));
    }
    return this.#trial.value;
  }

  #isStale<Value>(reading: Reading<Value> | null): reading is null {
    return reading === null || this.#clock.monotonicMs() - reading.atMs >= freshMs;
  }

  #reading<Value>(value: Promise<Value>): Reading<Value> {
    return { atMs: this.#clock.monotonicMs(), value };
  }
}

async function readFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    systemCode(error);
    return null;
  }
}

async function tryWrite(path: string, bytes: number): Promise<string | null> {
  try {
    // as the spool does it where the folder is gone
    await ensureFolder(dirname(path));
    const handle = await open(path, 'w', 0o600);
    try {
      await handle.writeFile(Buffer.alloc(bytes));
      await handle.datasync();
    } finally {
      await handle.close();
      await rm(path, { force: true });
    }
    return null;
  } catch (error) {
    return systemCode(error);
  }
}

/** @throws what is no refusal of the system */
function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
}
