import { readLedger } from '../../archive/archive-ledger.ts';
import type { LedgerEntry, SlugsEntry } from '../../archive/ledger-line.ts';
import { readSegment } from '../../inbox/spool/read-segment.ts';
import { plainName, sealedNameOf } from '../../inbox/spool/segment-name.ts';
import type { Segment } from '../../inbox/spool/segment.ts';
import type { Database } from '../../warehouse/database.ts';
import { selectUnloaded } from './waiting-events.ts';
import type { WorkspaceSlugs } from './workspace-slugs.ts';

/** Some events of a segment, one after another, and which slugs were in force when they were first loaded. */
export interface SegmentPeriod {
  /** Index among the mappings. */
  readonly mapping: number;
  /** Of the first event, from 0. */
  readonly from: number;
  /** Of the first event after them; Infinity to the end. */
  readonly to: number;
}

/**
 * What the slugs in events stood for, one configuration after another. An event that was applied stays with the
 * workspace that it was applied to, so whoever loads it again has to know what its slug stood for then.
 */
export class SlugHistory {
  /** Oldest first; the last one is today's. */
  readonly mappings: readonly WorkspaceSlugs[];
  readonly #loadedBefore: readonly ReadonlyMap<string, number>[];
  /** The mapping that was in force when a segment came to the archive. */
  readonly #archivedUnder = new Map<string, number>();

  /** @param due what the ledger is still to be told of today's slugs; null when it is told */
  constructor(entries: readonly LedgerEntry[], due: SlugsEntry | null, today: WorkspaceSlugs) {
    const changes: SlugsEntry[] = [];
    for (const entry of entries) {
      if (entry.kind === 'slugs') changes.push(entry);
      else if (entry.kind === 'segment') this.#noteArchived(entry.name, changes.length - 1);
    }
    if (due) changes.push(due);
    const mappings = changes.map(({ slugs }) => new Map(Object.entries(slugs)));
    this.mappings = mappings.length > 0 ? mappings : [today];
    this.#loadedBefore = changes.map(
      ({ loaded = [] }) => new Map(loaded.map(({ segment, events }) => [segment, events])),
    );
  }

  /** Of a segment in the archive, or in the inbox. What came before there was a ledger goes by its first mapping. */
  periodsOf(segmentName: string, isArchived: boolean): SegmentPeriod[] {
    const sealed = sealedName(segmentName);
    const last = isArchived ? (this.#archivedUnder.get(sealed) ?? 0) : this.mappings.length - 1;
    const periods: SegmentPeriod[] = [];
    let from = 0;
    for (let next = 1; next <= last; next += 1) {
      const to = this.#loadedBefore[next]?.get(sealed) ?? 0;
      if (to <= from) continue;
      periods.push({ mapping: next - 1, from, to });
      from = to;
    }
    return [...periods, { mapping: last, from, to: Infinity }];
  }

  #noteArchived(name: string, mapping: number): void {
    const sealed = sealedName(name);
    if (!this.#archivedUnder.has(sealed)) this.#archivedUnder.set(sealed, Math.max(0, mapping));
  }
}

/**
 * What the ledger has to be told before events are published that were judged by these slugs; null when its last
 * word on slugs is the same.
 * @param segments those of the inbox
 * @param database a warehouse in which none of that is loaded yet; null when there is none
 */
export async function dueSlugs(
  dataDir: string,
  slugs: WorkspaceSlugs,
  segments: readonly Segment[],
  database: Database | null,
): Promise<SlugsEntry | null> {
  const { entries } = await readLedger(dataDir);
  const before = entries.findLast((entry) => entry.kind === 'slugs');
  if (before && isSame(before.slugs, slugs)) return null;
  const loaded = before && database ? await countLoaded(segments, database) : [];
  return {
    version: 1,
    kind: 'slugs',
    slugs: Object.fromEntries([...slugs].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(loaded.length > 0 && { loaded }),
  };
}

function isSame(known: Readonly<Record<string, string>>, slugs: WorkspaceSlugs): boolean {
  const entries = Object.entries(known);
  return entries.length === slugs.size && entries.every(([slug, key]) => slugs.get(slug) === key);
}

/** How many of each segment's first events the warehouse has: segments are loaded from their beginning on. */
async function countLoaded(
  segments: readonly Segment[],
  database: Database,
): Promise<{ segment: string; events: number }[]> {
  const loaded: { segment: string; events: number }[] = [];
  for (const segment of segments) {
    const keys = ((await readSegment(segment))?.events ?? []).map(({ eventKey }) => eventKey);
    const unloaded = new Set(await selectUnloaded(keys, database));
    const first = keys.findIndex((key) => unloaded.has(key));
    const events = first === -1 ? keys.length : first;
    if (events > 0) loaded.push({ segment: sealedName(segment.name), events });
  }
  return loaded;
}

/** What a segment is called once it is sealed, and before it is compressed. */
function sealedName(segmentName: string): string {
  return plainName(sealedNameOf(segmentName));
}
