import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { appendKeys, lockInbox, restoreKeysLocked, type LockPatience } from './key-file.ts';
import { archivedEventsFolder, inboxFolder } from './layout.ts';
import { otherName, segmentDay } from './segment-name.ts';
import type { Segment } from './segment.ts';

/** A segment that was read. */
export interface ReadSegment extends Segment {
  /** Those of its events, one after another. Damaged lines have none, so that their events can come again. */
  readonly keys: Buffer;
}

/**
 * Moves sealed segments whose events are in the warehouse to the archive, after their events' keys are kept for
 * good. Open ones stay, and those that somebody else has moved are left out. A kill leaves each segment in one of
 * the two places.
 * @returns how many were moved
 * @throws BusyError when another process moves segments for longer than `waitMs`
 * @throws InterruptedError when the signal aborts while waiting
 */
export async function archiveSegments(
  dataDir: string,
  segments: readonly ReadSegment[],
  patience: LockPatience,
): Promise<number> {
  const sealed = segments.filter((segment) => segment.isSealed);
  if (sealed.length === 0) return 0;
  const lock = await lockInbox(dataDir, patience);
  try {
    await restoreKeysLocked(dataDir);
    return await moveAll(dataDir, sealed);
  } finally {
    await lock.release();
  }
}

async function moveAll(dataDir: string, segments: readonly ReadSegment[]): Promise<number> {
  const present: ReadSegment[] = [];
  for (const segment of segments) if (await isPresent(segment)) present.push(segment);
  if (present.length === 0) return 0;
  await appendKeys(dataDir, Buffer.concat(present.map(({ keys }) => keys)));
  const folders = new Set<string>();
  for (const segment of present) folders.add(await moveSegment(dataDir, segment));
  for (const folder of [...folders, inboxFolder(dataDir)]) await syncFolder(folder);
  return present.length;
}

/** The caller holds the inbox's lock: what is there stays until it is moved. */
async function isPresent({ path }: Segment): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
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
