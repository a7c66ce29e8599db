import { link, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { BusyError, hasErrorCode } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { Database } from './database.ts';
import { fileIdentity } from './file-identity.ts';
import { WarehouseFileError } from './warehouse-errors.ts';

/** How to wait for another program that has the published file open for writing. */
export interface Patience {
  /** Of the published file itself, not of a link to it. */
  readonly path: string;
  readonly clock: Clock;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Is told what others have done to the published file. */
  readonly log?: Log | undefined;
}

const pauseMs = 200;

/**
 * Makes sure that no other program has the published file open for writing, and that all it holds is in
 * the file itself: what a killed one left in a `.wal` beside it is taken in, and one that belongs to another file
 * is set aside.
 * @throws BusyError when one still has it open after `waitMs`
 * @throws WarehouseFileError when DuckDB cannot open it
 */
export async function settlePublished(patience: Patience): Promise<void> {
  const { clock, waitMs, signal } = patience;
  const deadline = clock.monotonicMs() + waitMs;
  for (;;) {
    try {
      await settleOnce(patience);
      return;
    } catch (error) {
      if (!(error instanceof BusyError) || clock.monotonicMs() >= deadline) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

async function settleOnce({ path, log }: Patience): Promise<void> {
  if ((await fileIdentity(walOf(path))) !== null) {
    const isTaken = await takeInWal(path);
    // a file with one that is not its own cannot be opened by anybody
    if (!isTaken || (await fileIdentity(walOf(path))) !== null) await setWalAside(path, log);
  }
  (await Database.open(path, 'READ_ONLY')).close();
}

/** @returns false when it does not belong to the file */
async function takeInWal(path: string): Promise<boolean> {
  try {
    const database = await Database.open(path, 'READ_WRITE');
    try {
      await database.run('checkpoint');
    } finally {
      database.close();
    }
    return true;
  } catch (error) {
    if (!(error instanceof WarehouseFileError && error.message.includes('WAL file'))) throw error;
    return false;
  }
}

/**
 * A log of changes beside a file that it does not belong to, or beside none, goes under another name: it would
 * keep everybody from opening the file.
 */
export async function setWalAside(path: string, log: Log | undefined): Promise<void> {
  const wal = walOf(path);
  const changedAt = (await stat(wal)).mtime.toISOString().replaceAll(/[-:.]/g, '');
  const aside = `${wal}.foreign-${changedAt}`;
  await rename(wal, aside);
  await syncFolder(dirname(path));
  log?.warn(
    { file: aside },
    'changes of another program that are no part of the warehouse lay beside it; they were set aside',
  );
}

function walOf(path: string): string {
  return `${path}.wal`;
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
 * Keeps a file that cannot be read as a warehouse under another name beside it, before one that can takes its place:
 * nobody knows what it is. Done again, it changes nothing.
 */
export async function keepUnreadable(path: string, log: Log | undefined): Promise<void> {
  const stamp = (await stat(path)).mtime.toISOString().replaceAll(/[-:.]/g, '');
  const kept = `${path}.unreadable-${stamp}`;
  await ignoring('EEXIST', link(path, kept));
  await ignoring('ENOENT', rename(walOf(path), `${kept}.wal`));
  await syncFolder(dirname(path));
  log?.warn({ file: kept }, 'the file that could not be opened is kept under another name');
}

/** @throws Error when DuckDB left something beside the file */
export async function syncFile(path: string): Promise<void> {
  if ((await fileIdentity(walOf(path))) !== null) {
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
