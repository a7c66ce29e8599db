import { constants } from 'node:fs';
import { copyFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setMode, syncFile, syncFolder } from '../core/atomic-file.ts';
import { BusyError, hasErrorCode } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { Database } from './database.ts';
import type { Migrated } from './schema.ts';
import { WarehouseFileError } from './warehouse-errors.ts';
import type { ChangeOptions } from './access.ts';

/** The published file as it was when the work began. */
export interface Before {
  /** The file's identity; null when there was none. */
  readonly identity: string | null;
  /** True if DuckDB can open it. */
  readonly isReadable: boolean;
}

const nothingBefore: Before = { identity: null, isReadable: false };
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
 * Reads from the published file, if there is one, once no other program has it open for writing, and all that it holds
 * is in the file itself: what a killed one left in a `.wal` beside it is taken in.
 * @throws BusyError when another program still has it open for writing after `waitMs`
 * @throws WarehouseFileError when DuckDB cannot open it
 */
export async function readPublished<T>(
  { path, clock, waitMs, signal }: ChangeOptions,
  read: (database: Database) => Promise<T>,
): Promise<{ value: T | null; before: Before }> {
  if ((await fileIdentity(path)) === null) return { value: null, before: nothingBefore };
  const deadline = clock.monotonicMs() + waitMs;
  for (;;) {
    try {
      const value = await settleOnce(path, read);
      return { value, before: { identity: await fileIdentity(path), isReadable: true } };
    } catch (error) {
      if (!(error instanceof BusyError) || clock.monotonicMs() >= deadline) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** The same for a file that is about to be replaced whatever it is. */
export async function inspectPublished(options: ChangeOptions): Promise<Before> {
  try {
    return (await readPublished(options, () => Promise.resolve())).before;
  } catch (error) {
    if (!(error instanceof WarehouseFileError)) throw error;
    return { identity: await fileIdentity(options.path), isReadable: false };
  }
}

/**
 * Puts `file` in the published file's place. One that DuckDB cannot open, or that has the tables of an older version, is
 * kept beside it under another name.
 * @throws BusyError when another program has changed the published file since
 */
export async function publishFile(
  options: ChangeOptions,
  file: string,
  { identity, isReadable, older }: Before & Pick<Migrated, 'older'>,
): Promise<void> {
  const { path, log } = options;
  // it was copied with the mode of the file before it
  await setMode(file, 0o600);
  await syncFile(file);
  const hasLog = isReadable && (await fileIdentity(`${path}.wal`)) !== null;
  if (hasLog || (await fileIdentity(path)) !== identity) {
    throw new BusyError(
      `${path} was changed by another program while the load was under way; nothing was loaded, run it again`,
    );
  }
  if (identity !== null && !isReadable) await keepUnreadable(path, log);
  if (older !== null) await keepOlder(path, older, log);
  // a log that belongs to another file would keep the new one from being opened
  await rm(`${path}.wal`, { force: true });
  await rename(file, path);
  await syncFolder(dirname(path));
}

async function settleOnce<T>(path: string, read: (database: Database) => Promise<T>): Promise<T> {
  const hasLog = (await fileIdentity(`${path}.wal`)) !== null;
  const database = await Database.open(path, hasLog ? 'READ_WRITE' : 'READ_ONLY');
  try {
    if (hasLog) await database.run('checkpoint');
    return await read(database);
  } finally {
    database.close();
  }
}

/** A program of the older version can continue with it. It stays in its place, too, until the new file takes that. */
async function keepOlder(path: string, older: string, log: Log | undefined): Promise<void> {
  const kept = `${path}.${older}`;
  await copyFile(path, kept, constants.COPYFILE_FICLONE);
  await syncFile(kept);
  log?.info({ file: kept }, 'the warehouse as it was before the upgrade is kept');
}

/** Nobody knows what it is, so it is not removed. */
async function keepUnreadable(path: string, log: Log | undefined): Promise<void> {
  const stamp = (await stat(path)).mtime.toISOString().replaceAll(/[-:.]/g, '');
  const kept = `${path}.unreadable-${stamp}`;
  await rename(path, kept);
  if ((await fileIdentity(`${path}.wal`)) !== null) await rename(`${path}.wal`, `${kept}.wal`);
  log?.warn({ file: kept }, 'the file that could not be opened is kept under another name');
}
