import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, LakeAccess, LakeConfig, WarehouseConfig } from '../config/config.ts';
import type {
  FinishedFile,
  LockOptions,
  ReadOptions,
  StagingDatabase,
  WarehouseWriter,
} from './access.ts';
import type { Database } from './database.ts';
import type { LeaseOptions, Leases } from './leases.ts';
import { listShards, shardOf } from './shard.ts';
import { WarehouseMissingError } from './warehouse-errors.ts';

/** The published tables: in a DuckDB file, or in a lake that machines share. A file is a lake of one shard. */
export interface Warehouse {
  /** The file, or the folder or bucket of the lake's data. */
  readonly location: string;
  /** The files of this machine that a change replaces. */
  readonly files: readonly string[];
  /** True if other machines may read and change it, too. */
  readonly isShared: boolean;
  /** The bucket in which machines share raw data, with the access to it; null: each has its own alone. */
  readonly rawBucket: { readonly url: string; readonly s3: LakeAccess['s3'] } | null;
  readonly shards: readonly string[];
  readonly shardOf: (workspace: string) => string;
  /**
   * Opens what is published for reading; what is published later is not seen.
   * @throws WarehouseMissingError when nothing has been loaded yet
   * @throws WarehouseSchemaError when its schema is not the one that this program's statements are written for
   * @throws LakeError when the lake cannot be reached
   */
  open(reading?: ReadOptions): Promise<Database>;
  /** @returns the size of what is published; null when nothing is */
  measureBytes(published: Database | null): Promise<number | null>;
  /** @returns locks that are not in the lock folder of `data_dir` */
  lockPaths(): Promise<readonly string[]>;
  /**
   * Does the work while no other process of this machine changes the warehouse.
   * @throws BusyError when another process changes it for longer than `waitMs`
   */
  lock<T>(options: LockOptions, work: () => Promise<T>): Promise<T>;
  /** Does the same with a writer. */
  change<T>(options: LockOptions, work: (writer: WarehouseWriter) => Promise<T>): Promise<T>;
  /** Opens the leases by which machines divide work. @throws RangeError for a warehouse that is not shared */
  openLeases(options: Omit<LeaseOptions, 'catalog'>): Promise<Leases>;
  /**
   * Removes what can be read of earlier states: files that an upgrade kept, or a lake's older snapshots.
   * @throws BusyError while others read the lake
   */
  removeEarlier(options: LockOptions): Promise<void>;
  /** Fills an empty DuckDB file, which is removed after `use`. */
  fillBeside<T, R>(
    options: LockOptions,
    fill: (staging: StagingDatabase) => Promise<T>,
    use: (file: FinishedFile<T>) => Promise<R>,
  ): Promise<R>;
}

/** For how many days a snapshot of a lake can be read, and a file stays after its last, unless one asks otherwise. */
export const keptSnapshotDays = 7;

/** The kind of warehouse that jobs.yaml names. Its code is imported when it is used. */
export function warehouseOf(config: WarehouseConfig): Warehouse {
  return typeof config === 'string' ? fileWarehouse(config) : lakeWarehouse(config);
}

function fileWarehouse(path: string): Warehouse {
  const code = () => import('./file-warehouse.ts');
  return {
    location: path,
    files: [path],
    isShared: false,
    rawBucket: null,
    shards: ['main'],
    shardOf: () => 'main',
    open: async (reading) => (await code()).openFile(path, reading),
    measureBytes: async () => (await code()).measureFile(path),
    lockPaths: async () => [await (await code()).fileLockPath(path)],
    lock: async (options, work) => (await code()).withFileLock({ ...options, path }, work),
    openLeases: () => Promise.reject(new RangeError('no machines share a warehouse file')),
    removeEarlier: async () => (await code()).removeEarlierFiles(path),
    change: async (options, work) => (await code()).changeFile({ ...options, path }, work),
    fillBeside: async (options, fill, use) =>
      (await code()).fillBesideFile({ ...options, path }, fill, use),
  };
}

function lakeWarehouse(lake: LakeConfig): Warehouse {
  const code = () => import('./lake-warehouse.ts');
  return {
    location: lake.data,
    files: [],
    isShared: true,
    rawBucket: lake.raw === null ? null : { url: lake.raw, s3: lake.writer.s3 },
    shards: listShards(lake),
    shardOf: (workspace) => shardOf(workspace, lake),
    open: async (reading) => (await code()).openLake(lake, reading),
    measureBytes: async (published) => published && (await code()).lakeBytes(published),
    lockPaths: () => Promise.resolve([]),
    lock: async (options, work) => (await code()).withLakeLock(options, work),
    openLeases: async (options) => {
      const { Leases } = await import('./leases.ts');
      return Leases.open({ ...options, catalog: lake.writer.catalog });
    },
    removeEarlier: async (options) => {
      const { maintainLake } = await import('./lake-maintenance.ts');
      await (await code()).withLakeLock(options, () => maintainLake(lake, 0, options));
    },
    change: async (options, work) => (await code()).changeLake(lake, options, work),
    // a lake has no folder of its own on this machine
    fillBeside: (options, fill, use) =>
      fileWarehouse(join(options.dataDir, 'beside.duckdb')).fillBeside(options, fill, use),
  };
}

export function openWarehouse(config: WarehouseConfig, reading?: ReadOptions): Promise<Database> {
  return warehouseOf(config).open(reading);
}

/** Opens the warehouse; null when nothing has been loaded yet. */
export async function openIfPresent(
  config: WarehouseConfig,
  reading?: ReadOptions,
): Promise<Database | null> {
  try {
    return await openWarehouse(config, reading);
  } catch (error) {
    if (error instanceof WarehouseMissingError) return null;
    throw error;
  }
}

/** Does the work with what is published, or with null when nothing has been loaded yet, and closes it. */
export async function withPublished<T>(
  config: WarehouseConfig,
  work: (database: Database | null) => Promise<T>,
  reading?: ReadOptions,
): Promise<T> {
  const database = await openIfPresent(config, reading);
  try {
    return await work(database);
  } finally {
    database?.close();
  }
}

/** Returns a text that differs once another file is published; null for a lake, or where there is none. */
export async function warehouseVersion({
  warehouse,
}: Pick<Config, 'warehouse'>): Promise<string | null> {
  const { isShared, location } = warehouseOf(warehouse);
  if (isShared) return null;
  const found = await stat(location).catch(() => null);
  return found && `${found.ino} ${found.mtimeMs} ${found.size}`;
}
