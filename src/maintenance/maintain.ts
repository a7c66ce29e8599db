import type { Config } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import { Outbox } from '../deliver/outbox.ts';
import { readLoadedState } from '../load/pending.ts';
import { listEventKeys, removeEvent } from '../store/event-store.ts';
import {
  emptyRemoved,
  recordRetention,
  removeRun,
  type RetentionRecord,
} from '../store/retention.ts';
import { listRunNames, type RunName } from '../store/run-folder.ts';
import { openIfPresent, warehouseOf } from '../warehouse/warehouse.ts';
import { writeReportIndexes } from '../output/report-index.ts';
import type { RunTools } from '../config/run-tools.ts';
import { removeWritten } from '../output/written-reports.ts';

/** What was older than its retention and removed. */
export interface Maintained {
  /** Run folders. */
  readonly runs: number;
  readonly events: number;
  /** Deliveries whose files are gone, while their records stay. */
  readonly deliveries: number;
  /** Files of reports. */
  readonly reports: number;
}

/** The raw data that are older than their retention and loaded, so that the warehouse has what they held. */
interface Expired {
  readonly runs: readonly RunName[];
  readonly events: readonly string[];
}

/**
 * Removes what is older than `retention` in jobs.yaml allows. It can be stopped anywhere and done again.
 * @throws BusyError while another process loads or sends for longer than `waitMs`
 */
export async function maintain(
  { waitMs, isDryRun }: { readonly waitMs: number; readonly isDryRun: boolean },
  tools: RunTools,
): Promise<Maintained> {
  const { config, clock, log, signal } = tools;
  const { dataDir, retention } = config;
  const { outboxDays, rawDays, eventsDays, outDays } = retention;
  const daysAgo = (days: number): Day => addDays(dayOf(clock.now(), 'UTC'), -days);
  const limits: RetentionRecord = {
    runs_before: rawDays === null ? null : daysAgo(rawDays),
    events_before: eventsDays === null ? null : daysAgo(eventsDays),
  };
  const lock = { dataDir, clock, log, waitMs, signal, purpose: 'maintaining' };
  // a load or a rebuild must not list what is being removed
  const { runs, events } = await warehouseOf(config.warehouse).lock(lock, async () => {
    const expired = await listExpired(limits, config);
    if (!isDryRun) await removeExpired(expired, limits, dataDir);
    return expired;
  });
  const deliveries = await Outbox.with(dataDir, { clock, signal, waitMs }, (outbox) =>
    outbox.prune(outboxDays, isDryRun),
  );
  const reports =
    outDays === null ? 0 : await removeWritten(config, { before: daysAgo(outDays), isDryRun });
  if (reports > 0 && !isDryRun) await writeReportIndexes(tools);
  return { runs: runs.length, events: events.length, deliveries, reports };
}

async function listExpired(limits: RetentionRecord, config: Config): Promise<Expired> {
  const { runs_before: runsBefore, events_before: eventsBefore } = limits;
  const database = await openIfPresent(config.warehouse);
  if (database === null) return { runs: [], events: [] };
  try {
    const { completeRuns } = await readLoadedState(database);
    const runs: RunName[] = [];
    for await (const name of listRunNames(config.dataDir))
      if (name.day < (runsBefore ?? '') && completeRuns.has(`${name.workspace}/${name.runId}`))
        runs.push(name);
    const { rows } = await database.query(
      'select event_key from webhook_events where received_at < $before::timestamptz',
      { before: eventsBefore },
    );
    const old = new Set(rows.map(([key]) => key));
    const stored = await listEventKeys(config.dataDir);
    return { runs, events: stored.filter((key) => old.has(key)) };
  } finally {
    database.close();
  }
}

async function removeExpired(
  { runs, events }: Expired,
  limits: RetentionRecord,
  dataDir: string,
): Promise<void> {
  if (runs.length + events.length > 0) await recordRetention(dataDir, limits);
  for (const run of runs) await removeRun(dataDir, run);
  for (const key of events) await removeEvent(dataDir, key);
  await emptyRemoved(dataDir);
}
