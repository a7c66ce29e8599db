import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LakeConfig } from '../config/config.ts';
import { withLock } from '../core/lock.ts';
import { Leases, type Lease } from './leases.ts';
import { lockFolder } from '../store/layout.ts';
import type { Database } from './database.ts';
import { fence, LakeWriter } from './lake-writer.ts';
import { readSql } from './sql-file.ts';
import type { LockOptions, PlannedChange, StagingDatabase, WarehouseWriter } from './access.ts';

export { lakeBytes, openLake } from './lake-reader.ts';

/** The folder for what a load spills. */
export function lakeWorkFolder(dataDir: string): string {
  return join(dataDir, 'tmp');
}

/**
 * Does the work while no other process of this machine changes the lake.
 * @throws BusyError when another one does for longer than `waitMs`
 */
export async function withLakeLock<T>(
  { dataDir, clock, waitMs, signal, purpose }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const lock = { purpose: `${purpose} the warehouse`, waitMs, clock, signal };
  return withLock(join(lockFolder(dataDir), 'warehouse.lock'), lock, async () => {
    // killed loads leave their files there
    await rm(lakeWorkFolder(dataDir), { recursive: true, force: true });
    return work();
  });
}

/** Changes shards of the lake, each in one transaction under a lease of its own. */
export async function changeLake<T>(
  lake: LakeConfig,
  options: LockOptions,
  work: (writer: WarehouseWriter) => Promise<T>,
): Promise<T> {
  const { dataDir, clock, log, waitMs, signal } = options;
  return withLakeLock(options, async () => {
    const leases = await Leases.open({ catalog: lake.writer.catalog, dataDir, clock, log });
    const folder = lakeWorkFolder(dataDir);
    const writer = new LakeWriter({ lake, folder, clock, log, signal });
    const underLease = async <R>(name: string, task: (lease: Lease) => Promise<R>): Promise<R> => {
      const lease = await leases.acquire(name, waitMs, signal);
      return task(lease).finally(() => lease.release());
    };
    try {
      await underLease('open the lake', () => writer.open());
      // also those that this load does not touch: a reader needs one schema in all of them
      const outdated = await writer.listOutdatedShards();
      for (const shard of outdated)
        await underLease(`load ${shard}`, () => writer.change(shard, () => Promise.resolve()));
      // the connection knows the tables of the older schema, and views read those of the new one
      if (outdated.length > 0) await writer.close();
      return await work({
        read: (read) => writer.read(read),
        change: async (shard, plan) => {
          // most shards have nothing new for most loads, and need no lease
          const planned = await writer.peek(shard, plan);
          if (planned && 'done' in planned) return planned.done;
          return underLease(`load ${shard}`, async (lease) => {
            const value = await changeShard(writer, shard, plan, lease);
            await writer.tidy(shard);
            return value;
          });
        },
        refill: (shard, fill, mayLose = 0) =>
          underLease(`load ${shard}`, (lease) =>
            refillShard(writer, { shard, fill, mayLose }, lease),
          ),
      });
    } finally {
      await writer.close();
      await leases.close();
    }
  });
}

async function changeShard<T>(
  writer: LakeWriter,
  shard: string,
  plan: (published: Database | null) => Promise<PlannedChange<T>>,
  lease: Lease,
): Promise<T> {
  // an attempt whose COMMIT got no answer may have been committed: the next one then finds nothing to do
  let attempted: { readonly value: T } | null = null;
  return writer.change(shard, async (staging) => {
    const planned = await plan(staging.database);
    if ('done' in planned) return (attempted ?? { value: planned.done }).value;
    attempted = { value: await planned.change(staging) };
    await fence(staging.database, shard, lease);
    return attempted.value;
  });
}

/** Aborts the transaction of a shard that has more than the raw store. */
class LostRecords<T> extends Error {
  readonly result: { value: T; lost: number };

  constructor(value: T, lost: number) {
    super(`${lost} would be lost`);
    this.result = { value, lost };
  }
}

async function refillShard<T>(
  writer: LakeWriter,
  {
    shard,
    fill,
    mayLose,
  }: {
    readonly shard: string;
    readonly fill: (staging: StagingDatabase) => Promise<T>;
    readonly mayLose: number;
  },
  lease: Lease,
): Promise<{ value: T; lost: number }> {
  const refill = async (staging: StagingDatabase) => {
    await staging.database.run(await readSql('lake/empty.sql'));
    const value = await fill(staging);
    const before = { responses: 'known_responses', events: 'known_events' };
    const { rows } = await staging.database.query(await readSql('rebuild/lost.sql'), before);
    const lost = Number(rows[0]?.[0]);
    if (lost > mayLose) throw new LostRecords(value, lost);
    await fence(staging.database, shard, lease);
    return { value, lost };
  };
  try {
    return await writer.change(shard, refill);
  } catch (error) {
    if (error instanceof LostRecords) return error.result;
    throw error;
  }
}
