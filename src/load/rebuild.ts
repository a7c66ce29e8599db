import type { Finding } from '../archive/finding.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Progress } from '../core/progress.ts';
import type { Segment } from '../inbox/spool/segment.ts';
import { openReadOnly } from '../warehouse/database.ts';
import { QueryError, WarehouseFileError } from '../warehouse/warehouse-errors.ts';
import { remakeWarehouse, withWarehouseLock, type FinishedFile } from '../warehouse/warehouse.ts';
import { archiveEvents } from './events/archive-events.ts';
import { dueSlugs, slugTeller, type DueSlugs } from './events/slug-history.ts';
import { slugsOf } from './events/workspace-slugs.ts';
import { archiveLoaded, setAside } from './put-away.ts';
import { findLosses, type Losses } from './rebuild/losses.ts';
import { mergeSources, type MergedSources, type RebuiltCounts } from './rebuild/merge-sources.ts';
import { gatherSources, readSlugHistory, type Sources } from './rebuild/sources.ts';

export interface RebuildOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  /** How long to wait while another process loads; 0: not at all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether a warehouse is replaced though parts of the archive are damaged or gone. */
  readonly acceptsDamage: boolean;
  /** Whether it is replaced though it has snapshots of responses that were pruned. */
  readonly acceptsPruned: boolean;
}

export interface RebuildSummary extends RebuiltCounts {
  /** What of the archive is not as it was archived. */
  readonly damages: readonly Finding[];
  readonly losses: Losses;
  /** Responses whose bodies were pruned, where no warehouse was there that could tell of their snapshots. */
  readonly prunedUnseen: number;
  readonly isPublished: boolean;
  /** Why nothing was published: what would have been lost with the warehouse that is there. */
  readonly refusal: 'damage' | 'pruned' | null;
  /** Where the file went that was there and is no warehouse; null when it was replaced, or there was none. */
  readonly setAsideTo: string | null;
  /** Parts of landing that went to the archive. */
  readonly archived: number;
}

interface Made extends MergedSources {
  readonly due: DueSlugs | null;
}

/**
 * Makes the warehouse anew from the archive and from what waits in landing and the inbox, by what loads do, and puts
 * it in the published file's place, all or nothing. That one may be missing, damaged or of any version. A run that
 * is under way goes on in the new file. Asks the API nothing.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function rebuildWarehouse(options: RebuildOptions): Promise<RebuildSummary> {
  const { config, clock, waitMs, signal, log } = options;
  const access = { path: config.warehouse, clock, waitMs, signal, log, purpose: 'rebuilding' };
  return withWarehouseLock(access, async () => {
    const sources = await gatherSources(config);
    return remakeWarehouse(
      access,
      async (space): Promise<Made> => {
        const due = await readDue(config, sources.segments);
        const history = await readSlugHistory(config, due);
        return { ...(await mergeSources(space, sources, { ...options, history })), due };
      },
      (file) => judge(file, sources, options),
    );
  });
}

/** What the ledger is to be told of slugs, as far as the published file can say what was loaded. */
async function readDue(config: Config, segments: readonly Segment[]): Promise<DueSlugs | null> {
  const slugs = slugsOf(config);
  try {
    const database = await openReadOnly(config.warehouse);
    try {
      return await dueSlugs(config.dataDir, slugs, segments, database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof WarehouseFileError || error instanceof QueryError)) throw error;
    return dueSlugs(config.dataDir, slugs, segments, null);
  }
}

async function judge(
  file: FinishedFile<Made>,
  sources: Sources,
  options: RebuildOptions,
): Promise<RebuildSummary> {
  const { counts, damages, prunedFile, pruned } = file.value;
  let isKnown = file.published !== null;
  const losses = await findLosses({
    published: file.published,
    rebuilt: file.path,
    folder: file.folder,
    prunedFile,
    onUnreadable: () => (isKnown = false),
  });
  const refusal = isKnown ? refusalOf(damages, losses, options) : null;
  const summary = { ...counts, damages, losses, prunedUnseen: isKnown ? 0 : pruned, refusal };
  if (refusal) return { ...summary, isPublished: false, setAsideTo: null, archived: 0 };
  await tellOfSlugs(file.value, options);
  const setAsideTo = await file.publish(!isKnown);
  const archived = await putAway(file.value, sources, options);
  return { ...summary, isPublished: true, setAsideTo, archived };
}

function refusalOf(
  damages: readonly Finding[],
  { responses, events, moved, snapshots }: Losses,
  { acceptsDamage, acceptsPruned }: RebuildOptions,
): RebuildSummary['refusal'] {
  if (!acceptsDamage && damages.length + responses + events + moved > 0) return 'damage';
  return !acceptsPruned && snapshots > 0 ? 'pruned' : null;
}

/** Where no event has ever come, there is nothing to tell. */
async function tellOfSlugs(
  { due, counts: { events } }: Made,
  { config }: RebuildOptions,
): Promise<void> {
  const hasEvents = events.applied + events.kept + events.rejected > 0;
  if (hasEvents || due?.isFirst === false) await slugTeller(config.dataDir)(due);
}

/** As a load does with what it has loaded. */
async function putAway(
  { landingDamages, segments }: MergedSources,
  { landed }: Sources,
  options: RebuildOptions,
): Promise<number> {
  await setAside(options, landingDamages, landed.parts);
  const archived = await archiveLoaded(options, landed.parts);
  await archiveEvents(segments, options);
  return archived;
}
