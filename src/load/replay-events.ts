import { readSql } from '../warehouse/sql-file.ts';
import { changeWarehouse, withWarehouseLock } from '../warehouse/warehouse.ts';
import { findPending, loadPending, type LoadOptions } from './load.ts';
import { readEvents, type EventOutcomes } from './load-events.ts';
import { readLoadedState } from './pending.ts';

export interface ReplaySummary extends EventOutcomes {
  /** Those read again; the outcomes are how these stand now. */
  readonly events: number;
  /** Of them, those with another outcome than before. */
  readonly changed: number;
}

/**
 * Reads loaded events again from their files, by the rules of this version. Doing it again changes nothing.
 * An event whose file is damaged stays as it was loaded.
 * @param isRejectedOnly only the events that were rejected; else all
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function replayEvents(
  options: LoadOptions,
  isRejectedOnly: boolean,
): Promise<ReplaySummary> {
  const { config, clock, waitMs, signal, log } = options;
  const access = { path: config.warehouse, clock, waitMs, signal, log };
  return withWarehouseLock(access, () =>
    changeWarehouse(access, async (staging) => {
      const { database } = staging;
      const { rows: loaded } = await database.query(
        `select event_key from webhook_events ${isRejectedOnly ? "where outcome = 'rejected'" : ''}`,
      );
      const events = await readEvents(
        config.dataDir,
        loaded.map(([key]) => String(key)),
        (error) => log.warn({}, `${error.message}; its event stays as it was loaded`),
      );
      await database.run(await readSql('load/forget_events.sql'), {
        event_keys: events.map((event) => event.event_key),
      });
      const state = await readLoadedState(database);
      await loadPending(staging, await findPending(config, state), state, options);
      const rows = await database.queryObjects(await readSql('load/replayed_events.sql'));
      const summary = { events: 0, changed: 0, applied: 0, kept: 0, rejected: 0 };
      for (const { outcome, events, changed } of rows) {
        summary[outcome as keyof EventOutcomes] += Number(events);
        summary.events += Number(events);
        summary.changed += Number(changed);
      }
      return { value: summary, isChanged: true };
    }),
  );
}
