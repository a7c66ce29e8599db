import { appendToLedger, readLedger } from '../../archive/archive-ledger.ts';
import type { LedgerEntry, SlugsEntry } from '../../archive/ledger-line.ts';
import { readSegment } from '../../inbox/spool/read-segment.ts';
import { isCompressedName, plainName, sealedNameOf } from '../../inbox/spool/segment-name.ts';
import type { Segment } from '../../inbox/spool/segment.ts';
import type { Database } from '../../warehouse/database.ts';
import { readSql } from '../../warehouse/sql-file.ts';
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
  /** In the order in which events are loaded by them; the last one is today's. */
  readonly mappings: readonly WorkspaceSlugs[];
  /** How many of them hold for the events alone that they name; the others follow one another in time. */
  readonly #restated: number;
  readonly #restatedPeriods: ReadonlyMap<string, readonly SegmentPeriod[]>;
  readonly #loadedBefore: readonly ReadonlyMap<string, number>[];
  /** The mapping that was in force when a segment came to the archive. */
  readonly #archivedUnder = new Map<string, number>();

  /** @param due what the ledger is still to be told */
  constructor(entries: readonly LedgerEntry[], due: readonly SlugsEntry[], today: WorkspaceSlugs) {
    const changes: SlugsEntry[] = [];
    const restated = entries.filter((entry) => entry.kind === 'slugs').filter(isRestating);
    for (const entry of entries) {
      if (isChange(entry)) changes.push(entry);
      else if (entry.kind === 'segment') this.#noteArchived(entry.name, changes.length - 1);
    }
    changes.push(...due);
    const inTime = changes.map(mappingOf);
    this.mappings = [...restated.map(mappingOf), ...(inTime.length > 0 ? inTime : [today])];
    this.#restated = restated.length;
    this.#restatedPeriods = restatedPeriods(restated);
    this.#loadedBefore = changes.map(
      ({ loaded = [] }) => new Map(loaded.map(({ segment, events }) => [segment, events])),
    );
  }

  /** Of a segment in the archive, or in the inbox. What came before there was a ledger goes by its first mapping. */
  periodsOf(segmentName: string, isArchived: boolean): SegmentPeriod[] {
    const sealed = sealedName(segmentName);
    const restated = this.#restatedPeriods.get(sealed) ?? [];
    const end = restated.at(-1)?.to ?? 0;
    const others = this.#periodsInTime(sealed, isArchived)
      .filter(({ to }) => to > end)
      .map(({ mapping, from, to }) => ({
        mapping: this.#restated + mapping,
        from: Math.max(from, end),
        to,
      }));
    return [...restated, ...others];
  }

  /** Where an event goes that is loaded by this mapping: while its slug stands for none, it waits for the next that has it. */
  workspaceOf(slug: string, mapping: number): string | undefined {
    return this.mappings
      .slice(mapping)
      .find((slugs) => slugs.has(slug))
      ?.get(slug);
  }

  /** With mappings counted among those that follow one another. */
  #periodsInTime(sealed: string, isArchived: boolean): SegmentPeriod[] {
    const newest = this.mappings.length - this.#restated - 1;
    const last = isArchived ? (this.#archivedUnder.get(sealed) ?? 0) : newest;
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

  /** Segments that are not compressed were archived before there was a ledger, whenever they were entered in it. */
  #noteArchived(name: string, mapping: number): void {
    if (!isCompressedName(name)) return;
    const sealed = sealedName(name);
    if (!this.#archivedUnder.has(sealed)) this.#archivedUnder.set(sealed, Math.max(0, mapping));
  }
}

/** What slugs stand for from this entry on. */
function isChange(entry: LedgerEntry): entry is SlugsEntry {
  return entry.kind === 'slugs' && !isRestating(entry);
}

function isRestating({ events }: SlugsEntry): boolean {
  return events !== undefined;
}

function mappingOf({ slugs }: SlugsEntry): WorkspaceSlugs {
  return new Map(Object.entries(slugs));
}

/** By segment. A range that does not follow the one before it has lost that one, and says nothing. */
function restatedPeriods(restated: readonly SlugsEntry[]): Map<string, SegmentPeriod[]> {
  const found = new Map<string, SegmentPeriod[]>();
  for (const [mapping, { events = [] }] of restated.entries()) {
    for (const { segment, from, to } of events) {
      const before = from === 0 ? [] : (found.get(segment) ?? []);
      if ((before.at(-1)?.to ?? 0) === from) found.set(segment, [...before, { mapping, from, to }]);
    }
  }
  return found;
}

/** What the ledger is to be told of slugs. */
export interface DueSlugs {
  /** In order: what the warehouse shows of slugs where the ledger was never told of any, and today's. */
  readonly entries: readonly SlugsEntry[];
  /** Whether it was never told of any: as long as no event comes, it need not be. */
  readonly isFirst: boolean;
}

/**
 * What the ledger has to be told before events are published that were judged by these slugs; null when its last
 * word on slugs is the same.
 * @param segments those of the inbox
 * @param database the warehouse before that; null when nobody knows what it had, which is taken to be all
 */
export async function dueSlugs(
  dataDir: string,
  slugs: WorkspaceSlugs,
  segments: readonly Segment[],
  database: Database | null,
): Promise<DueSlugs | null> {
  const ledger = await readLedger(dataDir);
  const before = ledger.entries.findLast(isChange);
  if (before && isSame(before.slugs, slugs)) return null;
  const former = before ? null : await formerSlugs(slugs, database);
  const loaded = before || former ? await countLoaded(segments, database) : [];
  const today = { ...slugsEntry(slugs), ...(loaded.length > 0 && { loaded }) };
  const entries = former ? [slugsEntry(former), today] : [today];
  return { entries, isFirst: before === undefined };
}

/** Those by which an earlier version applied events, when they are not today's. */
async function formerSlugs(
  slugs: WorkspaceSlugs,
  database: Database | null,
): Promise<WorkspaceSlugs | null> {
  if (database === null) return null;
  const { rows } = await database.query(await readSql('load/applied_slugs.sql'));
  const former = new Map(rows.map(([slug, workspace]) => [String(slug), String(workspace)]));
  return [...former].every(([slug, key]) => slugs.get(slug) === key) ? null : former;
}

export function slugsEntry(slugs: WorkspaceSlugs): SlugsEntry {
  const sorted = [...slugs].sort(([a], [b]) => (a < b ? -1 : 1));
  return { version: 1, kind: 'slugs', slugs: Object.fromEntries(sorted) };
}

/** Tells the ledger, once however often it is called. */
export function slugTeller(dataDir: string): (due: DueSlugs | null) => Promise<void> {
  let isTold = false;
  return async (due) => {
    if (due === null || isTold) return;
    await appendToLedger(dataDir, due.entries);
    isTold = true;
  };
}

function isSame(known: Readonly<Record<string, string>>, slugs: WorkspaceSlugs): boolean {
  const entries = Object.entries(known);
  return entries.length === slugs.size && entries.every(([slug, key]) => slugs.get(slug) === key);
}

/** How many of each segment's first events the warehouse has: segments are loaded from their beginning on. */
async function countLoaded(
  segments: readonly Segment[],
  database: Database | null,
): Promise<{ segment: string; events: number }[]> {
  const loaded: { segment: string; events: number }[] = [];
  for (const segment of segments) {
    const keys = ((await readSegment(segment))?.events ?? []).map(({ eventKey }) => eventKey);
    const unloaded = new Set(database ? await selectUnloaded(keys, database) : []);
    const first = keys.findIndex((key) => unloaded.has(key));
    const events = first === -1 ? keys.length : first;
    if (events > 0) loaded.push({ segment: sealedName(segment.name), events });
  }
  return loaded;
}

/** What a segment is called once it is sealed, and before it is compressed. */
export function sealedName(segmentName: string): string {
  return plainName(sealedNameOf(segmentName));
}
