import { constants, open, readFile, type FileHandle } from 'node:fs/promises';
import { syncFolder } from '../core/atomic-file.ts';
import { systemClock } from '../core/clock.ts';
import { makeFolder } from '../core/durable-folder.ts';
import { hasErrorCode } from '../core/errors.ts';
import { acquireLock, type Lock } from '../core/lock.ts';
import { splitLines } from '../inbox/spool/record-line.ts';
import { writeAll } from '../inbox/spool/write-all.ts';
import { archiveFolder } from '../landing/layout.ts';
import { archiveLockPath, ledgerPath } from './layout.ts';
import { ledgerLine, readLedgerLine, type LedgerEntry } from './ledger-line.ts';

/** A line of the ledger that is not what was written. */
export interface LedgerDamage {
  /** From 1. */
  readonly line: number;
  /** What stands there; bytes that are no UTF-8 are U+FFFD. */
  readonly text: string;
  readonly reason: string;
  /** It is the last one, without its line feed: somebody is writing it, or was killed while writing. */
  readonly isTorn: boolean;
}

export interface Ledger {
  /** False where there is no such file, as in archives of earlier versions. */
  readonly isThere: boolean;
  /** In the order in which they were written; of several about one thing the last one holds. */
  readonly entries: readonly LedgerEntry[];
  readonly damages: readonly LedgerDamage[];
}

/** Longer than anything that is done under the ledger's lock takes. */
const lockWaitMs = 60_000;
const lineFeed = Buffer.from('\n');
const tailBytes = 1 << 16;

/**
 * Appends to the ledger for good: once this resolves, the entries survive a kill and a power cut. What a
 * killed process left of a line is cut off first; a line that lacks nothing but its line feed is given one. After an error a part of the entries may be there.
 * @throws BusyError when another process holds the ledger's lock for longer than a minute
 */
export async function appendToLedger(
  dataDir: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const lines = Buffer.from(entries.map(ledgerLine).join(''));
  const lock = await lockLedger(dataDir);
  try {
    await appendLines(dataDir, lines);
  } finally {
    await lock.release();
  }
}

/** All that the ledger says. Takes no lock: what others append meanwhile may be in it or not. */
export async function readLedger(dataDir: string): Promise<Ledger> {
  const data = await readExisting(ledgerPath(dataDir));
  if (data === null) return { isThere: false, entries: [], damages: [] };
  const { lines, tail } = splitLines(data);
  const entries: LedgerEntry[] = [];
  const damages: LedgerDamage[] = [];
  for (const [index, bytes] of lines.entries()) {
    const text = bytes.toString('utf8');
    const found = readLedgerLine(text);
    if ('reason' in found) damages.push({ line: index + 1, text, ...found, isTorn: false });
    else entries.push(found);
  }
  if (tail.length > 0) {
    const found = readTail(tail);
    if ('reason' in found) damages.push({ line: lines.length + 1, ...found, isTorn: true });
    else entries.push(found);
  }
  return { isThere: true, entries, damages };
}

export function lockLedger(dataDir: string): Promise<Lock> {
  return acquireLock(archiveLockPath(dataDir), {
    purpose: 'writing what the archive holds',
    waitMs: lockWaitMs,
    remedy: 'try again when it is done',
    clock: systemClock,
  });
}

async function appendLines(dataDir: string, lines: Buffer): Promise<void> {
  await makeFolder(archiveFolder(dataDir));
  const handle = await open(ledgerPath(dataDir), constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const end = await endOfLines(handle);
    const tail = await readFrom(handle, end);
    if (tail.length === 0 || 'reason' in readTail(tail)) {
      await handle.truncate(end);
      await writeAll(handle, lines, end);
    } else await writeAll(handle, Buffer.concat([lineFeed, lines]), end + tail.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(archiveFolder(dataDir));
}

/** Where the last whole line ends. */
async function endOfLines(handle: FileHandle): Promise<number> {
  const buffer = Buffer.allocUnsafe(tailBytes);
  for (let end = (await handle.stat()).size; end > 0; ) {
    const start = Math.max(0, end - tailBytes);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(lineFeed);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}

async function readFrom(handle: FileHandle, start: number): Promise<Buffer> {
  const buffer = Buffer.alloc((await handle.stat()).size - start);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
  return buffer.subarray(0, bytesRead);
}

/** What stands after the last line feed: an entry when only that one is missing, or why it is none. */
function readTail(tail: Buffer): LedgerEntry | Pick<LedgerDamage, 'text' | 'reason'> {
  const text = tail.toString('utf8');
  const found = readLedgerLine(text);
  return 'reason' in found ? { text, reason: 'it has no end' } : found;
}

async function readExisting(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
