import { open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { isLockHeld } from '../../core/lock.ts';
import { receiverLockPath } from './layout.ts';
import { sealedNameOf } from './segment-name.ts';
import { listSegments, type Segment } from './segment.ts';

const lineFeed = 0x0a;

/**
 * Seals the segments of a receiver that was killed: cuts each to its last whole line and gives it its final
 * name. Changes nothing while a receiver lives. Several at once do no harm.
 */
export async function sealOrphans(dataDir: string): Promise<void> {
  const open = await listOpen(dataDir);
  // a receiver takes its lock before it makes a segment: one that is not there now made none of these
  if (open.length === 0 || (await isLockHeld(receiverLockPath(dataDir)))) return;
  for (const segment of open) await sealFile(segment.path);
}

/** The same for the receiver, which is known to be the only one: it holds the lock. */
export async function sealAll(dataDir: string): Promise<void> {
  for (const segment of await listOpen(dataDir)) await sealFile(segment.path);
}

/** Seals a segment that nobody writes any more. Nothing is done when somebody else was faster. */
export async function sealFile(path: string): Promise<void> {
  try {
    const bytes = await cutTail(path);
    if (bytes === 0) await unlink(path);
    else await rename(path, join(dirname(path), sealedNameOf(basename(path))));
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  await syncFolder(dirname(path));
}

/** Whole lines may be of a write that was not synced before its process died. @returns bytes left */
async function cutTail(path: string): Promise<number> {
  const handle = await open(path, 'r+');
  try {
    const data = await handle.readFile();
    const bytes = data.lastIndexOf(lineFeed) + 1;
    if (bytes < data.length) await handle.truncate(bytes);
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

async function listOpen(dataDir: string): Promise<Segment[]> {
  return (await listSegments(dataDir)).filter((segment) => !segment.isSealed);
}
