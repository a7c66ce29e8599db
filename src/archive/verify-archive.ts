import { basename } from 'node:path';
import { InterruptedError } from '../core/errors.ts';
import type { Progress } from '../core/progress.ts';
import { statExisting } from '../inbox/spool/existing.ts';
import { KeyIndex, keyBytes } from '../inbox/spool/key-index.ts';
import { readArchiveTree } from './archive-tree.ts';
import { unfinishedSegment } from './compress-segment.ts';
import { finding, foreign, isNote, mendable, note, sealCommand, type Finding } from './finding.ts';
import { isCutOff, readKnownArchive, type KnownArchive } from './known-archive.ts';
import { ledgerPath, unfinishedLedger } from './layout.ts';
import { verifyPart, type PartCheck } from './verify-part.ts';
import { verifySegment, type SegmentCheck } from './verify-segment.ts';

export interface VerifyOptions {
  readonly dataDir: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What was found in the archive. */
export interface Verification {
  /** By place below the folder of the archive. */
  readonly parts: Map<string, PartCheck>;
  /** By place below the folder of archived events. */
  readonly segments: Map<string, SegmentCheck>;
  /** Of all events that can be read. */
  readonly keys: KeyIndex;
  /** Of the ledger, and of what is neither. */
  others: readonly Finding[];
}

/** What to look at. */
export interface Places {
  readonly parts: readonly string[];
  readonly segments: readonly string[];
}

/**
 * Reads all of the archive and holds it against its ledger. Takes no lock: what a load or a prune changes meanwhile
 * is looked at again, with a ledger read anew, before anything is said of it.
 * @throws InterruptedError
 */
export async function verifyArchive(options: VerifyOptions): Promise<Verification> {
  const found: Verification = {
    parts: new Map(),
    segments: new Map(),
    keys: new KeyIndex(),
    others: [],
  };
  await walk(options, found);
  const suspects = suspectsOf(found);
  const isSuspect = suspects.parts.length + suspects.segments.length + found.others.length > 0;
  if (isSuspect) await lookAgain(options, found, suspects);
  return found;
}

/** Brings what was found up to how these places, and the ledger, are now. */
export async function lookAgain(
  options: VerifyOptions,
  found: Verification,
  places: Places,
): Promise<void> {
  const known = await readKnownArchive(options.dataDir);
  for (const place of places.parts) await lookAtPart(options, found, place, known);
  for (const place of places.segments) await lookAtSegment(options, found, place, known);
  found.others = await findOthers(options.dataDir, found, known);
}

/** All findings by path, notes last. */
export function findingsOf({ parts, segments, others }: Verification): Finding[] {
  const checks = [...parts.values(), ...segments.values()];
  const findings = [...others, ...checks.flatMap((check) => check.findings)];
  return findings.sort(
    (a, b) => Number(isNote(a)) - Number(isNote(b)) || (a.path < b.path ? -1 : 1),
  );
}

async function walk(options: VerifyOptions, found: Verification): Promise<void> {
  const { dataDir, progress } = options;
  const known = await readKnownArchive(dataDir);
  const tree = await readArchiveTree(dataDir);
  const files = [...tree.parts.values()].reduce((sum, count) => sum + count, 0);
  const task = progress.task('archive', files + tree.segments.size, 'files');
  for (const place of new Set([...tree.parts.keys(), ...known.parts.keys()])) {
    await lookAtPart(options, found, place, known);
    task.advance(tree.parts.get(place) ?? 0);
  }
  for (const place of new Set([...tree.segments, ...known.segments.keys()])) {
    await lookAtSegment(options, found, place, known);
    task.advance(tree.segments.has(place) ? 1 : 0);
  }
  task.finish();
  found.others = await findOthers(dataDir, found, known);
}

function suspectsOf(found: Verification): Places {
  const suspects = (checks: ReadonlyMap<string, { readonly findings: readonly Finding[] }>) =>
    [...checks].filter(([, { findings }]) => findings.length > 0).map(([place]) => place);
  return { parts: suspects(found.parts), segments: suspects(found.segments) };
}

async function lookAtPart(
  { dataDir, signal }: VerifyOptions,
  found: Verification,
  place: string,
  known: KnownArchive,
): Promise<void> {
  stopIfAsked(signal);
  found.parts.set(place, await verifyPart(dataDir, place, known));
}

async function lookAtSegment(
  { dataDir, signal }: VerifyOptions,
  found: Verification,
  place: string,
  known: KnownArchive,
): Promise<void> {
  stopIfAsked(signal);
  const { keys, ...check } = await verifySegment(dataDir, place, known);
  for (let at = 0; at < keys.length; at += keyBytes) found.keys.addBytes(keys, at);
  found.segments.set(place, check);
}

async function findOthers(
  dataDir: string,
  found: Verification,
  known: KnownArchive,
): Promise<Finding[]> {
  const findings = findInLedger(ledgerPath(dataDir), found, known);
  for (const path of (await readArchiveTree(dataDir)).strays) {
    // a load may have done with it by now
    if ((await statExisting(path)) !== null) findings.push(strayFinding(path));
  }
  return findings;
}

function findInLedger(path: string, found: Verification, known: KnownArchive): Finding[] {
  if (!known.isThere) return isLedgerLost(found) ? [lostLedger(path)] : [];
  return known.damages.map((damage) => {
    if (isCutOff(damage)) return leftover(path, `line ${damage.line} was not written to its end`);
    const problem = `line ${damage.line} is not what was written: ${damage.reason}`;
    return mendable('damaged', path, problem, `${sealCommand} writes the ledger anew`);
  });
}

/** Earlier versions kept none, listed no contents, and compressed no segments. */
function isLedgerLost({ parts, segments }: Verification): boolean {
  const hasList = [...parts.values()].some(({ hasContents }) => hasContents);
  return hasList || [...segments.keys()].some((place) => place.endsWith('.gz'));
}

function lostLedger(path: string): Finding {
  const problem = 'the ledger is gone: what else is gone cannot be told';
  return mendable('missing', path, problem, `${sealCommand} makes it anew from what is there`);
}

function strayFinding(path: string): Finding {
  const name = basename(path);
  if (unfinishedSegment.test(name)) return leftover(path, 'it was not written to its end');
  if (unfinishedLedger.test(name)) {
    return finding('note', path, 'it was not written to its end', 'remove it');
  }
  return foreign(path, 'nothing of the archive is called so');
}

function leftover(path: string, problem: string): Finding {
  return note(path, `${problem}: a load was killed`, 'the next load ends it');
}

function stopIfAsked(signal: AbortSignal): void {
  if (signal.aborted) throw new InterruptedError('stopped while the archive was read');
}
