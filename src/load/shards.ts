import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, LakeConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { acquireLock } from '../core/lock.ts';
import type { Log } from '../core/log.ts';
import { Leases, type Lease } from '../fleet/leases.ts';
import { listEventKeys } from '../store/event-store.ts';
import { lockFolder } from '../store/layout.ts';
import { listRunNames } from '../store/run-folder.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { shardOf } from '../warehouse/lake.ts';
import { LakeWriter } from '../warehouse/lake-writer.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { Change, StagingDatabase } from '../warehouse/warehouse.ts';
import { readEvents } from './load-events.ts';

/** What one shard has of the raw store and of the config. */
export interface ShardShare {
  readonly shard: string;
  /** With its workspaces alone. */
  readonly config: Config;
  /** Of the raw store too, those that are no longer configured. */
  readonly workspaces: readonly string[];
  /** Keys of events on disk; some may be loaded. */
  readonly events: readonly string[];
}

export interface ShardOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Only their shards; left out: all. */
  readonly workspaces?: readonly string[];
  /** Whether events that are loaded are shared out too. */
  readonly takesLoaded?: boolean;
}

/**
 * Does `work` in each shard that has something in the config or the raw store, one after another, each in a
 * transaction of its own.
 * @throws BusyError when another process loads for longer than `waitMs`
 */
export async function inShards<T>(
  lake: LakeConfig,
  options: ShardOptions,
  work: (staging: StagingDatabase, share: ShardShare) => Promise<Change<T>>,
): Promise<T[]> {
  const { config, clock, log, signal } = options;
  return withLakeLock({ ...options, purpose: 'loading the warehouse' }, async () => {
    const results: T[] = [];
    const strays: string[] = [];
    const folder = lakeWorkFolder(config);
    const { dataDir } = config;
    const leases = await Leases.open({ catalog: lake.writer.catalog, dataDir, clock, log });
    const writer = new LakeWriter({ lake, folder, clock, log, signal });
    const underLease = async (name: string, work: (lease: Lease) => Promise<void>) => {
      const lease = await leases.acquire(name, options.waitMs, signal);
      await work(lease).finally(() => lease.release());
    };
    const workIn = (share: ShardShare) =>
      underLease(`load ${share.shard}`, async (lease) => {
        const change = async (staging: StagingDatabase) => {
          const { value, isChanged } = await work(staging, share);
          const strays = await removeStrays(staging, lake, config, share);
          return { value, strays, isChanged: isChanged || strays.length > 0 };
        };
        const isNeeded = (result: { isChanged: boolean }) => result.isChanged;
        const done = await writer.change(share.shard, change, { lease, isNeeded });
        results.push(done.value);
        strays.push(...done.strays);
      });
    try {
      await underLease('open the lake', () => writer.open());
      for (const share of await shareOut(lake, options)) await workIn(share);
      for (const share of await shareEvents(lake, config, strays)) await workIn(share);
      return results;
    } finally {
      await writer.close();
      await leases.close();
    }
  });
}

/**
 * Does `work` while no other process of this machine changes the lake.
 * @throws BusyError when another one does for longer than `waitMs`
 */
export async function withLakeLock<T>(
  { config, clock, waitMs, signal, purpose }: Omit<ShardOptions, 'log'> & { purpose: string },
  work: () => Promise<T>,
): Promise<T> {
  const lock = await acquireLock(join(lockFolder(config.dataDir), 'warehouse.lock'), {
    purpose,
    waitMs,
    clock,
    ...(signal && { signal }),
  });
  try {
    // what killed loads left
    await rm(lakeWorkFolder(config), { recursive: true, force: true });
    return await work();
  } finally {
    await lock.release();
  }
}

/** For what a load has to spill; the folders in it go away with each. */
export function lakeWorkFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'tmp');
}

async function shareOut(
  lake: LakeConfig,
  { config, workspaces: asked, takesLoaded = false }: ShardOptions,
): Promise<ShardShare[]> {
  const workspaces = new Set(asked ?? config.workspaces.keys());
  if (!asked)
    for await (const { workspace } of listRunNames(config.dataDir)) workspaces.add(workspace);
  const keys = await listEventKeys(config.dataDir);
  const { unloaded, areMisplaced } = await readEventState(config, keys);
  const events = await shareEvents(lake, config, takesLoaded ? keys : unloaded);
  const shards = new Set([...workspaces].map((workspace) => shardOf(workspace, lake)));
  if (!asked) for (const { shard } of events) shards.add(shard);
  if (!asked && areMisplaced) for (const shard of allShards(lake)) shards.add(shard);
  return [...shards].sort().map((shard) => ({
    ...shareOf(lake, config, shard),
    workspaces: [...workspaces].filter((key) => shardOf(key, lake) === shard),
    events: events.find((share) => share.shard === shard)?.events ?? [],
  }));
}

function allShards(lake: LakeConfig): string[] {
  return Array.from({ length: lake.shards }, (_, index) => `s${String(index).padStart(2, '0')}`);
}

function shareOf(lake: LakeConfig, config: Config, shard: string) {
  const own = [...config.workspaces].filter(([key]) => shardOf(key, lake) === shard);
  return { shard, config: { ...config, workspaces: new Map(own) }, workspaces: [] as string[] };
}

/** Each goes where the workspace is that has its slug; one of an unknown slug to the shard of that name. */
async function shareEvents(
  lake: LakeConfig,
  config: Config,
  keys: readonly string[],
): Promise<ShardShare[]> {
  const slugs = new Map(slugsOf(config));
  const shares = new Map<string, string[]>();
  const put = (key: string, slug: string) => {
    const shard = shardOf(slugs.get(slug) ?? slug, lake);
    shares.set(shard, [...(shares.get(shard) ?? []), key]);
  };
  const readable = await readEvents(config.dataDir, keys, () => undefined);
  const slugOf = new Map(readable.map((event) => [event.event_key, event.workspace_slug ?? '']));
  // the load warns of those that cannot be read
  for (const key of keys) put(key, slugOf.get(key) ?? '');
  return [...shares].map(([shard, events]) => ({ ...shareOf(lake, config, shard), events }));
}

/** Of these events, those that no shard has; and whether any that is loaded may be in the wrong one. */
async function readEventState(config: Config, keys: readonly string[]) {
  const database = keys.length === 0 ? null : await openIfPresent(config.warehouse);
  if (database === null) return { unloaded: keys, areMisplaced: false };
  try {
    const unloaded = await database.query(await readSql('status/unloaded_keys.sql'), { keys });
    const [row] = await database.queryObjects(await readSql('lake/misplaced_events.sql'), {
      slugs: JSON.stringify(Object.fromEntries(slugsOf(config))),
    });
    return {
      unloaded: unloaded.rows.map(([key]) => String(key)),
      areMisplaced: row?.['is_any'] === true,
    };
  } finally {
    database.close();
  }
}

function slugsOf({ workspaces }: Config): [slug: string, key: string][] {
  return [...workspaces.values()].map(({ slug, key }) => [slug, key]);
}

/** Takes events of other shards' workspaces out of this one. @returns their keys */
async function removeStrays(
  { database }: StagingDatabase,
  lake: LakeConfig,
  config: Config,
  { shard }: ShardShare,
): Promise<string[]> {
  const foreign = slugsOf(config).filter(([, key]) => shardOf(key, lake) !== shard);
  const params = { slugs: foreign.map(([slug]) => slug) };
  const { rows } = await database.query(await readSql('lake/stray_events.sql'), params);
  const keys = rows.map(([key]) => String(key));
  if (keys.length > 0)
    await database.run(await readSql('load/forget_events.sql'), { event_keys: keys });
  return keys;
}
