import { randomBytes } from 'node:crypto';
import { stampOf } from './stamp.ts';

/** Being appended to by a receiver, or left behind by one that was killed. */
export const openSuffix = '.open';
/** Whole, and never written again. */
export const sealedSuffix = '.ndjson';

const namePattern = /^(\d{4})(\d\d)(\d\d)T\d{6}\.\d{3}Z-\d+-[0-9a-f]+-\d+\.(open|ndjson)$/;

/** Names segments of one writer so that they sort by time, and no other writer ever has the same. */
export class SegmentNames {
  readonly #writer = createWriterId();
  #lastSeq = 0;

  /** @returns a name without a suffix @throws SpoolUnavailableError when the clock is far off */
  next(now: Date): string {
    const stamp = stampOf(now).replace(/[-:]/g, '');
    this.#lastSeq += 1;
    return `${stamp}-${this.#writer}-${String(this.#lastSeq).padStart(6, '0')}`;
  }
}

export function isSegmentName(fileName: string): boolean {
  return namePattern.test(fileName);
}

export function isSealedName(fileName: string): boolean {
  return fileName.endsWith(sealedSuffix);
}

/** What a segment is called once it is sealed. */
export function sealedNameOf(fileName: string): string {
  return isSealedName(fileName) ? fileName : fileName.replace(/\.open$/, sealedSuffix);
}

/** A segment's name with the same stamp that no other segment has. */
export function otherName(fileName: string): string {
  return fileName.replace(/-\d+-[0-9a-f]+-/, `-${createWriterId()}-`);
}

/** The UTC day of a segment's stamp, for example `2026-11-21`. */
export function segmentDay(fileName: string): string {
  return fileName.replace(/^(\d{4})(\d\d)(\d\d)T.*$/, '$1-$2-$3');
}

function createWriterId(): string {
  return `${process.pid}-${randomBytes(4).toString('hex')}`;
}
