import { basename, join } from 'node:path';
import { statExisting } from '../inbox/spool/existing.ts';
import { keysOf } from '../inbox/spool/key-file.ts';
import { archivedEventsFolder, inboxFolder } from '../inbox/spool/layout.ts';
import { readSegment, type SegmentContent } from '../inbox/spool/read-segment.ts';
import { isCompressedName, plainName } from '../inbox/spool/segment-name.ts';
import { SegmentUnreadableError } from '../inbox/spool/spool-errors.ts';
import { quarantineFolder } from '../landing/layout.ts';
import { measureFile } from './compress-segment.ts';
import { finding, note, unlisted, unreadable, type Finding } from './finding.ts';
import type { KnownArchive } from './known-archive.ts';
import type { SegmentEntry } from './ledger-line.ts';

/** How one archived segment stands. */
export interface SegmentCheck {
  readonly findings: readonly Finding[];
  /** The ledger tells of it. */
  readonly isSealed: boolean;
  readonly events: number;
}

export interface ReadCheck extends SegmentCheck {
  /** Those of the events that can be read, one after another. */
  readonly keys: Buffer;
}

interface SegmentFile {
  readonly dataDir: string;
  readonly path: string;
  readonly content: SegmentContent;
}

const noKeys = Buffer.alloc(0);

/**
 * Holds one archived segment against the ledger, and each of its events against its key.
 * @param place below the folder of archived events
 */
export async function verifySegment(
  dataDir: string,
  place: string,
  known: KnownArchive,
): Promise<ReadCheck> {
  const path = join(archivedEventsFolder(dataDir), place);
  const entry = known.segments.get(place);
  const isSealed = entry !== undefined;
  const content = await readContent(path);
  if (content === null) {
    const gone = finding('missing', path, 'the segment was archived and is gone');
    return { findings: entry ? [gone] : [], isSealed, events: 0, keys: noKeys };
  }
  if ('problem' in content) return { findings: [content], isSealed, events: 0, keys: noKeys };
  const file = { dataDir, path, content };
  const changed = entry ? await compareFile(file, entry) : [];
  const findings = changed.length > 0 ? changed : await checkContent(file, known, entry);
  return { findings, isSealed, events: content.events.length, keys: keysOf(content.events) };
}

async function readContent(path: string): Promise<SegmentContent | Finding | null> {
  try {
    return await readSegment({ name: basename(path), path, isSealed: true, bytes: 0 });
  } catch (error) {
    if (error instanceof SegmentUnreadableError) return unreadable(path, error.cause);
    throw error;
  }
}

async function compareFile({ path, content }: SegmentFile, entry: SegmentEntry) {
  const { bytes, sha256 } = await measureFile(path);
  if (sha256 === entry.file_sha256) return [];
  const change =
    bytes === entry.file_bytes
      ? `its ${bytes} bytes are others`
      : `${bytes} bytes instead of ${entry.file_bytes}`;
  const problem = `it is not what was archived: ${change}; ${content.events.length} of its ${entry.events} events can be read`;
  return [finding('damaged', path, problem)];
}

async function checkContent(
  file: SegmentFile,
  known: KnownArchive,
  entry: SegmentEntry | undefined,
): Promise<Finding[]> {
  return [
    ...(await checkLines(file, entry)),
    ...(await checkInbox(file)),
    ...(entry ? [] : await checkListing(file, known)),
  ];
}

/** Lines that were damaged when they came were set aside by the load that found them. */
async function checkLines(
  { dataDir, path, content }: SegmentFile,
  entry: SegmentEntry | undefined,
): Promise<Finding[]> {
  const [first] = content.damages;
  if (first === undefined && content.events.length === (entry?.events ?? content.events.length)) {
    return [];
  }
  const aside = join(quarantineFolder(dataDir), '_events', plainName(basename(path)));
  const isAside = (await statExisting(aside)) !== null;
  const isAsArchived = entry ? entry.events === content.events.length : isAside;
  const lines = content.damages.map(({ line }) => line).join(', ');
  const problem = first
    ? `no event can be read from line ${lines} (${first.reason})`
    : `it has ${content.events.length} events instead of ${entry?.events ?? 0}`;
  if (!isAsArchived) return [finding('damaged', path, problem)];
  const remedy = isAside ? `what stood there is in ${aside}` : 'its other events are whole';
  return [note(path, `${problem}, since before it was archived`, remedy)];
}

async function checkInbox({ dataDir, path }: SegmentFile): Promise<Finding[]> {
  if (!(await isInInbox(dataDir, path))) return [];
  return [note(path, 'it is in the inbox as well: a load was killed', 'the next load ends it')];
}

/** Compressed ones are in the ledger before they leave the inbox; earlier versions knew neither. */
async function checkListing(
  { dataDir, path }: SegmentFile,
  known: KnownArchive,
): Promise<Finding[]> {
  if (!isCompressedName(path) || !known.isIntact || (await isInInbox(dataDir, path))) return [];
  return [unlisted(path, 'the ledger does not tell of it')];
}

async function isInInbox(dataDir: string, path: string): Promise<boolean> {
  return (await statExisting(join(inboxFolder(dataDir), plainName(basename(path))))) !== null;
}
