import { link, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { BusyError, hasErrorCode } from '../core/errors.ts';
import { Database } from './database.ts';
import { WarehouseFileError } from './warehouse-errors.ts';

/** How to wait for another program that has the published file open for writing. */
export interface Patience {
  /** Of the published file itself, not of a link to it. */
  readonly path: string;
  readonly clock: Clock;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

const pauseMs = 200;

/** Changes whenever the file is written or replaced; null when there is none. */
export async function fileIdentity(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Makes sure that no other program has the published file open for writing, and that all it holds is in
 * the file itself: what a killed one left in a `.wal` beside it is taken in.
 * @throws BusyError when one still has it open after `waitMs`
 * @throws WarehouseFileError when DuckDB cannot open it
 */
export async function settlePublished({ path, clock, waitMs, signal }: Patience): Promise<void> {
  const deadline = clock.monotonicMs() + waitMs;
  for (;;) {
    try {
      const isSettled = (await fileIdentity(`${path}.wal`)) === null;
      const probe = await Database.open(path, isSettled ? 'READ_ONLY' : 'READ_WRITE');
      probe.close();
      return;
    } catch (error) {
      if (!(error instanceof BusyError) || clock.monotonicMs() >= deadline) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** The same for a file that is about to be replaced whatever it is. @returns whether DuckDB can open it */
export async function settleIfReadable(patience: Patience): Promise<boolean> {
  try {
    await settlePublished(patience);
    return true;
  } catch (error) {
    if (!(error instanceof WarehouseFileError)) throw error;
    return false;
  }
}

/**
 * Keeps a file that DuckDB cannot open under another name beside it, before one that can be read takes its place:
 * nobody knows what it is. Done again, it changes nothing.
 * @returns the other name
 */
export async function setUnreadableAside(path: string): Promise<string> {
  const stamp = (await stat(path)).mtime.toISOString().replaceAll(/[-:.]/g, '');
  const aside = `${path}.unreadable-${stamp}`;
  await ignoring('EEXIST', link(path, aside));
  await ignoring('ENOENT', rename(`${path}.wal`, `${aside}.wal`));
  await syncFolder(dirname(path));
  return aside;
}

/** @throws Error when DuckDB left something beside the file */
export async function syncFile(path: string): Promise<void> {
  if ((await fileIdentity(`${path}.wal`)) !== null) {
    throw new Error(`${path}.wal is left after a checkpoint`);
  }
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function ignoring(code: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!hasErrorCode(error, code)) throw error;
  }
}
