import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InterruptedError } from '../core/errors.ts';
import type { ChangeOptions, FinishedFile, StagingDatabase } from './access.ts';
import { Database } from './database.ts';
import { inspectPublished, publishFile, type Before } from './published-file.ts';
import { migrate, type Migrated } from './schema.ts';

/**
 * Does `work` in a transaction on a file of its own, beside the published one: a copy of that, or an empty
 * warehouse. The file and all that belongs to it are gone afterwards, unless `use` has published it.
 * @param copied the published file that is copied; null for an empty warehouse
 */
export async function withWorkFile<T, R>(
  options: ChangeOptions,
  copied: Before | null,
  work: (staging: StagingDatabase) => Promise<T>,
  use: (file: FinishedFile<T>) => Promise<R>,
): Promise<R> {
  const file = `${options.path}.${randomUUID()}.work`;
  const folder = `${file}.tmp`;
  try {
    const before = copied ?? (await inspectPublished(options));
    if (copied !== null && copied.identity !== null)
      await copyFile(options.path, file, constants.COPYFILE_FICLONE);
    await mkdir(folder);
    const { older, value } = await changeInPlace(options, file, folder, work);
    const published = before.isReadable ? options.path : null;
    return await use({
      path: file,
      folder,
      value,
      published,
      publish: () => publishFile(options, file, { ...before, older }),
    });
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    const purpose = options.purpose ?? 'loading';
    throw new InterruptedError(`stopped while ${purpose}; nothing was changed`, { cause: error });
  } finally {
    for (const own of [file, `${file}.wal`, folder])
      await rm(own, { recursive: true, force: true });
  }
}

/** Work files that killed processes left, with all that belongs to them. The caller holds the warehouse's lock. */
export async function removeStrays(path: string): Promise<void> {
  const isStray = /^\.[0-9a-f-]{36}\.work(\.wal|\.tmp)?$/;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(basename(path)) || !isStray.test(name.slice(basename(path).length)))
      continue;
    await rm(join(dirname(path), name), { recursive: true, force: true });
  }
}

async function changeInPlace<T>(
  { signal, log }: ChangeOptions,
  file: string,
  folder: string,
  work: (staging: StagingDatabase) => Promise<T>,
): Promise<{ value: T } & Pick<Migrated, 'older'>> {
  const database = await Database.open(file, 'READ_WRITE', {
    temp_directory: folder,
    // a large load spills what it needs beyond
    memory_limit: '224MiB',
    // a second thread costs a third more processor time and memory, and saves a tenth of the time at most
    threads: '1',
    // its compression of columns takes a fifth less processor time
    storage_compatibility_version: 'v1.4.0',
    // a work file is never recovered: a commit writes the file itself, and no log before it
    checkpoint_threshold: '0b',
    auto_checkpoint_skip_wal_threshold: '0',
  });
  const commitSoFar = () => database.run('commit; begin transaction');
  const rollBack = () => database.run('rollback; begin transaction');
  if (signal) database.interruptOn(signal);
  try {
    signal?.throwIfAborted();
    const change = await database.transaction(async () => {
      const { older } = await migrate(database);
      if (older !== null) log?.info({ from: older }, 'the tables are brought up to this version');
      const staging = { database, folder, commitSoFar, rollBack, isCareful: false };
      return { value: await work(staging), older };
    });
    await database.run('checkpoint');
    return change;
  } finally {
    database.close();
  }
}
