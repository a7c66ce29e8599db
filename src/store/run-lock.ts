import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { BusyError, OtherRunError } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { acquireLock, readLockHolder, type Lock, type LockOptions } from '../core/lock.ts';
import { extractLockPath, runLockFolder, runLockPath } from './layout.ts';

/**
 * Does the work while no other process reads for any of the workspaces.
 * @param options the purpose is followed by the workspace
 * @throws OtherRunError when one does for longer than `waitMs`
 */
export async function withWorkspaces<T>(
  workspaces: Iterable<string>,
  { dataDir, purpose, ...options }: LockOptions & { readonly dataDir: string },
  work: () => Promise<T>,
): Promise<T> {
  const locks: Lock[] = [];
  try {
    // the same order everywhere keeps two processes from waiting for each other
    for (const workspace of [...workspaces].sort()) {
      const own = { ...options, purpose: `${purpose} ${workspace}` };
      const lock = acquireLock(extractLockPath(dataDir, workspace), own);
      locks.push(await lock.catch(throwOtherRun));
    }
    return await work();
  } finally {
    for (const lock of locks) await lock.release();
  }
}

function throwOtherRun(error: unknown): never {
  throw error instanceof BusyError ? new OtherRunError(error.message) : error;
}

/** A run of this machine that has not ended: it is live, or it was killed or stopped, or it failed as a whole. */
export interface OpenRun {
  readonly runId: string;
  readonly isLive: boolean;
}

/**
 * Holds the run's lock during `work`. A run that dies stays open until a later run of its job, which continues where
 * it stopped, has ended.
 * @param isLoaded tells from the result whether all that the run has read is in the warehouse
 */
export async function holdRun<T>(
  run: { readonly job: string; readonly run_id: string },
  { dataDir, clock }: { readonly dataDir: string; readonly clock: Clock },
  work: () => Promise<T>,
  isLoaded: (result: T) => boolean,
): Promise<T> {
  const folder = runLockFolder(dataDir, run.job);
  const purpose = `running the job ${run.job}`;
  const lock = await acquireLock(runLockPath(dataDir, run), { purpose, waitMs: 0, clock });
  try {
    const result = await work();
    if (isLoaded(result))
      for (const runId of await listUnloadedRuns(dataDir, run.job))
        await rm(join(folder, `${runId}${unloadedSuffix}`), { force: true });
    else await writeFile(join(folder, `${run.run_id}${unloadedSuffix}`), '');
    for (const { runId, isLive } of await listOpenRuns(dataDir, run.job))
      if (!isLive) await rm(runLockPath(dataDir, { job: run.job, run_id: runId }), { force: true });
    await lock.release();
    return result;
  } catch (error) {
    await lock.abandon();
    throw error;
  }
}

const unloadedSuffix = '.unloaded';

/** Lists the runs of a job that ended before what they had read could be loaded, as far as none was loaded since. */
export async function listUnloadedRuns(dataDir: string, job: string): Promise<string[]> {
  const names = await namesIn(runLockFolder(dataDir, job), unloadedSuffix);
  return names.map((name) => basename(name, unloadedSuffix));
}

/** Lists the open runs of a job by id, and so by start time. */
export async function listOpenRuns(dataDir: string, job: string): Promise<OpenRun[]> {
  const folder = runLockFolder(dataDir, job);
  const runs = (await namesIn(folder, '.lock')).map(async (name) => ({
    runId: basename(name, '.lock'),
    isLive: (await readLockHolder(join(folder, name))) !== null,
  }));
  return Promise.all(runs);
}
