import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { nearestFolder, resolveLinks } from './destination.ts';
import { isSystemError } from './errors.ts';
import { acquireLock } from './lock.ts';
import { problemText } from './machine-problem.ts';

/**
 * Tries the disks of folders, which need not exist yet.
 * @returns sentences about existing folders that cannot be written, as on a machine that only checks
 * @throws UsageError for a disk that has no hard links, or is not mounted
 */
export async function diskDoubts(folders: readonly string[], clock: Clock): Promise<string[]> {
  const doubts: string[] = [];
  for (const path of folders) {
    try {
      const trial = join(nearestFolder(await resolveLinks(path)), `.${randomUUID()}.lock`);
      await (await acquireLock(trial, { purpose: 'trying the disk', waitMs: 0, clock })).release();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (existsSync(path)) doubts.push(problemText(error));
    }
  }
  return doubts;
}
