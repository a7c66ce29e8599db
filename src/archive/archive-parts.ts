import { archivePart, findArchiveConflict } from '../landing/archive.ts';
import type { LandedPart } from '../landing/landed-part.ts';
import type { ArchiveConflictError } from '../landing/landing-errors.ts';
import { appendToLedger } from './archive-ledger.ts';
import { sealPart } from './seal-part.ts';
import type { PartEntry } from './ledger-line.ts';

export interface ArchivedParts {
  readonly archived: number;
  /** Of parts that stay in landing. */
  readonly conflicts: readonly {
    readonly part: LandedPart;
    readonly error: ArchiveConflictError;
  }[];
}

/**
 * Seals loaded parts, enters them in the ledger, and moves them to the archive. Killed anywhere, each part is in
 * one of the two places whole, and archiving it again completes it. The caller holds the warehouse's lock.
 * @throws BusyError when another process holds the ledger's lock for longer than a minute
 */
export async function archiveParts(
  dataDir: string,
  parts: readonly LandedPart[],
): Promise<ArchivedParts> {
  const conflicts: { part: LandedPart; error: ArchiveConflictError }[] = [];
  const sealed: LandedPart[] = [];
  const entries: PartEntry[] = [];
  for (const part of parts) {
    // before the ledger tells of it: what it tells holds for the part that the archive has under this name
    const error = await findArchiveConflict(dataDir, part);
    if (error) conflicts.push({ part, error });
    else {
      entries.push(await sealPart(part));
      sealed.push(part);
    }
  }
  await appendToLedger(dataDir, entries);
  for (const part of sealed) await archivePart(dataDir, part);
  return { archived: sealed.length, conflicts };
}
