import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  linkFile,
  makeFolder,
  placeFile,
  syncFolder,
  writeFileAtomic,
} from '../core/atomic-file.ts';
import { hasErrorCode, PostledgerError } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { canonicalHash } from '../core/json.ts';
import { problemText } from '../core/machine-problem.ts';
import { DamagedFileError, readStoredFile } from './stored-file.ts';

export interface StoredEvent {
  readonly key: string;
  /** A time in ISO 8601 and UTC, to the millisecond. */
  readonly receivedAt: string;
  readonly via: 'http' | 'ingest';
  /** The unchanged JSON text, with all digits of its numbers. */
  readonly bodyText: string;
  readonly body: unknown;
  /** True if somebody was erased from it, so that its key is the hash of what it was before. */
  readonly isErased?: boolean;
}

interface NewEvent {
  readonly key: string;
  readonly bodyText: string;
  readonly receivedAt: Date;
  readonly via: 'http' | 'ingest';
}

/** An event could not be written to disk. Nothing of it counts as stored. */
export class EventNotStoredError extends PostledgerError {
  readonly code = 'EVENT_NOT_STORED';
  readonly recovery = 'retry';
}

/**
 * Returns the idempotency key of an event: the SHA-256, in lower-case hex, of its canonical JSON (RFC 8785).
 * Numbers count as the doubles that `JSON.parse` returns.
 * @throws Error for a number beyond the range of a double, which has no canonical form
 */
export function eventKey(body: unknown): string {
  return canonicalHash(body);
}

export function eventsFolder(dataDir: string): string {
  return join(dataDir, 'raw', '_events');
}

export function eventPath(dataDir: string, key: string): string {
  return join(eventsFolder(dataDir), key.slice(0, 2), `${key}.json`);
}

/**
 * Writes an event to a file named by its key, unless that exists. It returns only once the event is on disk, with file
 * and folder synced. Any number of processes may store events at the same time.
 * @throws EventNotStoredError
 */
export async function storeEvent(
  dataDir: string,
  event: NewEvent,
): Promise<'stored' | 'duplicate'> {
  return storeFile(dataDir, event.key, Buffer.from(fileText(event)));
}

/** Writes an event, or what is left of it once someone was erased, in the place of its file. */
export async function replaceEvent(dataDir: string, event: NewEvent): Promise<void> {
  await writeFileAtomic(eventPath(dataDir, event.key), fileText(event));
}

/**
 * Stores the file of an event that comes from another machine.
 * @throws DamagedFileError if the file does not hold the event of this key
 * @throws EventNotStoredError
 */
export async function storeEventFile(dataDir: string, key: string, file: Buffer): Promise<void> {
  parseEvent(eventPath(dataDir, key), file, key);
  await storeFile(dataDir, key, file);
}

/** @throws DamagedFileError if the file cannot be read */
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
    if (!existsSync(folder)) await makeFolder(folder);
    const isStored = (await createFile(path, file)) || (await replaceDamaged(path, file, key));
    await syncFolder(folder);
    return isStored ? 'stored' : 'duplicate';
  } catch (cause) {
    throw new EventNotStoredError(
      `the event could not be written to ${folder}: ${problemText(cause)}`,
      { cause },
    );
  }
}

/** Creates a file whole or not at all. @returns false if it exists */
async function createFile(path: string, file: Buffer): Promise<boolean> {
  try {
    await placeFile(path, file, linkFile);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Replaces the event's file if that is damaged. @returns false if it is not */
async function replaceDamaged(path: string, file: Buffer, key: string): Promise<boolean> {
  try {
    parseEvent(path, await readStoredFile(path), key);
    return false;
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    await placeFile(path, file);
    return true;
  }
}

function fileText({ key, receivedAt, via, bodyText }: NewEvent): string {
  const time = receivedAt.toISOString();
  const hash = eventKey(JSON.parse(bodyText));
  const left = hash === key ? '' : `"erased":"${hash}",`;
  return `{"event_key":"${key}","received_at":"${time}","via":"${via}",${left}"body":${bodyText}}\n`;
}

/** Lists the keys of all events on disk, sorted. Other files are ignored. */
export async function listEventKeys(dataDir: string): Promise<string[]> {
  const folder = eventsFolder(dataDir);
  const prefixes = (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const keys: string[] = [];
  for (const prefix of prefixes) {
    const names = await namesIn(join(folder, prefix));
    const found = names.flatMap((name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []);
    keys.push(...found.filter((key) => key.startsWith(prefix)));
  }
  return keys;
}

const fileForm =
  /^\{"event_key":"(?<key>[0-9a-f]{64})","received_at":"(?<receivedAt>[^"]+)","via":"(?<via>http|ingest)",(?:"erased":"(?<left>[0-9a-f]{64})",)?"body":(?<bodyText>[^]*)\}\n$/;

/** @throws DamagedFileError if the file cannot be read, or does not hold the event of this key */
export async function readEvent(dataDir: string, key: string): Promise<StoredEvent> {
  return parseEvent(eventPath(dataDir, key), await readEventFile(dataDir, key), key);
}

function parseEvent(path: string, file: Buffer, key: string): StoredEvent {
  const { groups } = fileForm.exec(file.toString('utf8')) ?? {};
  if (!groups) throw new DamagedFileError(path, 'is not the file of an event');
  const { receivedAt = '', via, bodyText = '', left } = groups;
  const body = parseBody(path, bodyText);
  // what is left once someone was erased has a hash of its own
  if (groups['key'] !== key || keyOf(path, body) !== (left ?? key)) {
    throw new DamagedFileError(path, 'holds an event with a different key');
  }
  return {
    key,
    receivedAt,
    via: via === 'ingest' ? 'ingest' : 'http',
    bodyText,
    body,
    isErased: left !== undefined,
  };
}

function parseBody(path: string, bodyText: string): unknown {
  try {
    return JSON.parse(bodyText);
  } catch (cause) {
    throw new DamagedFileError(path, 'has a body that is not JSON', { cause });
  }
}

function keyOf(path: string, body: unknown): string {
  try {
    return eventKey(body);
  } catch (cause) {
    throw new DamagedFileError(path, 'has a body without a canonical form', { cause });
  }
}
