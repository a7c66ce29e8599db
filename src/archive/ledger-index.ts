import type { LedgerEntry, PartEntry, PrunedEntry, SegmentEntry } from './ledger-line.ts';

/** What a ledger says of each thing, by name: of several entries about one thing the last one holds. */
export interface LedgerIndex {
  readonly parts: ReadonlyMap<string, PartEntry>;
  readonly segments: ReadonlyMap<string, SegmentEntry>;
  /** The responses of a part whose bodies were given up. */
  readonly pruned: ReadonlyMap<string, ReadonlySet<number>>;
}

export function indexLedger(entries: readonly LedgerEntry[]): LedgerIndex {
  const parts = new Map<string, PartEntry>();
  const segments = new Map<string, SegmentEntry>();
  const pruned = new Map<string, Set<number>>();
  for (const entry of entries) {
    if (entry.kind === 'part') parts.set(partPlace(entry), entry);
    else if (entry.kind === 'segment') segments.set(segmentPlace(entry), entry);
    else if (entry.kind === 'pruned') addPruned(pruned, entry);
  }
  return { parts, segments, pruned };
}

/** The folder of a part below that of the archive. */
export function partPlace({
  workspace,
  day,
  run_id,
}: Pick<PartEntry, 'workspace' | 'day' | 'run_id'>): string {
  return `${workspace}/${day}/${run_id}`;
}

/** The file of a segment below the folder of archived events. */
function segmentPlace({ day, name }: Pick<SegmentEntry, 'day' | 'name'>): string {
  return `${day}/${name}`;
}

/** Runs have one part for each workspace. */
export function partKey({ workspace, run_id }: Pick<PrunedEntry, 'workspace' | 'run_id'>): string {
  return `${workspace}/${run_id}`;
}

function addPruned(pruned: Map<string, Set<number>>, entry: PrunedEntry): void {
  const key = partKey(entry);
  const seqs = pruned.get(key) ?? new Set();
  for (const seq of entry.seqs) seqs.add(seq);
  pruned.set(key, seqs);
}
