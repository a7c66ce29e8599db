import { dirname } from 'node:path';
import type { WarehouseConfig } from '../config/config.ts';
import { makeFolder } from '../core/atomic-file.ts';
import { acquireLock } from '../core/lock.ts';
import { Database } from './database.ts';
import { engineSettings, type EngineLimits } from './engine-limits.ts';
import type { LakeReading } from './lake-reader.ts';
import { fileIdentity, readPublished, resolveLinks, type Before } from './published-file.ts';
import { requireCurrentSchema } from './schema.ts';
import { WarehouseMissingError } from './warehouse-errors.ts';
import {
  removeStrays,
  withWorkFile,
  type Change,
  type ChangeOptions,
  type FinishedFile,
  type StagingDatabase,
} from './work-file.ts';

export type { Change, ChangeOptions, FinishedFile, StagingDatabase };

/** Through whatever link it is named, a warehouse has one lock. */
export async function warehouseLockPath(path: string): Promise<string> {
  return `${await resolveLinks(path)}.lock`;
}

/**
 * Does `work` while no other process changes the warehouse.
 * @throws BusyError when another one does for longer than `waitMs`
 */
export async function withWarehouseLock<T>(
  { path, clock, waitMs, signal, purpose = 'loading' }: ChangeOptions,
  work: () => Promise<T>,
): Promise<T> {
  const own = await resolveLinks(path);
  await makeFolder(dirname(own));
  const lock = await acquireLock(await warehouseLockPath(own), {
    purpose: `${purpose} the warehouse`,
    waitMs,
    clock,
    ...(signal && { signal }),
  });
  try {
    await removeStrays(own);
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Reads from the published file what a change of it depends on. The caller holds the warehouse's lock.
 * @returns what was read, null where there is no warehouse, and `before` for {@link changeWarehouse}
 * @throws BusyError when another program has the file open for writing for longer than `waitMs`
 */
export async function readBeforeChange<T>(
  options: ChangeOptions,
  read: (published: Database) => Promise<T>,
): Promise<{ value: T | null; before: Before }> {
  const path = await resolveLinks(options.path);
  return readPublished({ ...options, path }, async (database) => {
    await requireCurrentSchema(database);
    return read(database);
  });
}

/**
 * Changes the warehouse, all or nothing: `work` runs in a transaction on a copy of the published file,
 * which then takes its place by rename. Readers never wait and never see half a change. A missing
 * warehouse is made. The caller holds the warehouse's lock.
 * @param before what {@link readBeforeChange} found; the published file is not opened again
 * @throws BusyError when another program has the file open for writing for longer than `waitMs`
 */
export async function changeWarehouse<T>(
  options: ChangeOptions,
  work: (staging: StagingDatabase) => Promise<Change<T>>,
  before?: Before,
): Promise<T> {
  const path = await resolveLinks(options.path);
  const published = before ?? (await readPublished({ ...options, path })).before;
  return withWorkFile({ ...options, path }, published, work, async (file) => {
    if (file.isChanged) await file.publish();
    return file.value;
  });
}

/**
 * Rebuilds a warehouse: `work` fills an empty one, beside the published file, which stays as it is until `use`
 * publishes the new one. What is not published is removed. The caller holds the warehouse's lock.
 * @param use is given the new file once it is whole, checked and closed
 * @throws BusyError when another program has the published file open for writing for longer than `waitMs`
 */
export async function remakeWarehouse<T, R>(
  options: ChangeOptions,
  work: (staging: StagingDatabase) => Promise<T>,
  use: (file: FinishedFile<T>) => Promise<R>,
): Promise<R> {
  const path = await resolveLinks(options.path);
  const fill = async (staging: StagingDatabase) => ({
    value: await work(staging),
    isChanged: true,
  });
  return withWorkFile({ ...options, path }, null, fill, use);
}

/** For this program's own statements: DuckDB alone would keep most of a large file in memory. */
const ownMemory = '2GiB';

/**
 * Opens the published file, or the lake's newest snapshot, for reading, as far as this program's statements fit it.
 * @throws WarehouseMissingError when nothing has been loaded yet
 * @throws WarehouseSchemaError when it is of another version
 * @throws LakeError for what of a lake cannot be reached
 */
export async function openWarehouse(
  warehouse: WarehouseConfig,
  reading: LakeReading = {},
): Promise<Database> {
  const { limits } = reading;
  const database =
    typeof warehouse === 'string'
      ? await openPublished(warehouse, limits)
      : // a file is opened sooner without it
        await (await import('./lake-reader.ts')).openLake(warehouse, reading);
  if (limits) database.interruptOn(limits.signal);
  try {
    await requireCurrentSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function openPublished(path: string, limits?: EngineLimits): Promise<Database> {
  if ((await fileIdentity(path)) === null) {
    throw new WarehouseMissingError(
      `there is no warehouse at ${path} yet; \`postledger run\` makes it`,
    );
  }
  const settings = limits ? engineSettings(limits) : { memory_limit: ownMemory };
  return Database.open(path, 'READ_ONLY', settings);
}
