import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { sealOrphans } from '../inbox/spool/seal-orphans.ts';
import { listSegments, type Segment } from '../inbox/spool/segment.ts';
import { listLanding } from '../landing/landed-part.ts';
import { closeDataFolders } from '../landing/private-data.ts';
import type { DamagedFileError } from '../landing/landing-errors.ts';
import { archiveLoaded, setAside } from './put-away.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { changeWarehouse, withWarehouseLock, type WorkSpace } from '../warehouse/warehouse.ts';
import { archiveEvents } from './events/archive-events.ts';
import { mergeInbox, type MergedInbox } from './events/merge-inbox.ts';
import type { ReadingOptions } from './events/segment-reading.ts';
import { slugTeller } from './events/slug-history.ts';
import { tellOfEvents } from './events/tell-of-events.ts';
import { selectLoadable, type LoadablePart, type PartName } from './loadable-parts.ts';
import { beginMerging } from './merge-batch.ts';
import { mergeParts } from './merge-parts.ts';
import { newWarnings, readWarnings, type DataWarning } from './warnings/data-warnings.ts';
import { tellOfWarnings } from './warnings/tell-of-warnings.ts';
import { tellOfStanding } from './warehouse-standing.ts';

export interface LoadOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Parts of the caller's own run that are still being written: loaded so far, and left in landing. The
   * caller holds the extraction locks of their workspaces.
   */
  readonly ownParts?: readonly PartName[];
  /** How long to wait while another process loads; 0: not at all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface LoadSummary {
  /** Responses taken now. */
  readonly responses: number;
  /** Records taken from analytics answers, repeats included. */
  readonly postsRead: number;
  /** LinkedIn posts, by what this load did to them. */
  readonly posts: { readonly new: number; readonly changed: number; readonly unchanged: number };
  /** Records of these responses that could not be taken. */
  readonly rejected: number;
  /** Post types that the API's documentation does not have, sorted; their posts are kept. */
  readonly unknownTypes: readonly string[];
  /** What it has brought that looks odd, and that was not odd before. */
  readonly warnings: readonly DataWarning[];
  readonly events: EventSummary;
  /** Damaged landed files that were set aside. */
  readonly damaged: number;
  /** Parts that went to the archive. */
  readonly archived: number;
  /** Parts left alone because another live process is writing them. */
  readonly inProgress: number;
  /** Whether there was anything new to publish. */
  readonly isPublished: boolean;
  /** Whether a warehouse of another version was brought to the schema of this one. */
  readonly isUpgraded: boolean;
}

/** Webhook events, by what became of them now: those that came, and those that had waited. */
export interface EventSummary {
  readonly applied: number;
  /** Of a type that is not known, or of a workspace that is not configured. */
  readonly kept: number;
  readonly rejected: number;
  /** Read from the inbox though they were loaded before, as while a receiver still writes their segment. */
  readonly repeats: number;
  /** Damaged lines of the inbox that were set aside. */
  readonly damaged: number;
}

export type Merged = Pick<
  LoadSummary,
  | 'responses'
  | 'postsRead'
  | 'posts'
  | 'rejected'
  | 'unknownTypes'
  | 'warnings'
  | 'isPublished'
  | 'isUpgraded'
> & { readonly damages: readonly DamagedFileError[]; readonly inbox: MergedInbox };

/**
 * Loads what has landed and is not in the warehouse's ledger yet, and the events of the inbox, published
 * whole or not at all, then moves loaded parts and segments to the archive. Loading again changes nothing,
 * and the order in which responses and events are loaded does not matter. Asks the API nothing.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function loadLanded(options: LoadOptions): Promise<LoadSummary> {
  const { config, clock, waitMs, signal, log } = options;
  const access = { path: config.warehouse, clock, waitMs, signal, log };
  return withWarehouseLock(access, async () => {
    await closeDataFolders(config.dataDir);
    const landing = await listLanding(config.dataDir);
    const loadable = await selectLoadable(config.dataDir, landing, {
      ownParts: options.ownParts ?? [],
    });
    await sealOrphans(config.dataDir);
    const segments = await listSegments(config.dataDir);
    const tellSlugs = slugTeller(config.dataDir);
    const { damages, inbox, ...merged } = await changeWarehouse(access, async (space) => {
      await tellOfStanding(space.database, loadable.parts, options);
      const value = await mergeLanded(space, options, loadable.parts, segments);
      const beforePublishing = () => tellSlugs(value.inbox.dueSlugs);
      return { value, isChanged: value.isPublished, beforePublishing };
    });
    await tellSlugs(inbox.dueSlugs);
    // told at once: the next load finds nothing odd in what this one has published
    warnOfOddities(log, merged);
    tellOfEvents(log, inbox.figures);
    tellOfWarnings(log, merged.warnings);
    const damaged = await setAside(options, [...loadable.damages, ...damages], loadable.parts);
    const archived = await archiveLoaded(options, loadable.parts);
    await archiveEvents(inbox.segments, options);
    const events = eventSummary(inbox);
    return { ...merged, events, damaged, archived, inProgress: loadable.inProgress };
  });
}

/** Merges parts and the inbox into a copy of the warehouse, which is published if that told anything new. */
export async function mergeLanded(
  space: WorkSpace,
  options: Pick<LoadOptions, 'config' | 'log'> & Pick<ReadingOptions, 'isTrial'>,
  parts: readonly LoadablePart[],
  segments: readonly Segment[],
): Promise<Merged> {
  const damages: DamagedFileError[] = [];
  await beginMerging(space);
  // with no part there are no answers, and nothing that could look odd
  const before = parts.length === 0 ? [] : await readWarnings(space.database);
  const { isMoreKnown, ...merged } = await mergeParts(space, parts, {
    config: options.config,
    onDamage: (damage) => void damages.push(damage),
  });
  const inbox = await mergeInbox(space, segments, options);
  return {
    ...merged,
    damages,
    posts: await countPosts(space),
    inbox,
    warnings: parts.length === 0 ? [] : newWarnings(await readWarnings(space.database), before),
    isUpgraded: space.isUpgraded,
    isPublished: merged.responses > 0 || isMoreKnown || inbox.figures.hasChanged,
  };
}

function eventSummary({ figures, repeats, damaged }: MergedInbox): EventSummary {
  return { ...figures.told, repeats, damaged };
}

async function countPosts({ database }: WorkSpace): Promise<LoadSummary['posts']> {
  const { rows } = await database.query(await readSql('load/summary.sql'));
  const [added = 0, changed = 0, unchanged = 0] = (rows[0] ?? []).map(Number);
  return { new: added, changed, unchanged };
}

function warnOfOddities(
  log: Log,
  { rejected, unknownTypes }: Pick<Merged, 'rejected' | 'unknownTypes'>,
): void {
  if (rejected > 0) {
    log.warn({ rejected }, 'some records could not be taken; the table rejected_records has why');
  }
  if (unknownTypes.length > 0) {
    log.warn({ types: unknownTypes }, 'posts of types that are not documented were kept as given');
  }
}
