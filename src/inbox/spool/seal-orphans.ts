import { open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { isLockHeld } from '../../core/lock.ts';
import { lineFeed } from '../json-bytes.ts';
import { receiverLockPath } from './layout.ts';
import { placeSegment } from './place-segment.ts';
import { otherName, sealedNameOf } from './segment-name.ts';
import { listSegments, type Segment } from './segment.ts';

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

/** The same for the receiver, which is known to be the only one: it holds the lock. None is left open then. */
export async function sealAll(dataDir: string): Promise<void> {
  for (let open = await listOpen(dataDir); open.length > 0; open = await listOpen(dataDir)) {
    for (const segment of open) await sealFile(segment.path);
  }
}

/**
 * Seals a segment whose writer is taken for dead, up to its last whole line. If the writer is alive after all,
 * it finds before it answers that its segment has another name: what it wrote before is kept, what it writes
 * after does not count. Nothing is done when somebody else was faster.
 */
async function sealFile(path: string): Promise<void> {
  const [folder, name] = [dirname(path), sealedNameOf(basename(path))];
  try {
    const { size, whole } = await measure(path);
    if (size === whole && size > 0) await placeSegment(path, folder, name);
    else await sealRenamed(path, folder, name);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  await syncFolder(folder);
}

/** Where something has to be cut off, nobody may be writing under the old name any more. */
async function sealRenamed(path: string, folder: string, name: string): Promise<void> {
  const renamed = join(folder, otherName(basename(path)));
  await rename(path, renamed);
  const { whole } = await measure(renamed);
  await sealAt(renamed, whole, name);
}

/** Seals a segment of the caller's own: what comes after so many bytes goes, and one that is empty goes as a whole. */
export async function sealAt(
  path: string,
  bytes: number,
  name = sealedNameOf(basename(path)),
): Promise<void> {
  const folder = dirname(path);
  if (bytes === 0) await unlink(path);
  else {
    await cut(path, bytes);
    await placeSegment(path, folder, name);
  }
  await syncFolder(folder);
}

/** Whole lines may be of a write that was not synced before its process died. */
async function measure(path: string): Promise<{ size: number; whole: number }> {
  const handle = await open(path, 'r+');
  try {
    const data = await handle.readFile();
    await handle.sync();
    return { size: data.length, whole: data.lastIndexOf(lineFeed) + 1 };
  } finally {
    await handle.close();
  }
}

async function cut(path: string, bytes: number): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.truncate(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function listOpen(dataDir: string): Promise<Segment[]> {
  return (await listSegments(dataDir)).filter((segment) => !segment.isSealed);
}
