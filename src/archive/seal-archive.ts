import { basename, dirname, join } from 'node:path';
import { statExisting } from '../inbox/spool/existing.ts';
import { archivedEventsFolder } from '../inbox/spool/layout.ts';
import { readPart } from '../landing/landed-part.ts';
import { archiveFolder } from '../landing/layout.ts';
import { appendToLedger } from './archive-ledger.ts';
import { measureSegment } from './compress-segment.ts';
import { isSealable } from './finding.ts';
import { readKnownArchive, type KnownArchive } from './known-archive.ts';
import { partKey } from './ledger-index.ts';
import type { LedgerEntry, SegmentEntry } from './ledger-line.ts';
import { renewLedger } from './renew-ledger.ts';
import { sealPart } from './seal-part.ts';
import type { Places, Verification } from './verify-archive.ts';
import { verifyPart } from './verify-part.ts';
import { verifySegment } from './verify-segment.ts';

/** Entries that are written to the ledger at once. */
const batchSize = 100;

/**
 * Gives what is not sealed, and proved good, its list of contents and its entry in the ledger, after lines of the
 * ledger that are damaged were set aside. Each is proved again before: others may have changed it. Killed anywhere,
 * the next sealing completes it. The caller holds the warehouse's lock.
 * @returns what was sealed
 */
export async function sealArchive(dataDir: string, found: Verification): Promise<Places> {
  await renewLedger(dataDir);
  const known = await readKnownArchive(dataDir);
  const sealed = { parts: [] as string[], segments: [] as string[] };
  let entries: LedgerEntry[] = [];
  const enter = async (more: readonly LedgerEntry[], isLast = false) => {
    entries.push(...more);
    if (entries.length < batchSize && !isLast) return;
    await appendToLedger(dataDir, entries);
    entries = [];
  };
  for (const place of unsealed(found.parts)) {
    const more = await provePart(dataDir, place, known);
    if (more.length > 0) sealed.parts.push(place);
    await enter(more);
  }
  for (const place of unsealed(found.segments)) {
    const more = await proveSegment(dataDir, place, known);
    if (more.length > 0) sealed.segments.push(place);
    await enter(more);
  }
  await enter([], true);
  return sealed;
}

function unsealed(checks: Verification['parts'] | Verification['segments']): string[] {
  return [...checks].filter(([, { isSealed }]) => !isSealed).map(([place]) => place);
}

/** @returns its entries; none of a part that is not good */
async function provePart(
  dataDir: string,
  place: string,
  known: KnownArchive,
): Promise<LedgerEntry[]> {
  const { findings, files } = await verifyPart(dataDir, place, known);
  if (files === 0 || !isSealable(findings)) return [];
  const part = await readPart(join(archiveFolder(dataDir), place), []);
  if (part === null) return [];
  const { workspace, run_id } = part.record;
  const told = known.pruned.get(partKey(part.record)) ?? new Set();
  const seqs = part.responses
    .filter(({ pruned, manifest }) => pruned !== null && !told.has(manifest.seq))
    .map(({ manifest }) => manifest.seq);
  const entry = await sealPart(part);
  if (seqs.length === 0) return [entry];
  return [{ version: 1, kind: 'pruned', workspace, run_id, seqs }, entry];
}

async function proveSegment(
  dataDir: string,
  place: string,
  known: KnownArchive,
): Promise<SegmentEntry[]> {
  const { findings, events } = await verifySegment(dataDir, place, known);
  const path = join(archivedEventsFolder(dataDir), place);
  if (!isSealable(findings) || (await statExisting(path)) === null) return [];
  const { plain, file } = await measureSegment(path);
  return [
    {
      version: 1,
      kind: 'segment',
      name: basename(place),
      day: dirname(place),
      events,
      ...plain,
      file_bytes: file.bytes,
      file_sha256: file.sha256,
    },
  ];
}
