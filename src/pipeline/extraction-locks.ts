import { acquireLock, type Lock } from '../core/lock.ts';
import { extractLockPath } from '../store/layout.ts';
import { workspacesOf } from './job-workspaces.ts';
import type { RunIdentity, RunTools } from './workspace-run.ts';

/**
 * Does the work while no other process extracts for any of the job's workspaces.
 * @throws BusyError
 */
export async function withExtractionLocks<T>(
  { job }: RunIdentity,
  waitMs: number,
  { config, clock, signal }: RunTools,
  work: () => Promise<T>,
): Promise<T> {
  const locks: Lock[] = [];
  try {
    // in one order everywhere, so that two jobs with the same workspaces cannot wait for each other
    for (const workspace of workspacesOf(job).sort()) {
      const path = extractLockPath(config.dataDir, workspace);
      const purpose = `running the job ${job.name} for ${workspace}`;
      locks.push(await acquireLock(path, { purpose, waitMs, clock, signal }));
    }
    return await work();
  } finally {
    for (const lock of locks) await lock.release();
  }
}
