import { constants, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, writeFileAtomic } from '../../core/atomic-file.ts';
import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/durable-folder.ts';
import { errorMessage, hasErrorCode } from '../../core/errors.ts';
import { acquireLock, type Lock } from '../../core/lock.ts';
import { keyBytes, type KeyIndex } from './key-index.ts';
import { inboxLockPath, keysPath } from './layout.ts';
import { readSegment } from './read-segment.ts';
import { listArchivedSegments, type SpooledEvent } from './segment.ts';
import { KeyFileError } from './spool-errors.ts';
import { writeAll } from './write-all.ts';

/** How far a file of keys was read. */
export interface KeysRead {
  /** Tells the file from one that was made anew, which may get the number of its inode. */
  readonly file: string;
  readonly bytes: number;
}

const readBytes = 1 << 20;
/** What is wrong with the file itself, and not with the folder or the process. */
const ofFile = ['EISDIR', 'EACCES', 'EPERM', 'EIO', 'ELOOP'];

/** How long to wait while another process has the inbox's lock; 0: not at all. */
export interface LockPatience {
  readonly clock: Clock;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds the archive's keys to an index: those that came since `before`, or all. A torn last key is left
 * alone: whoever was appending it has not moved its segment yet.
 * @throws KeyFileError
 */
export async function readKeys(
  dataDir: string,
  index: KeyIndex,
  before: KeysRead | null,
): Promise<KeysRead | null> {
  const path = keysPath(dataDir);
  try {
    return await readFrom(path, index, before);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    if (!ofFile.some((code) => hasErrorCode(error, code))) throw error;
    throw new KeyFileError(path, errorMessage(error), { cause: error });
  }
}

async function readFrom(path: string, index: KeyIndex, before: KeysRead | null): Promise<KeysRead> {
  const handle = await open(path, 'r');
  try {
    const { ino, birthtimeMs, size } = await handle.stat();
    const file = `${ino} ${birthtimeMs}`;
    const isSame = before?.file === file && before.bytes <= size;
    const bytes = size - (size % keyBytes);
    await readRange(handle, isSame ? before.bytes : 0, bytes, index);
    return { file, bytes };
  } finally {
    await handle.close();
  }
}

async function readRange(
  handle: FileHandle,
  start: number,
  end: number,
  index: KeyIndex,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(readBytes, end - start));
  for (let at = start; at < end; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at), at);
    const whole = bytesRead - (bytesRead % keyBytes);
    // somebody cut the file: what is gone had not come to stay
    if (whole === 0) return;
    for (let offset = 0; offset < whole; offset += keyBytes) index.addBytes(buffer, offset);
    at += whole;
  }
}

/** Appends keys for good, after cutting off what a killed process left of one. The caller holds the inbox's lock. */
export async function appendKeys(dataDir: string, keys: Buffer): Promise<void> {
  const path = keysPath(dataDir);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { size } = await handle.stat();
    const whole = size - (size % keyBytes);
    await handle.truncate(whole);
    await writeAll(handle, keys, whole);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(path));
}

/**
 * Makes the file of keys anew from the archive when it is lost. Nothing is done where there is one, or
 * nothing to make it from. A large archive takes minutes to read, so nobody has to wait for that.
 * @throws KeyFileError
 * @throws BusyError when others hold the inbox's lock for longer than `waitMs`
 * @throws InterruptedError when the signal aborts while waiting
 */
export async function restoreKeys(dataDir: string, patience: LockPatience): Promise<void> {
  if (!(await isLost(dataDir))) return;
  const keys = new Map<string, Buffer>();
  await readArchivedKeys(dataDir, keys);
  const lock = await lockInbox(dataDir, patience);
  try {
    if (await isLost(dataDir)) await writeKeys(dataDir, keys);
  } finally {
    await lock.release();
  }
}

/** @param keys of what is in the archive, but for what came since */
async function writeKeys(dataDir: string, keys: Map<string, Buffer>): Promise<void> {
  await readArchivedKeys(dataDir, keys);
  await makeFolder(dirname(keysPath(dataDir)));
  await writeFileAtomic(keysPath(dataDir), Buffer.concat([...keys.values()]));
}

/** Adds the keys of the archived segments that are not there, by path. */
async function readArchivedKeys(dataDir: string, keys: Map<string, Buffer>): Promise<void> {
  for (const segment of await listArchivedSegments(dataDir)) {
    if (keys.has(segment.path)) continue;
    const content = await readSegment(segment);
    if (content) keys.set(segment.path, keysOf(content.events));
  }
}

/**
 * @throws BusyError when others hold it for longer than `waitMs`
 * @throws InterruptedError when the signal aborts while waiting
 */
export function lockInbox(dataDir: string, { clock, waitMs, signal }: LockPatience): Promise<Lock> {
  const purpose = 'moving events to the archive';
  const options = { purpose, waitMs, clock, ...(signal && { signal }) };
  return acquireLock(inboxLockPath(dataDir), options);
}

/** A file without a whole key is what a full disk or a careless copy leaves of one. */
async function isLost(dataDir: string): Promise<boolean> {
  const bytes = await sizeOf(keysPath(dataDir));
  return bytes < keyBytes && (await listArchivedSegments(dataDir)).length > 0;
}

/** @returns 0 for a file that is not there */
async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 0;
    throw error;
  }
  throw new KeyFileError(path, 'it is no file');
}

/** The bytes of events' keys, one after another. */
export function keysOf(events: readonly SpooledEvent[]): Buffer {
  return Buffer.from(events.map((event) => event.eventKey).join(''), 'hex');
}
