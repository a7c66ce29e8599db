import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode } from '../core/errors.ts';
import { acquireLock, readLockHolder } from '../core/lock.ts';
import { runLockFolder, runLockPath } from './layout.ts';

/** A run of this machine that has not ended: it is live, or it was killed or stopped, or it failed as a whole. */
export interface OpenRun {
  readonly runId: string;
  readonly isLive: boolean;
}

/**
 * Holds the run's lock during `work`. A run that dies stays open until a later run of its job, which continues where
 * it stopped, has ended.
 */
export async function holdRun<T>(
  run: { readonly job: string; readonly run_id: string },
  { dataDir, clock }: { readonly dataDir: string; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const purpose = `running the job ${run.job}`;
  const lock = await acquireLock(runLockPath(dataDir, run), { purpose, waitMs: 0, clock });
  try {
    const result = await work();
    for (const { runId, isLive } of await listOpenRuns(dataDir, run.job))
      if (!isLive) await rm(runLockPath(dataDir, { job: run.job, run_id: runId }), { force: true });
    await lock.release();
    return result;
  } catch (error) {
    await lock.abandon();
    throw error;
  }
}

/** Lists the open runs of a job by id, and so by start time. */
export async function listOpenRuns(dataDir: string, job: string): Promise<OpenRun[]> {
  const folder = runLockFolder(dataDir, job);
  const names = (await readNames(folder)).filter((name) => name.endsWith('.lock'));
  const runs = names.sort().map(async (name) => ({
    runId: name.slice(0, -'.lock'.length),
    isLive: (await readLockHolder(join(folder, name))) !== null,
  }));
  return Promise.all(runs);
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
