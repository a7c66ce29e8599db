import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../core/atomic-file.ts';
import { makeFolder } from '../core/durable-folder.ts';
import { hasErrorCode } from '../core/errors.ts';
import { statExisting } from '../inbox/spool/existing.ts';
import { appendKeys, lockInbox, restoreKeys, type LockPatience } from '../inbox/spool/key-file.ts';
import { keyBytes } from '../inbox/spool/key-index.ts';
import { archivedEventsFolder, inboxFolder } from '../inbox/spool/layout.ts';
import { removeLeftovers } from '../inbox/spool/leftovers.ts';
import { compressedName, otherName, segmentDay } from '../inbox/spool/segment-name.ts';
import type { Segment } from '../inbox/spool/segment.ts';
import { appendToLedger } from './archive-ledger.ts';
import {
  compressSegment,
  measureSegment,
  unfinishedSegment,
  type CompressedSegment,
} from './compress-segment.ts';
import type { SegmentEntry } from './ledger-line.ts';

/** A segment that was read. */
export interface ReadSegment extends Segment {
  /** Those of its events, one after another. Damaged lines have none, so that their events can come again. */
  readonly keys: Buffer;
}

/**
 * Compresses sealed segments whose events are in the warehouse into the archive, after their events' keys are
 * kept for good, and enters them in its ledger. Open ones stay, as do those that grew after all since they were
 * listed; those that somebody else has moved are left out. A kill leaves each segment in the inbox, in the archive,
 * or in both, where the next load ends it.
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
  await appendToLedger(dataDir, await copyAll(dataDir, present));
  for (const { path } of present) await unlink(path);
  await syncFolder(inboxFolder(dataDir));
  return present.length;
}

/** The caller holds the inbox's lock: what is there stays until it is moved. */
async function isUnchanged({ path, bytes }: Segment): Promise<boolean> {
  return (await statExisting(path))?.size === BigInt(bytes);
}

async function copyAll(dataDir: string, segments: readonly ReadSegment[]): Promise<SegmentEntry[]> {
  const entries: SegmentEntry[] = [];
  const days = new Set(segments.map(({ name }) => segmentDay(name)));
  for (const day of days) {
    const folder = join(archivedEventsFolder(dataDir), day);
    await makeFolder(folder);
    await removeLeftovers(folder, unfinishedSegment);
    for (const segment of segments.filter(({ name }) => segmentDay(name) === day)) {
      const entry = await copySegment(segment, folder, day);
      if (entry) entries.push(entry);
    }
    await syncFolder(folder);
  }
  return entries;
}

/** @returns null when an earlier version has archived it, as it is */
async function copySegment(
  segment: ReadSegment,
  folder: string,
  day: string,
): Promise<SegmentEntry | null> {
  const wanted = compressedName(segment.name);
  const copy = await compressSegment(segment.path, join(folder, wanted));
  if (await holds(join(folder, segment.name), copy)) {
    await unlink(copy.temporary);
    return null;
  }
  const isFree = (await holds(join(folder, wanted), copy)) ?? true;
  const name = isFree ? wanted : otherName(wanted);
  await rename(copy.temporary, join(folder, name));
  return {
    version: 1,
    kind: 'segment',
    name,
    day,
    events: segment.keys.length / keyBytes,
    ...copy.plain,
    file_bytes: copy.file.bytes,
    file_sha256: copy.file.sha256,
  };
}

/**
 * Whether the archive has the same events under this name, as after a kill, and not others, as after somebody
 * restored an older copy; null when it has nothing there.
 */
async function holds(path: string, copy: CompressedSegment): Promise<boolean | null> {
  try {
    return (await measureSegment(path)).plain.sha256 === copy.plain.sha256;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    // whatever stands there is no copy of this one
    if (isDamage(error)) return false;
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
