import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, LakeConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { acquireLock } from '../core/lock.ts';
import type { Log } from '../core/log.ts';
import { Leases, type Lease } from '../fleet/leases.ts';
import { listEventKeys } from '../store/event-store.ts';
import { lockFolder } from '../store/layout.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { listRunNames } from '../store/run-folder.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { LakeWriter } from '../warehouse/lake-writer.ts';
import { shardOf } from '../warehouse/shard.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type { Change, StagingDatabase } from '../warehouse/warehouse.ts';
import { fetchEvents, groupByShard, openArchive } from './lake-archive.ts';

/** What one transaction has of a shard's part of the raw store and of the config. */
export interface ShardShare {
  readonly shard: string;
  /** With all of the shard's workspaces, and no others. */
  readonly config: Config;
  /** Whose run folders are loaded; perhaps no longer configured. */
  readonly workspaces: readonly string[];
  /** Keys of events on disk; some may be loaded. */
  readonly events: readonly string[];
  /** The bucket of the raw store; null where there is none. */
  readonly archive: RawArchive | null;
}

export interface ShardOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Only their shards; left out: all. */
  readonly workspaces?: readonly string[];
  /** Whether a shard is done whole, with events that are loaded; else by some workspaces at a time. */
  readonly isWhole?: boolean;
}

/** How many are loaded in one transaction. */
const workspacesAtOnce = 50;

/**
 * Does `work` in each shard that has something in the config or the raw store, one transaction after another.
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
    const misplaced: string[] = [];
    const folder = lakeWorkFolder(config);
    const { dataDir } = config;
    const archive = await openArchive(lake, signal);
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
          const misplaced = await removeMisplaced(staging, lake, config, share);
          return { value, misplaced, isChanged: isChanged || misplaced.length > 0 };
        };
        const isNeeded = (result: { isChanged: boolean }) => result.isChanged;
        const done = await writer.change(share.shard, change, { lease, isNeeded });
        results.push(done.value);
        misplaced.push(...done.misplaced);
      });
    try {
      await underLease('open the lake', () => writer.open());
      for (const share of await listShares(lake, archive, options)) await workIn(share);
      for (const share of await listMisplaced(lake, archive, misplaced, options))
        await workIn(share);
      return results;
    } finally {
      archive?.close();
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

async function listShares(
  lake: LakeConfig,
  archive: RawArchive | null,
  { config, workspaces: asked, isWhole = false, log }: ShardOptions,
): Promise<ShardShare[]> {
  const { dataDir } = config;
  const workspaces = new Set(asked ?? config.workspaces.keys());
  if (!asked) for await (const { workspace } of listRunNames(dataDir)) workspaces.add(workspace);
  const shards = new Set([...workspaces].map((workspace) => shardOf(workspace, lake)));
  const here = new Set(await listEventKeys(dataDir));
  const archived = (await archive?.listEvents(asked ? [...shards] : null)) ?? new Map();
  const keys = [...new Set([...here, ...archived.keys()])];
  const { unloaded, areMisplaced } = await readEventState(config, keys);
  const needed = isWhole ? keys : unloaded;
  if (archive) await fetchMissingEvents(archive, archived, needed, { config, log });
  const events = await groupByShard(lake, config, needed);
  if (!asked) for (const shard of events.keys()) shards.add(shard);
  if (!asked && areMisplaced) for (const shard of allShards(lake)) shards.add(shard);
  return [...shards].sort().flatMap((shard) => {
    const own = [...workspaces].filter((key) => shardOf(key, lake) === shard);
    const share = { ...shareOf(lake, config, shard), archive };
    const size = isWhole ? Infinity : workspacesAtOnce;
    const batches = [{ ...share, workspaces: own.slice(0, size), events: events.get(shard) ?? [] }];
    for (let at = size; at < own.length; at += size)
      batches.push({ ...share, workspaces: own.slice(at, at + size), events: [] });
    return batches;
  });
}

function allShards(lake: LakeConfig): string[] {
  return Array.from({ length: lake.shards }, (_, index) => `s${String(index).padStart(2, '0')}`);
}

function shareOf(lake: LakeConfig, config: Config, shard: string) {
  const own = [...config.workspaces].filter(([key]) => shardOf(key, lake) === shard);
  return { shard, config: { ...config, workspaces: new Map(own) } };
}

/** Events that a shard had and that belong to others. */
async function listMisplaced(
  lake: LakeConfig,
  archive: RawArchive | null,
  keys: readonly string[],
  { config, log }: ShardOptions,
): Promise<ShardShare[]> {
  if (keys.length === 0) return [];
  if (archive)
    await fetchMissingEvents(archive, await archive.listEvents(null), keys, { config, log });
  return [...(await groupByShard(lake, config, keys))].map(([shard, events]) => ({
    ...shareOf(lake, config, shard),
    workspaces: [],
    events,
    archive,
  }));
}

/** Of these events, gets those that are not on this machine. */
async function fetchMissingEvents(
  archive: RawArchive,
  places: ReadonlyMap<string, string>,
  keys: readonly string[],
  { config: { dataDir }, log }: Pick<ShardOptions, 'config' | 'log'>,
): Promise<void> {
  const here = new Set(await listEventKeys(dataDir));
  const missing = keys.flatMap((key): [string, string][] => {
    const place = here.has(key) ? undefined : places.get(key);
    return place === undefined ? [] : [[key, place]];
  });
  await fetchEvents(archive, dataDir, missing, log);
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
async function removeMisplaced(
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
