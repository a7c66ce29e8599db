import { addDays, dayOf } from '../core/calendar.ts';
import { UsageError } from '../core/errors.ts';
import type { RunTools } from '../config/run-tools.ts';
import { Outbox } from '../deliver/outbox.ts';
import { writeReportIndexes } from '../output/report-index.ts';
import { removeWritten } from '../output/written-reports.ts';
import { isClockLikely, newestRunDay } from '../store/newest-run.ts';
import type { Maintenance } from '../warehouse/lake-maintenance.ts';
import { keptSnapshotDays, warehouseOf } from '../warehouse/warehouse.ts';

/** The deliveries whose files were removed, the files of reports, and what was done to a lake. */
export interface Maintained {
  readonly deliveries: number;
  readonly reports: number;
  /** Null for a warehouse in a file, which needs no maintenance, and in a dry run. */
  readonly lake: Maintenance | null;
}

export interface MaintainOptions {
  readonly waitMs: number;
  readonly isDryRun: boolean;
  /** True if the clock is believed, whatever the newest run is. */
  readonly yes: boolean;
}

/**
 * Removes what is older than `retention` in jobs.yaml allows, and maintains a lake. It can be stopped anywhere and done
 * again.
 * @throws UsageError if the clock is further past the newest run than the retention
 * @throws BusyError while another process loads or sends for longer than `waitMs`
 */
export async function maintain(options: MaintainOptions, tools: RunTools): Promise<Maintained> {
  const due = await removeFiles({ ...options, isDryRun: true }, tools);
  if (!options.yes) await refuseUnlikelyClock(due, tools);
  if (options.isDryRun) return { ...due, lake: null };
  return {
    ...(await removeFiles(options, tools)),
    lake: await maintainWarehouse(options, tools),
  };
}

type RemovedFiles = Omit<Maintained, 'lake'>;

async function refuseUnlikelyClock(
  due: RemovedFiles,
  { config: { dataDir, retention }, clock }: RunTools,
): Promise<void> {
  const today = dayOf(clock.now(), 'UTC');
  const newest = await newestRunDay(dataDir, today);
  const kinds = [
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

async function removeFiles(
  { waitMs, isDryRun }: MaintainOptions,
  tools: RunTools,
): Promise<RemovedFiles> {
  const { config, clock, log, signal } = tools;
  const { outboxDays, outDays } = config.retention;
  const deliveries = await Outbox.with(config.dataDir, { clock, signal, waitMs }, (outbox) =>
    outbox.prune(outboxDays, isDryRun),
  );
  if (outDays === null) return { deliveries, reports: 0 };
  const before = addDays(dayOf(clock.now(), 'UTC'), -outDays);
  const reports = await removeWritten(config, log, { before, isDryRun });
  if (reports > 0 && !isDryRun) await writeReportIndexes(tools);
  return { deliveries, reports };
}

async function maintainWarehouse(
  { waitMs }: MaintainOptions,
  { config: { dataDir, warehouse }, clock, log, signal }: RunTools,
): Promise<Maintenance | null> {
  if (typeof warehouse === 'string') return null;
  const { maintainLake } = await import('../warehouse/lake-maintenance.ts');
  const lock = { dataDir, clock, log, signal, waitMs, purpose: 'maintaining' };
  return warehouseOf(warehouse).lock(lock, () => maintainLake(warehouse, keptSnapshotDays, lock));
}
