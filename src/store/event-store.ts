import { randomUUID } from 'node:crypto';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../core/atomic-file.ts';
import { makeFolder } from '../core/atomic-file.ts';
import { hasErrorCode, PostledgerError } from '../core/errors.ts';
import { canonicalHash } from '../core/json.ts';
import { problemText } from '../core/machine-problem.ts';
import { DamagedFileError, readStoredFile } from './stored-file.ts';

/** An event as it is on disk. */
export interface StoredEvent {
  readonly key: string;
  /** ISO 8601 in UTC, to the millisecond. */
  readonly receivedAt: string;
  readonly via: 'http' | 'ingest';
  /** The JSON as it was sent, with all digits of its numbers. */
  readonly bodyText: string;
  readonly body: unknown;
}

interface NewEvent {
  readonly key: string;
  readonly bodyText: string;
  readonly receivedAt: Date;
  readonly via: 'http' | 'ingest';
}

/** The disk did not take an event. Nothing of it counts as stored. */
export class EventNotStoredError extends PostledgerError {
  readonly code = 'EVENT_NOT_STORED';
  readonly recovery = 'retry';
}

/**
 * The idempotency key of an event: the SHA-256, in lower-case hex, of its canonical JSON (RFC 8785). Numbers
 * count as the doubles that `JSON.parse` makes of them.
 * @throws Error for a number beyond the range of a double, which has no canonical form
 */
export function eventKey(body: unknown): string {
  return canonicalHash(body);
}

export function eventsFolder(dataDir: string): string {
  return join(dataDir, 'raw', '_events');
}

function eventPath(dataDir: string, key: string): string {
  return join(eventsFolder(dataDir), key.slice(0, 2), `${key}.json`);
}

/**
 * Writes an event to a file named by its key, unless it is there. Both answers are given only once the
 * event is on disk: file and folder are synced. Any number of processes may store at the same time.
 * @throws EventNotStoredError
 */
export async function storeEvent(
  dataDir: string,
  event: NewEvent,
): Promise<'stored' | 'duplicate'> {
  return storeFile(dataDir, event.key, Buffer.from(fileText(event)));
}

/**
 * Stores an event's file that comes from another machine.
 * @throws DamagedFileError when it does not hold the event of this key
 * @throws EventNotStoredError
 */
export async function storeEventFile(dataDir: string, key: string, file: Buffer): Promise<void> {
  parseEvent(eventPath(dataDir, key), file, key);
  await storeFile(dataDir, key, file);
}

/** @throws DamagedFileError when it cannot be read */
export function readEventFile(dataDir: string, key: string): Promise<Buffer> {
  return readStoredFile(eventPath(dataDir, key));
}

async function storeFile(
  dataDir: string,
  key: string,
  file: Buffer,
): Promise<'stored' | 'duplicate'> {
  const path = eventPath(dataDir, key);
  const folder = dirname(path);
  try {
    await makeDurableFolder(dataDir, folder);
    const isNew = (await linkFile(path, file)) || (await replaceDamaged(path, file, key));
    await syncFolder(folder);
    return isNew ? 'stored' : 'duplicate';
  } catch (cause) {
    // one of them may have been removed, and has to be made again by the next event
    durableFolders.clear();
    throw new EventNotStoredError(
      `the event could not be written to ${folder}: ${problemText(cause)}`,
      { cause },
    );
  }
}

/** Folders whose own entries this process has put on disk. */
const durableFolders = new Map<string, Promise<void>>();

function makeDurableFolder(dataDir: string, folder: string): Promise<void> {
  let made = durableFolders.get(folder);
  if (!made) {
    made = makeAndSync(dataDir, folder);
    durableFolders.set(folder, made);
  }
  return made;
}

/** Syncs also what was there: another process may have made it a moment ago. */
async function makeAndSync(dataDir: string, folder: string): Promise<void> {
  if (folder.length > dataDir.length) await makeDurableFolder(dataDir, dirname(folder));
  await makeFolder(folder);
  await syncFolder(dirname(folder));
}

/** A file of the name appears whole or not at all. @returns false when there was one */
async function linkFile(path: string, file: Buffer): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeSynced(temporary, file);
    await link(temporary, path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** An event whose file is damaged is stored again when it comes again. @returns false when the file is sound */
async function replaceDamaged(path: string, file: Buffer, key: string): Promise<boolean> {
  try {
    parseEvent(path, await readStoredFile(path), key);
    return false;
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
  }
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeSynced(temporary, file);
    await rename(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeSynced(path: string, data: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const { bytesWritten } = await handle.write(data);
    // a disk that becomes full takes a part without an error
    if (bytesWritten < data.length) {
      throw new Error(`the disk took ${bytesWritten} of ${data.length} bytes`);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function fileText({ key, receivedAt, via, bodyText }: NewEvent): string {
  const time = receivedAt.toISOString();
  return `{"event_key":"${key}","received_at":"${time}","via":"${via}","body":${bodyText}}\n`;
}

/** Keys of all events on disk, sorted; names that are no event's are ignored. */
export async function listEventKeys(dataDir: string): Promise<string[]> {
  const folder = eventsFolder(dataDir);
  const prefixes = (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const keys: string[] = [];
  for (const prefix of prefixes.sort()) {
    const names = await namesIn(join(folder, prefix));
    const found = names.flatMap((name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []);
    keys.push(...found.filter((key) => key.startsWith(prefix)).sort());
  }
  return keys;
}

/** None where there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

const fileForm =
  /^\{"event_key":"(?<key>[0-9a-f]{64})","received_at":"(?<receivedAt>[^"]+)","via":"(?<via>http|ingest)","body":(?<bodyText>[^]*)\}\n$/;

/** @throws DamagedFileError when its file cannot be read, or does not hold what its name says */
export async function readEvent(dataDir: string, key: string): Promise<StoredEvent> {
  return parseEvent(eventPath(dataDir, key), await readEventFile(dataDir, key), key);
}

function parseEvent(path: string, file: Buffer, key: string): StoredEvent {
  const { groups } = fileForm.exec(file.toString('utf8')) ?? {};
  if (!groups) throw new DamagedFileError(path, 'is no file of an event');
  const { receivedAt = '', via, bodyText = '' } = groups;
  const body = parseBody(path, bodyText);
  if (groups['key'] !== key || keyOf(path, body) !== key) {
    throw new DamagedFileError(path, 'has an event of another key');
  }
  return { key, receivedAt, via: via === 'ingest' ? 'ingest' : 'http', bodyText, body };
}

function parseBody(path: string, bodyText: string): unknown {
  try {
    return JSON.parse(bodyText);
  } catch (cause) {
    throw new DamagedFileError(path, 'has a body that is no JSON', { cause });
  }
}

function keyOf(path: string, body: unknown): string {
  try {
    return eventKey(body);
  } catch (cause) {
    throw new DamagedFileError(path, 'has a body without a canonical form', { cause });
  }
}
