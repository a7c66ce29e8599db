import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode, isSystemError, PostledgerError } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { readLockHolder } from '../core/lock.ts';
import { problemText } from '../core/machine-problem.ts';
import type { Delivery } from '../deliver/delivery.ts';
import { isOver, readAllDeliveries } from '../deliver/outbox.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent, warehouseOf } from '../warehouse/warehouse.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { listEventKeys } from '../store/event-store.ts';
import { requireErased } from '../store/erasure.ts';
import { lockFolder } from '../store/layout.ts';
import type { PendingRun } from '../load/pending.ts';
import { readFailedAlerts } from './failed-alerts.ts';
import { openProblems, pendingEvents } from './open-problems.ts';
import { readProfiles } from './profile-status.ts';
import { readEventStatus } from './received-events.ts';
import { readWarnings } from '../load/data-warnings.ts';
import { listOpenRunsOf, mergeRuns, readLoadedRuns, readPending, type RunStatus } from './runs.ts';

/** Plain data, ready to be printed or written as JSON. Times are ISO 8601 in UTC. */
export type Status = Awaited<ReturnType<typeof readStatus>>;
export type JobStatus = Status['jobs'][number];
export type PendingPart = Status['pending'][number];

interface RejectedReason {
  readonly source: string;
  /** The field of values that could not be read; null where whole records were rejected. */
  readonly field: string | null;
  readonly reason: string;
  readonly records: number;
  readonly last_rejected_at: string;
}

const runsShown = 10;

/**
 * The state of the published warehouse and the raw store. Changes nothing and sends nothing. What cannot be read is
 * named under `problems`; the rest is read all the same.
 */
export async function readStatus(config: Config, clock: Clock) {
  const { dataDir, warehouse } = config;
  const published = warehouseOf(warehouse);
  const path = published.location;
  const now = clock.now();
  const reading = new PartialReading();
  // the keys are listed first, so that an event that is loaded meanwhile is in both and not in neither
  const events = await reading.read('events', () => listEventKeys(dataDir), []);
  const freeBytes = await reading.read('disk', () => readFreeBytes(dataDir), null);
  const { locks, openRuns } = await reading.read(
    'locks',
    async () => ({
      locks: await listHeldLocks(config),
      openRuns: await listOpenRunsOf(config),
    }),
    { locks: [], openRuns: [] },
  );
  const database = await reading.read('warehouse', () => openIfPresent(warehouse), null);
  await reading.read('erasure', () => requireErased(dataDir), undefined);
  try {
    // the published file itself, or a lake's data; its size is null when nothing is published
    const warehouse = await reading.read(
      'warehouse',
      async () => ({ path, bytes: await published.measureBytes(database) }),
      { path, bytes: null },
    );
    const nothing = await readTables(config, now, null, []);
    const unknown = {
      ...nothing,
      profiles: nothing.profiles.map((profile) => {
        return { ...profile, posts: null, gaps: [], failed_windows: [], unreadable: [] };
      }),
      events: { ...nothing.events, pending: { events: null } },
    };
    const {
      runs: loaded,
      warehouseProblems,
      ...tables
    } = isWarehouseUnknown(reading)
      ? unknown
      : await reading.read(
          'warehouse',
          inTransaction(database, () => readTables(config, now, database, events)),
          unknown,
        );
    const pending = isWarehouseUnknown(reading)
      ? []
      : await reading.read(
          'raw store',
          inTransaction(database, () => readPending(config, database)),
          [],
        );
    const runs = mergeRuns(loaded, pending, openRuns, !published.isShared);
    const allDeliveries = await reading.read('deliveries', () => readAllDeliveries(dataDir), []);
    const outbox = allDeliveries.filter(({ status }) => !isOver(status));
    const jobs = jobStatuses(config, runs, now);
    const known = {
      ...tables,
      /** Run folders of which something is not loaded yet. */
      pending: pending.map(describePending),
      /** Damaged files among them, which the next load skips. */
      damaged: pending.reduce((sum, { folder }) => sum + folder.damages.length, 0),
    };
    const ofWarehouse = {
      ...known,
      runs: jobs.flatMap(({ job, last_run: run }) => (run ? [{ job, ...run }] : [])),
      warehouse: warehouseProblems,
    };
    const facts = {
      undone: [
        ...reading.problems.map((each) => {
          return { kind: 'unread_source' as const, ...each, remedy: null };
        }),
        ...pendingEvents(tables.events.pending.events ?? 0),
      ],
      deliveries: outbox,
      allDeliveries,
      failedAlerts: await readFailedAlerts(config),
      ...(isWarehouseUnknown(reading) ? {} : ofWarehouse),
    };
    return {
      warehouse,
      /** Bytes that the disk of `data_dir` has left; null where it cannot be measured. */
      free_bytes: freeBytes,
      /** Locks of live processes. */
      locks,
      /** Newest first, loaded or not. One whose process is gone was interrupted. */
      runs: runs.slice(0, runsShown),
      /** The jobs of the config, each with its newest run. */
      jobs,
      ...known,
      /** The sources that could not be read. What depends on them is empty above. */
      problems: reading.problems,
      /** The deliveries that are neither sent nor discarded, by their state. */
      deliveries: countDeliveries(outbox),
      /** All that is wrong or waits. What needs the warehouse is missing while it cannot be read. */
      open_problems: openProblems(facts, { config, now }),
    };
  } finally {
    database?.close();
  }
}

function countDeliveries(deliveries: readonly Delivery[]) {
  const count = (state: string) => deliveries.filter(({ status }) => status.state === state).length;
  return {
    held: count('held'),
    queued: count('queued'),
    failed: count('failed'),
    unknown: count('unknown'),
  };
}

/** A lake reads its catalog's snapshot once for each transaction. */
function inTransaction<T>(database: Database | null, work: () => Promise<T>): () => Promise<T> {
  return () => (database ? database.transaction(work) : work());
}

/** Returns true if there is, or may be, a warehouse that cannot be read. */
export function isWarehouseUnknown({ problems }: Pick<PartialReading, 'problems'>): boolean {
  return problems.some(({ subject }) => subject === 'warehouse');
}

/** Measures the nearest existing folder above, when the folder is not there yet. */
async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT') || dirname(folder) === folder) throw error;
    return readFreeBytes(dirname(folder));
  }
}

function describePending({ folder, status, responses }: PendingRun) {
  const { workspace, run_id, job, started_at } = folder.record;
  return { workspace, run_id, job, started_at, responses: responses.length, state: status };
}

/** @param database null where there is none */
async function readTables(
  config: Config,
  now: Date,
  database: Database | null,
  eventKeys: readonly string[],
) {
  const runs = database ? await readLoadedRuns(database, runsShown) : [];
  const { profiles, problems } = await readProfiles(config, now, database);
  const rejected = database
    ? await database.queryObjects<RejectedReason>(await readSql('status/rejected_reasons.sql'))
    : [];
  return {
    runs,
    warehouseProblems: problems,
    profiles,
    rejected,
    events: await readEventStatus(eventKeys, database, problems),
    warnings: database ? await readWarnings(database, [...config.workspaces.keys()]) : [],
  };
}

/** @param runs newest first, the newest of each job among them */
function jobStatuses({ jobs }: Config, runs: readonly RunStatus[], now: Date) {
  return [...jobs.keys()].map((name) => {
    const ofJob = runs.filter(({ job }) => job === name);
    // one that a clock ahead has dated is not the newest for years
    const run = ofJob.find(({ started_at: at }) => Date.parse(at) <= now.getTime()) ?? ofJob[0];
    if (!run) return { job: name, last_run: null };
    const { run_id, started_at, finished_at, status } = run;
    return { job: name, last_run: { run_id, started_at, finished_at, status } };
  });
}

/** Lists locks by path. Locks of dead processes are left out. */
async function listHeldLocks(config: Config) {
  const folder = lockFolder(config.dataDir);
  const names = await namesIn(folder, '.lock');
  const own = names.map((name) => join(folder, name));
  const paths = [...own, ...(await warehouseOf(config.warehouse).lockPaths())];
  const locks = paths.map(async (path) => {
    const holder = await readLockHolder(path);
    if (holder === null) return [];
    const { pid, host, purpose, since } = holder;
    return [{ path, pid, host, purpose, since }];
  });
  return (await Promise.all(locks)).flat();
}

/** Reads one thing after another and collects what cannot be read. */
class PartialReading {
  /** What could not be read, and why, with the remedy. */
  readonly problems: { readonly subject: string; readonly message: string }[] = [];

  /** @throws what neither the machine nor a file is to blame for */
  async read<Value>(subject: string, work: () => Promise<Value>, otherwise: Value): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PostledgerError || isSystemError(error))) throw error;
      this.problems.push({ subject, message: problemText(error) });
      return otherwise;
    }
  }
}
