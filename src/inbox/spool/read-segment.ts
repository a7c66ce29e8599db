import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrorCode, isSystemError } from '../../core/errors.ts';
import { decompressSegment } from './decompress-segment.ts';
import { headOfLine, readLine, splitLines, type LineHead } from './record-line.ts';
import { isCompressedName, sealedNameOf } from './segment-name.ts';
import type { Segment, SpooledEvent } from './segment.ts';
import { SegmentUnreadableError } from './spool-errors.ts';

/** A line of a segment that holds no event, or not the one that was written. */
export interface DamagedLine {
  readonly segment: string;
  /** From 1. */
  readonly line: number;
  /** What stands there; bytes that are no UTF-8 are U+FFFD. */
  readonly text: string;
  readonly reason: string;
}

export interface SegmentContent {
  /** In the order in which they were written. */
  readonly events: readonly SpooledEvent[];
  readonly damages: readonly DamagedLine[];
  /** How much NDJSON was read. */
  readonly bytes: number;
}

/**
 * All whole lines of a segment, each held against its key. What comes after the last line feed belongs to
 * a write that was cut off or is under way: in an open segment it is nothing, in a sealed one damage. So is all
 * that cannot be decompressed.
 * @returns null when the segment was moved to the archive in the meantime
 * @throws SegmentUnreadableError
 */
export async function readSegment(segment: Segment): Promise<SegmentContent | null> {
  const found = await readSegmentFile(segment);
  if (found === null) return null;
  const { data, problem } = found;
  const { lines, tail } = splitLines(data);
  if (segment.isSealed && tail.length > 0) lines.push(tail);
  const events: SpooledEvent[] = [];
  const damages: DamagedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const event = readLine(line);
    if (!('reason' in event)) events.push(event);
    else damages.push({ ...describe(segment, index, line), reason: event.reason });
  }
  if (problem) damages.push({ ...describe(segment, lines.length, ''), reason: problem });
  return { events, damages, bytes: data.length };
}

/**
 * The heads of a segment's records, at a tenth of what it costs to read them.
 * @returns null when the segment was moved to the archive in the meantime
 * @throws SegmentUnreadableError
 */
export async function readHeads(segment: Segment): Promise<LineHead[] | null> {
  const found = await readSegmentFile(segment);
  if (found === null) return null;
  return splitLines(found.data)
    .lines.map(headOfLine)
    .filter((head) => head !== null);
}

interface SegmentBytes {
  readonly data: Buffer;
  /** Why there is no more of it. */
  readonly problem: string | null;
}

/** The bytes of a segment, which may have been sealed since it was listed; null when it was moved. */
async function readSegmentFile({ name, path }: Segment): Promise<SegmentBytes | null> {
  try {
    const data = await readFile(path);
    return isCompressedName(name) ? await decompressSegment(data) : { data, problem: null };
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT'))
      throw isSystemError(error) ? new SegmentUnreadableError(path, error) : error;
    const sealedName = sealedNameOf(name);
    if (sealedName === name) return null;
    const sealedPath = join(dirname(path), sealedName);
    return readSegmentFile({ name: sealedName, path: sealedPath, isSealed: true, bytes: 0 });
  }
}

function describe(
  { name }: Segment,
  index: number,
  line: Buffer | string,
): Omit<DamagedLine, 'reason'> {
  return { segment: name, line: index + 1, text: line.toString() };
}
