import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { BusyError, InterruptedError, hasErrorCode } from '../core/errors.ts';
import { acquireLock } from '../core/lock.ts';
import { Database, openReadOnly } from './database.ts';
import { workAlone } from './file-gate.ts';
import { checkRules, migrate, requireCurrentSchema } from './schema.ts';
import { WarehouseMissingError } from './warehouse-errors.ts';

export interface ChangeOptions {
  /** Absolute path of the published DuckDB file. */
  readonly path: string;
  readonly clock: Clock;
  /** How long to wait for another process; 0: not at all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Change<T> {
  readonly value: T;
  /** False: the published file stays as it is. */
  readonly isChanged: boolean;
}

/** A copy of the warehouse to work on, which nobody sees until it is published. */
export interface WorkSpace {
  readonly database: Database;
  /** Room for files; gone afterwards. */
  readonly folder: string;
  /** Whether the published file has the schema or the views of another version; the copy has this one's. */
  readonly isUpgraded: boolean;
  /** Ends a transaction and begins the next, so that a large change gives back what memory it holds. */
  commitSoFar(): Promise<void>;
}

/**
 * Does `work` while no other process changes the warehouse.
 * @throws BusyError when another one does for longer than `waitMs`
 */
export async function withWarehouseLock<T>(
  { path, clock, waitMs, signal }: ChangeOptions,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await acquireLock(`${path}.lock`, {
    purpose: 'loading the warehouse',
    waitMs,
    clock,
    ...(signal && { signal }),
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Changes the warehouse, all or nothing: `work` runs in a transaction on a copy of the published file,
 * which then takes its place by rename. Readers never wait and never see half a change. A missing
 * warehouse is made. The caller holds the warehouse's lock.
 * @throws BusyError when another program has the file open for writing for longer than `waitMs`
 */
export async function changeWarehouse<T>(
  options: ChangeOptions,
  work: (space: WorkSpace) => Promise<Change<T>>,
): Promise<T> {
  const path = await resolveLinks(options.path);
  await removeStrays(path);
  try {
    return await changeCopy({ ...options, path }, work);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    throw new InterruptedError('stopped while loading; nothing was changed', { cause: error });
  }
}

/**
 * Opens the published file for reading, as far as this program's statements fit it.
 * @throws WarehouseMissingError when nothing has been loaded yet
 * @throws WarehouseSchemaError when the file is of another version
 */
export async function openWarehouse(path: string): Promise<Database> {
  if ((await fileIdentity(path)) === null) {
    throw new WarehouseMissingError(
      `there is no warehouse at ${path} yet; \`postledger run\` makes it`,
    );
  }
  const database = await openReadOnly(path);
  try {
    await requireCurrentSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function changeCopy<T>(
  options: ChangeOptions,
  work: (space: WorkSpace) => Promise<Change<T>>,
): Promise<T> {
  const { path } = options;
  const copy = `${path}.${randomUUID()}.work`;
  const folder = `${copy}.tmp`;
  try {
    const before = await copyPublished(options, copy);
    await mkdir(folder);
    const change = await changeInPlace(options, { copy, folder, isNew: before === null }, work);
    if (!change.isChanged) return change.value;
    await syncFile(copy);
    await publish(options, copy, before);
    return change.value;
  } finally {
    for (const own of [copy, `${copy}.wal`, folder])
      await rm(own, { recursive: true, force: true });
  }
}

async function changeInPlace<T>(
  { signal }: ChangeOptions,
  { copy, folder, isNew }: { copy: string; folder: string; isNew: boolean },
  work: (space: WorkSpace) => Promise<Change<T>>,
): Promise<Change<T>> {
  const database = await Database.open(copy, 'READ_WRITE', { temp_directory: folder });
  const interrupt = () => database.interrupt();
  const commitSoFar = () => database.run('commit; begin transaction');
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    signal?.throwIfAborted();
    const change = await database.transaction(async () => {
      const isMigrated = await migrate(database);
      const isUpgraded = isMigrated && !isNew;
      const { value, isChanged } = await work({ database, folder, isUpgraded, commitSoFar });
      if (isMigrated || isChanged) await checkRules(database);
      return { value, isChanged: isMigrated || isChanged };
    });
    await database.run('checkpoint');
    return change;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    database.close();
  }
}

/** @returns what the published file was at the time, null when there was none */
async function copyPublished(options: ChangeOptions, copy: string): Promise<string | null> {
  return workAlone(options.path, async () => {
    const identity = await fileIdentity(options.path);
    if (identity === null) return null;
    await settlePublished(options);
    const settled = await fileIdentity(options.path);
    await copyFile(options.path, copy, constants.COPYFILE_FICLONE);
    return settled;
  });
}

/** The copy takes the published file's place, unless that one has changed under our hands. */
async function publish(options: ChangeOptions, copy: string, before: string | null): Promise<void> {
  await workAlone(options.path, async () => {
    if (before !== null) await settlePublished(options);
    if ((await fileIdentity(options.path)) !== before) {
      throw new BusyError(
        `${options.path} was changed by another program while the load was under way; nothing was loaded, run it again`,
      );
    }
    await rename(copy, options.path);
  });
  await syncFolder(dirname(options.path));
}

const pauseMs = 200;

/**
 * Makes sure that no other program has the published file open for writing, and that all it holds is in
 * the file itself: what a killed one left in a `.wal` beside it is taken in.
 * @throws BusyError when one still has it open after `waitMs`
 */
async function settlePublished(options: ChangeOptions): Promise<void> {
  const { path, clock, waitMs, signal } = options;
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

/** Changes whenever the file is written or replaced; null when there is none. */
async function fileIdentity(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** The file itself where the path is a link, so that a rename does not put a file in the link's place. */
async function resolveLinks(path: string): Promise<string> {
  return (await fileIdentity(path)) === null ? path : realpath(path);
}

/** Copies that killed loads left, with all that belongs to them. The caller holds the warehouse's lock. */
async function removeStrays(path: string): Promise<void> {
  const isStray = /^\.[0-9a-f-]{36}\.work(\.wal|\.tmp)?$/;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(basename(path)) || !isStray.test(name.slice(basename(path).length)))
      continue;
    await rm(join(dirname(path), name), { recursive: true, force: true });
  }
}

async function syncFile(path: string): Promise<void> {
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
