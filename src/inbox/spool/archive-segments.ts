import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { appendKeys, keysOf, lockInbox, restoreKeysLocked } from './key-file.ts';
import { archivedEventsFolder, inboxFolder } from './layout.ts';
import { readSegment } from './read-segment.ts';
import { otherName, segmentDay } from './segment-name.ts';
import type { Segment } from './segment.ts';

/**
 * Moves sealed segments whose events are in the warehouse to the archive, after their events' keys are kept for
 * good. Open ones stay, and those that somebody else has moved are left out. Of a damaged line no key is kept,
 * so that its event can come again. A kill leaves each segment in one of the two places.
 * @returns how many were moved
 * @throws BusyError when another process moves segments for longer than a minute
 */
export async function archiveSegments(
  dataDir: string,
  segments: readonly Segment[],
  clock: Clock,
): Promise<number> {
  const sealed = segments.filter((segment) => segment.isSealed);
  if (sealed.length === 0) return 0;
  const lock = await lockInbox(dataDir, clock);
  try {
    await restoreKeysLocked(dataDir);
    return await moveAll(dataDir, sealed);
  } finally {
    await lock.release();
  }
}

async function moveAll(dataDir: string, segments: readonly Segment[]): Promise<number> {
  const keys: Buffer[] = [];
  const present: Segment[] = [];
  for (const segment of segments) {
    const content = await readSegment(segment);
    if (content === null) continue;
    keys.push(keysOf(content.events));
    present.push(segment);
  }
  if (present.length === 0) return 0;
  await appendKeys(dataDir, Buffer.concat(keys));
  const folders = new Set<string>();
  for (const segment of present) folders.add(await moveSegment(dataDir, segment));
  for (const folder of [...folders, inboxFolder(dataDir)]) await syncFolder(folder);
  return present.length;
}

/** @returns the folder that it is in now */
async function moveSegment(dataDir: string, { name, path }: Segment): Promise<string> {
  const folder = join(archivedEventsFolder(dataDir), segmentDay(name));
  await makeFolder(folder);
  const isTaken = await differs(path, join(folder, name));
  await rename(path, join(folder, isTaken ? otherName(name) : name));
  return folder;
}

/** Whether the archive has another file of that name, for example after somebody restored an older one. */
async function differs(path: string, target: string): Promise<boolean> {
  try {
    return !(await readFile(target)).equals(await readFile(path));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}
