import { workspacesBySlug, type Config } from '../config/config.ts';
import { readErasures, type ErasureRecord } from '../store/erasure.ts';
import { listEventKeys } from '../store/event-store.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { listRunNames, type RunName } from '../store/run-folder.ts';
import type { Database } from '../warehouse/database.ts';
import { readSql } from '../warehouse/sql-file.ts';
import type {
  LockOptions,
  PlannedChange,
  StagingDatabase,
  WarehouseWriter,
} from '../warehouse/access.ts';
import { warehouseOf, type Warehouse } from '../warehouse/warehouse.ts';
import {
  archiveLoaded,
  fetchMissingEvents,
  groupByShard,
  sharedErasures,
  withArchive,
} from './raw-bucket.ts';

/** The part of the raw store and of the config that one transaction takes. A file has one share, of everything. */
export interface Share {
  readonly shard: string;
  /** The config with the shard's workspaces alone. */
  readonly config: Config;
  /** The workspaces whose run folders are loaded, configured or not; left out: all. */
  readonly workspaces?: readonly string[] | undefined;
  /** The keys of events on disk, some of which may be loaded; left out: all. */
  readonly events?: readonly string[];
  /** Reads what was erased, by any machine, and must not come again. */
  erasures(): Promise<ErasureRecord>;
  /** Puts what is being loaded into the bucket that machines share, if there is one. */
  archive(loaded: LoadedFiles): Promise<void>;
}

interface LoadedFiles {
  /** The run folders to which nothing more is written. */
  readonly runs: readonly RunName[];
  readonly events: readonly string[];
}

export interface ShareOptions extends Omit<LockOptions, 'dataDir' | 'purpose'> {
  readonly config: Config;
  /** The workspaces whose shards are changed; left out: all. */
  readonly workspaces?: readonly string[];
  /** True if a share has the whole shard, with the events that are loaded. */
  readonly isWhole?: boolean;
  /** A participle for messages; default `loading`. */
  readonly purpose?: string;
}

interface Shares {
  readonly warehouse: Warehouse;
  readonly writer: WarehouseWriter;
  readonly bucket: RawArchive | null;
  readonly list: readonly Share[];
  /** True if a shard may have loaded events that belong to another one by now. */
  readonly areEventsMisplaced: boolean;
}

/** The workspaces of a lake that one transaction loads. */
const workspacesAtOnce = 50;

/**
 * Does the work with what there is to load, divided by shards, while no other process changes the warehouse.
 * @throws BusyError when another process does for longer than `waitMs`
 */
export async function withShares<T>(
  options: ShareOptions,
  work: (shares: Shares) => Promise<T>,
): Promise<T> {
  const { config, clock, log, waitMs, signal, purpose = 'loading', isDryRun } = options;
  const warehouse = warehouseOf(config.warehouse);
  const lock = { dataDir: config.dataDir, clock, log, waitMs, signal, purpose, isDryRun };
  return warehouse.change(lock, (writer) =>
    withArchive(options, async (bucket) => {
      const listed = warehouse.isShared
        ? await listShares({ warehouse, writer, bucket }, options)
        : { list: [wholeShare(warehouse, options)], areEventsMisplaced: false };
      return work({ warehouse, writer, bucket, ...listed });
    }),
  );
}

/** Changes each shard that has something in the config or the raw store, one transaction after another. */
export async function changeShares<T>(
  options: ShareOptions,
  plan: (share: Share, published: Database | null) => Promise<PlannedChange<T>>,
): Promise<T[]> {
  return withShares(options, async ({ warehouse, writer, bucket, list, areEventsMisplaced }) => {
    const misplaced = new Set<string>();
    const change = (share: Share) =>
      writer.change(share.shard, async (published): Promise<PlannedChange<T>> => {
        const planned = await plan(share, published);
        if (!areEventsMisplaced) return planned;
        return {
          change: async (staging) => {
            const value = 'done' in planned ? planned.done : await planned.change(staging);
            const removed = await removeMisplaced(staging, warehouse, options.config, share);
            for (const key of removed) misplaced.add(key);
            return value;
          },
        };
      });
    const results: T[] = [];
    for (const share of list) results.push(await change(share));
    for (const share of await listMisplaced(warehouse, bucket, [...misplaced], options))
      results.push(await change(share));
    return results;
  });
}

function wholeShare({ shards }: Warehouse, { config, workspaces }: ShareOptions): Share {
  return {
    shard: shards[0] ?? '',
    config,
    workspaces,
    erasures: () => readErasures(config.dataDir),
    archive: () => Promise.resolve(),
  };
}

async function listShares(
  { warehouse, writer, bucket }: Pick<Shares, 'warehouse' | 'writer' | 'bucket'>,
  { config, workspaces: asked, isWhole = false, log }: ShareOptions,
): Promise<Pick<Shares, 'list' | 'areEventsMisplaced'>> {
  const { dataDir } = config;
  const workspaces = new Set(asked ?? config.workspaces.keys());
  if (!asked) for await (const { workspace } of listRunNames(dataDir)) workspaces.add(workspace);
  const shards = new Set([...workspaces].map((workspace) => warehouse.shardOf(workspace)));
  const here = new Set(await listEventKeys(dataDir));
  const archived = (await bucket?.listEvents(asked ? [...shards] : null)) ?? new Map();
  const keys = [...new Set([...here, ...archived.keys()])];
  const { unloaded, areMisplaced } = await readEventState(writer, config, keys);
  const needed = isWhole ? keys : unloaded;
  if (bucket) await fetchMissingEvents(bucket, archived, config, log, needed);
  const events = await groupByShard(warehouse, config, needed);
  if (!asked) for (const shard of events.keys()) shards.add(shard);
  if (!asked && areMisplaced) for (const shard of warehouse.shards) shards.add(shard);
  const list = [...shards].sort().flatMap((shard) => {
    const own = [...workspaces].filter((key) => warehouse.shardOf(key) === shard);
    const share = shareOf(warehouse, bucket, config, shard);
    const size = isWhole ? Infinity : workspacesAtOnce;
    const batches = [{ ...share, workspaces: own.slice(0, size), events: events.get(shard) ?? [] }];
    for (let at = size; at < own.length; at += size)
      batches.push({ ...share, workspaces: own.slice(at, at + size), events: [] });
    return batches;
  });
  return { list, areEventsMisplaced: areMisplaced };
}

function shareOf(
  warehouse: Warehouse,
  bucket: RawArchive | null,
  config: Config,
  shard: string,
): Share {
  const own = [...config.workspaces].filter(([key]) => warehouse.shardOf(key) === shard);
  return {
    shard,
    config: { ...config, workspaces: new Map(own) },
    erasures: () => sharedErasures(bucket, config.dataDir),
    archive: async (loaded) => {
      if (bucket) await archiveLoaded(bucket, config.dataDir, { shard, ...loaded });
    },
  };
}

/** Lists the shares of events that were taken out of a shard since they belong to others. */
async function listMisplaced(
  warehouse: Warehouse,
  bucket: RawArchive | null,
  keys: readonly string[],
  { config, log }: ShareOptions,
): Promise<Share[]> {
  if (keys.length === 0) return [];
  if (bucket) await fetchMissingEvents(bucket, await bucket.listEvents(null), config, log, keys);
  return [...(await groupByShard(warehouse, config, keys))].map(([shard, events]) => ({
    ...shareOf(warehouse, bucket, config, shard),
    workspaces: [],
    events,
  }));
}

/** @returns the events that no shard has, and whether any that is loaded may be in the wrong shard */
async function readEventState(writer: WarehouseWriter, config: Config, keys: readonly string[]) {
  const unknown = { unloaded: keys, areMisplaced: false };
  if (keys.length === 0) return unknown;
  const slugs = JSON.stringify(Object.fromEntries(workspacesBySlug(config)));
  const state = await writer.read(async (database) => {
    const unloaded = await database.query(await readSql('status/unloaded_keys.sql'), { keys });
    const misplaced = await database.query(await readSql('lake/misplaced_events.sql'), { slugs });
    return {
      unloaded: unloaded.rows.map(([key]) => String(key)),
      areMisplaced: misplaced.rows[0]?.[0] === true,
    };
  });
  return state ?? unknown;
}

/** Takes events of other shards' workspaces out of this one. @returns their keys */
async function removeMisplaced(
  { database }: StagingDatabase,
  warehouse: Warehouse,
  config: Config,
  { shard }: Share,
): Promise<string[]> {
  const foreign = [...workspacesBySlug(config)].filter(
    ([, key]) => warehouse.shardOf(key) !== shard,
  );
  const params = { slugs: foreign.map(([slug]) => slug) };
  const { rows } = await database.query(await readSql('lake/stray_events.sql'), params);
  const keys = rows.map(([key]) => String(key));
  if (keys.length > 0)
    await database.run(await readSql('load/forget_events.sql'), { event_keys: keys });
  return keys;
}
