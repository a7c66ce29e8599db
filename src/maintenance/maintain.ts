import type { Config } from '../config/config.ts';
import { addDays, dayOf, type Day } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import { Outbox } from '../deliver/outbox.ts';
import { countFacts } from '../load/carried-facts.ts';
import { readLoadedState } from '../load/pending.ts';
import { listEventKeys, removeEvents } from '../store/event-store.ts';
import {
  emptyRemoved,
  isClockLikely,
  newestRunDay,
  recordRetention,
  removeRun,
  type RetentionRecord,
} from '../store/retention.ts';
import { listRunNames, type RunName } from '../store/run-folder.ts';
import { warehouseOf, withPublished } from '../warehouse/warehouse.ts';
import { writeReportIndexes } from '../output/report-index.ts';
import type { RunTools } from '../config/run-tools.ts';
import { removeWritten } from '../output/written-reports.ts';

/** The counts of what was older than its retention and removed. */
export type Maintained = Awaited<ReturnType<typeof remove>>;

/** The raw data that are older than their retention and loaded, so that the warehouse has what they held. */
interface Expired {
  readonly runs: readonly RunName[];
  readonly events: readonly string[];
  /** What is on record of them once they are removed. */
  readonly record: RetentionRecord;
}

export interface MaintainOptions {
  readonly waitMs: number;
  readonly isDryRun: boolean;
  /** True if the clock is believed, whatever the newest run is. */
  readonly yes: boolean;
}

/**
 * Removes what is older than `retention` in jobs.yaml allows. It can be stopped anywhere and done again.
 * @throws UsageError if the clock is further past the newest run than the retention
 * @throws BusyError while another process loads or sends for longer than `waitMs`
 */
export async function maintain(options: MaintainOptions, tools: RunTools): Promise<Maintained> {
  const due = await remove({ ...options, isDryRun: true }, tools);
  if (!options.yes) await refuseUnlikelyClock(due, tools);
  return options.isDryRun ? due : remove(options, tools);
}

async function refuseUnlikelyClock(
  due: Maintained,
  { config: { dataDir, retention }, clock }: RunTools,
): Promise<void> {
  const today = dayOf(clock.now(), 'UTC');
  const newest = await newestRunDay(dataDir, today);
  const kinds = [
    { key: 'raw_days', days: retention.rawDays, count: due.runs },
    { key: 'events_days', days: retention.eventsDays, count: due.events },
    { key: 'outbox_days', days: retention.outboxDays, count: due.deliveries },
    { key: 'out_days', days: retention.outDays, count: due.reports },
  ];
  for (const { key, days, count } of kinds) {
    if (count === 0 || days === null || isClockLikely(newest, days, today)) continue;
    const known = newest === null ? 'there is no run' : `the newest run is of ${newest}`;
    throw new UsageError(
      `this machine's clock says ${today}, and ${known}: a clock that is wrong would remove what is not older than retention.${key} (${days} days); nothing was removed. Correct the clock, or add --yes if it is right`,
    );
  }
}

type Limits = Pick<RetentionRecord, 'runs_before' | 'events_before'>;

async function remove(
  { waitMs, isDryRun }: MaintainOptions,
  { config, clock, log, signal, ...tools }: RunTools,
) {
  const { dataDir, retention } = config;
  const { outboxDays, rawDays, eventsDays, outDays } = retention;
  const daysAgo = (days: number): Day => addDays(dayOf(clock.now(), 'UTC'), -days);
  const limits: Limits = {
    runs_before: rawDays === null ? null : daysAgo(rawDays),
    events_before: eventsDays === null ? null : daysAgo(eventsDays),
  };
  const lock = { dataDir, clock, log, waitMs, signal, purpose: 'maintaining' };
  // a load or a rebuild must not list what is being removed
  const { runs, events } = await warehouseOf(config.warehouse).lock(lock, async () => {
    const expired = await listExpired(limits, config);
    if (!isDryRun) await removeExpired(expired, dataDir);
    return expired;
  });
  const deliveries = await Outbox.with(dataDir, { clock, signal, waitMs }, (outbox) =>
    outbox.prune(outboxDays, isDryRun),
  );
  const reports =
    outDays === null ? 0 : await removeWritten(config, log, { before: daysAgo(outDays), isDryRun });
  if (reports > 0 && !isDryRun) await writeReportIndexes({ ...tools, config, clock, log });
  // of deliveries the files are gone, while their records stay
  return { runs: runs.length, events: events.length, deliveries, reports };
}

async function listExpired(limits: Limits, config: Config): Promise<Expired> {
  return withPublished(config.warehouse, async (database) => {
    if (database === null)
      return { runs: [], events: [], record: { ...limits, runs: 0, events: 0 } };
    const { completeRuns } = await readLoadedState(database);
    const runs: RunName[] = [];
    for await (const name of listRunNames(config.dataDir))
      if (
        name.day < (limits.runs_before ?? '') &&
        completeRuns.has(`${name.workspace}/${name.runId}`)
      )
        runs.push(name);
    const { rows } = await database.query(
      'select event_key from webhook_events where received_at < $before::timestamptz',
      { before: limits.events_before },
    );
    const old = new Set(rows.map(([key]) => key));
    const stored = await listEventKeys(config.dataDir);
    const record = { ...limits, ...(await countFacts(database, limits)) };
    return { runs, events: stored.filter((key) => old.has(key)), record };
  });
}

async function removeExpired({ runs, events, record }: Expired, dataDir: string): Promise<void> {
  if (runs.length + events.length > 0) await recordRetention(dataDir, record);
  for (const run of runs) await removeRun(dataDir, run);
  await removeEvents(dataDir, events);
  await emptyRemoved(dataDir);
}
