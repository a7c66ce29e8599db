import { randomBytes } from 'node:crypto';
import { stampOf } from './stamp.ts';

/** Being appended to by a receiver, or left behind by one that was killed. */
export const openSuffix = '.open';
/** Whole, and never written again. */
export const sealedSuffix = '.ndjson';
/** A sealed one in the archive; those that earlier versions archived are not compressed. */
const compressedSuffix = `${sealedSuffix}.gz`;

const stem = String.raw`^\d{8}T\d{6}\.\d{3}Z-\d+-[0-9a-f]+-\d+`;
const inboxPattern = new RegExp(`${stem}\\.(open|ndjson)$`);
const archivePattern = new RegExp(`${stem}\\.ndjson(\\.gz)?$`);

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

/** Of a segment in the inbox. */
export function isSegmentName(fileName: string): boolean {
  return inboxPattern.test(fileName);
}

/** Of a segment in the archive. */
export function isArchivedName(fileName: string): boolean {
  return archivePattern.test(fileName);
}

export function isSealedName(fileName: string): boolean {
  return fileName.endsWith(sealedSuffix) || isCompressedName(fileName);
}

export function isCompressedName(fileName: string): boolean {
  return fileName.endsWith(compressedSuffix);
}

/** What a sealed segment of the inbox is called in the archive. */
export function compressedName(fileName: string): string {
  return fileName.slice(0, -sealedSuffix.length) + compressedSuffix;
}

/** What a segment of the archive was called in the inbox. */
export function plainName(fileName: string): string {
  return isCompressedName(fileName) ? fileName.slice(0, -'.gz'.length) : fileName;
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
