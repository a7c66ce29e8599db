import { join } from 'node:path';
import { syncFolder } from '../../core/atomic-file.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { statExisting } from './existing.ts';
import { appendKeys, lockInbox, restoreKeys, type LockPatience } from './key-file.ts';
import { archivedEventsFolder, inboxFolder } from './layout.ts';
import { placeSegment } from './place-segment.ts';
import { segmentDay } from './segment-name.ts';
import type { Segment } from './segment.ts';

/** A segment that was read. */
export interface ReadSegment extends Segment {
  /** Those of its events, one after another. Damaged lines have none, so that their events can come again. */
  readonly keys: Buffer;
}

/**
 * Moves sealed segments whose events are in the warehouse to the archive, after their events' keys are kept for
 * good. Open ones stay, as do those that grew after all since they were listed; those that somebody else has moved
 * are left out. A kill leaves each segment in one of the two places.
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
  await restoreKeys(dataDir, patience);
  const lock = await lockInbox(dataDir, patience);
  try {
    return await moveAll(dataDir, sealed);
  } finally {
    await lock.release();
  }
}

async function moveAll(dataDir: string, segments: readonly ReadSegment[]): Promise<number> {
  const present: ReadSegment[] = [];
  for (const segment of segments) if (await isUnchanged(segment)) present.push(segment);
  if (present.length === 0) return 0;
  await appendKeys(dataDir, Buffer.concat(present.map(({ keys }) => keys)));
  const folders = new Set<string>();
  for (const segment of present) folders.add(await moveSegment(dataDir, segment));
  for (const folder of [...folders, inboxFolder(dataDir)]) await syncFolder(folder);
  return present.length;
}

/** The caller holds the inbox's lock: what is there stays until it is moved. */
async function isUnchanged({ path, bytes }: Segment): Promise<boolean> {
  return (await statExisting(path))?.size === BigInt(bytes);
}

/** @returns the folder that it is in now */
async function moveSegment(dataDir: string, { name, path }: Segment): Promise<string> {
  const folder = join(archivedEventsFolder(dataDir), segmentDay(name));
  await makeFolder(folder);
  await placeSegment(path, folder, name);
  return folder;
}
