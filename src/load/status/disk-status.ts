import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { measureDiskUse, type DiskUse } from '../../archive/disk-use.ts';
import { hasErrorCode } from '../../core/errors.ts';

/** What `data_dir` holds, and what its disk has left. */
export interface DiskStatus extends DiskUse {
  readonly free_bytes: number;
}

export async function readDiskStatus(dataDir: string): Promise<DiskStatus> {
  return { ...(await measureDiskUse(dataDir)), free_bytes: await readFreeBytes(dataDir) };
}

/** Of a folder that is not there yet, what the one above it has. */
async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT') || dirname(folder) === folder) throw error;
    return readFreeBytes(dirname(folder));
  }
}
