import { join } from 'node:path';
import { readNames, statExisting } from './existing.ts';
import { archivedEventsFolder, inboxFolder } from './layout.ts';
import { isArchivedName, isSealedName, isSegmentName, sealedNameOf } from './segment-name.ts';

/** A folder of the archive. */
const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** An event as the inbox keeps it. */
export interface SpooledEvent {
  /** SHA-256 of its canonical JSON, lower-case hex. */
  readonly eventKey: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  readonly via: 'http' | 'ingest';
  /** Its JSON on one line, numbers and escapes to the letter. */
  readonly payload: string;
}

/** A file of events, one a line. */
export interface Segment {
  readonly name: string;
  readonly path: string;
  /** One that is not sealed may grow at any moment, and its last line may be half written. */
  readonly isSealed: boolean;
  /** Of the file. */
  readonly bytes: number;
}

/** The segments that lie in the inbox now, by name; none when there is no inbox. */
export async function listSegments(dataDir: string): Promise<Segment[]> {
  return listFolder(inboxFolder(dataDir), isSegmentName);
}

/** The segments in the archive, by name: compressed ones, and those of earlier versions, which are not. */
export async function listArchivedSegments(dataDir: string): Promise<Segment[]> {
  const root = archivedEventsFolder(dataDir);
  const segments: Segment[] = [];
  const days = (await readNames(root)).filter((name) => dayPattern.test(name));
  for (const day of days) {
    segments.push(...(await listFolder(join(root, day), isArchivedName)));
  }
  return segments.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function listFolder(
  folder: string,
  isName: (fileName: string) => boolean,
): Promise<Segment[]> {
  const names = (await readNames(folder)).filter(isName);
  const found = new Map<string, Segment>();
  for (const name of names) {
    const segment = await describeSegment(folder, name);
    if (segment) found.set(segment.name, segment);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Null when it was moved since the folder was read; one that was sealed has another name by now. */
async function describeSegment(folder: string, name: string): Promise<Segment | null> {
  const path = join(folder, name);
  const found = await statExisting(path);
  if (found) return { name, path, isSealed: isSealedName(name), bytes: Number(found.size) };
  return isSealedName(name) ? null : describeSegment(folder, sealedNameOf(name));
}
