import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../core/atomic-file.ts';
import { resolveLinks } from '../core/destination.ts';
import { withLock } from '../core/lock.ts';
import { Database } from './database.ts';
import { engineSettings } from './engine-limits.ts';
import { fileIdentity, readPublished } from './published-file.ts';
import { isCurrentSchema, requireCurrentSchema } from './schema.ts';
import { readSql } from './sql-file.ts';
import { quoteText } from './sql-text.ts';
import { QueryError, WarehouseMissingError } from './warehouse-errors.ts';
import type {
  ChangeOptions,
  FinishedFile,
  ReadOptions,
  StagingDatabase,
  WarehouseWriter,
} from './access.ts';
import { removeStrays, withWorkFile } from './work-file.ts';

/** The lock of the warehouse, which is one through whatever link the file is named. */
export async function fileLockPath(path: string): Promise<string> {
  return `${await resolveLinks(path)}.lock`;
}

/**
 * Does `work` while no other process changes the warehouse.
 * @param work is given the options with the path of the file itself, where links led to it
 * @throws BusyError when another one does for longer than `waitMs`
 */
export async function withFileLock<T>(
  options: ChangeOptions,
  work: (resolved: ChangeOptions) => Promise<T>,
): Promise<T> {
  const { path, clock, waitMs, signal, purpose = 'loading' } = options;
  const own = await resolveLinks(path);
  await makeFolder(dirname(own));
  const lock = { purpose: `${purpose} the warehouse`, waitMs, clock, signal };
  return withLock(await fileLockPath(own), lock, async () => {
    await removeStrays(own);
    return work({ ...options, path: own });
  });
}

/** DuckDB alone would keep most of a large file in memory. */
const ownMemory = '2GiB';

/**
 * Opens the published file for reading, as far as this program's statements fit it.
 * @throws WarehouseMissingError when nothing has been loaded yet
 * @throws WarehouseSchemaError when it is of another version
 */
export async function openFile(path: string, { limits }: ReadOptions = {}): Promise<Database> {
  if ((await fileIdentity(path)) === null) {
    throw new WarehouseMissingError(
      `there is no warehouse at ${path} yet; \`postledger run\` makes it`,
    );
  }
  const settings = limits ? engineSettings(limits) : { memory_limit: ownMemory };
  const database = await Database.open(path, 'READ_ONLY', settings);
  try {
    if (limits) database.interruptOn(limits.signal);
    await requireCurrentSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Removes the files that an upgrade or a load kept beside the published one. */
export async function removeEarlierFiles(path: string): Promise<void> {
  const isEarlier = /^\.(?:\d{4}_\w+|unreadable-\w+)$/;
  for (const name of await readdir(dirname(path)))
    if (name.startsWith(basename(path)) && isEarlier.test(name.slice(basename(path).length)))
      await rm(join(dirname(path), name), { force: true });
}

export async function measureFile(path: string): Promise<number | null> {
  return (await fileIdentity(path)) === null ? null : (await stat(path)).size;
}

/**
 * Changes the file as the one shard of a warehouse: in a copy, which then takes its place by rename. Readers never wait and
 * never see half a change. A missing warehouse is made.
 * @throws BusyError when another program has the file open for writing for longer than `waitMs`
 * @throws WarehouseSchemaError for a schema of another version that this program does not know
 */
export async function changeFile<T>(
  options: ChangeOptions,
  work: (writer: WarehouseWriter) => Promise<T>,
): Promise<T> {
  return withFileLock(options, (resolved) =>
    work({
      read: async (read) => (await readPublished(resolved, read)).value,
      change: async (_, plan) => {
        const { value, before } = await readPublished(resolved, async (database) => ({
          isOutdated: !(await isCurrentSchema(database)),
          planned: await plan(database),
        }));
        const { planned, isOutdated } = value ?? { planned: await plan(null), isOutdated: false };
        if ('done' in planned && !isOutdated) return planned.done;
        const change = async (staging: StagingDatabase) => {
          // an older schema that was brought up to date may leave more to do
          const due = isOutdated ? await plan(staging.database) : planned;
          return 'done' in due ? due.done : due.change(staging);
        };
        return withWorkFile(resolved, before, change, async (file) => {
          if (!resolved.isDryRun) await file.publish();
          return file.value;
        });
      },
      refill: (_, fill, mayLose = 0) =>
        withWorkFile(resolved, null, fill, async (file) => {
          const { value, published, path, folder } = file;
          const lost = published === null ? 0 : await countLost(published, path, folder);
          if (lost <= mayLose) await file.publish();
          return { value, lost };
        }),
    }),
  );
}

/**
 * Fills an empty file beside the published one, which stays as it is until `use` publishes the new one. What is not
 * published is removed.
 * @param use is given the new file once it is whole, checked and closed
 * @throws BusyError when another program has the published file open for writing for longer than `waitMs`
 */
export async function fillBesideFile<T, R>(
  options: ChangeOptions,
  fill: (staging: StagingDatabase) => Promise<T>,
  use: (file: FinishedFile<T>) => Promise<R>,
): Promise<R> {
  return withFileLock(options, (resolved) => withWorkFile(resolved, null, fill, use));
}

/** A published file that cannot be read has nothing that could be lost. */
async function countLost(published: string, rebuilt: string, folder: string): Promise<number> {
  try {
    const database = await Database.open(rebuilt, 'READ_ONLY', { temp_directory: folder });
    try {
      await database.run(`attach ${quoteText(published)} as published (read_only)`);
      const [responses, events] = ['published.loaded_responses', 'published.webhook_events'];
      const { rows } = await database.query(await readSql('rebuild/lost.sql'), {
        responses,
        events,
      });
      return Number(rows[0]?.[0]);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof QueryError) return 0;
    throw error;
  }
}
