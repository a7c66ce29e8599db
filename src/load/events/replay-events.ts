import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { changeWarehouse, withWarehouseLock } from '../../warehouse/warehouse.ts';
import { listSegments } from '../../inbox/spool/segment.ts';
import { beginMerging } from '../merge-batch.ts';
import { mergeAllEvents, type Outcomes } from './merge-events.ts';
import { dueSlugs, slugTeller } from './slug-history.ts';
import { readStoredEvents } from './stored-events.ts';
import { tellOfEvents } from './tell-of-events.ts';
import { slugsOf } from './workspace-slugs.ts';

export interface ReplayOptions {
  readonly config: Pick<Config, 'dataDir' | 'warehouse' | 'workspaces'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Only the events that were rejected; else all. */
  readonly isRejectedOnly: boolean;
  /** How long to wait while another process loads; 0: not at all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ReplaySummary extends Outcomes {
  /** Those judged again; the outcomes are how these stand now. */
  readonly events: number;
  /** Of them, those with another outcome than before. */
  readonly changed: number;
}

/**
 * Judges the warehouse's events again, by the rules of this version and the workspaces that are configured
 * now, and merges what they tell. What was applied once stays applied. Doing it again changes nothing.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function replayEvents(options: ReplayOptions): Promise<ReplaySummary> {
  const { config, clock, waitMs, signal, log } = options;
  const access = { path: config.warehouse, clock, waitMs, signal, log };
  const selection = options.isRejectedOnly ? 'rejected' : 'all';
  const slugs = slugsOf(config);
  const tellSlugs = slugTeller(config.dataDir);
  const { told, now, ...figures } = await withWarehouseLock(access, () =>
    changeWarehouse(access, async (space) => {
      await beginMerging(space);
      const segments = await listSegments(config.dataDir);
      const due = await dueSlugs(config.dataDir, slugs, segments, space.database);
      const stored = readStoredEvents(space.database, selection, slugs);
      const value = await mergeAllEvents(space, stored, slugs);
      // what is applied again may tell more to this version than it did to an earlier one
      const isChanged = value.hasChanged || value.now.applied > 0;
      const beforePublishing = () => tellSlugs(due);
      return { value, isChanged, beforePublishing };
    }),
  );
  tellOfEvents(log, { told, now, ...figures });
  return {
    events: now.applied + now.kept + now.rejected,
    changed: told.applied + told.kept + told.rejected,
    ...now,
  };
}
