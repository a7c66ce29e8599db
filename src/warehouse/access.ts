import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from './database.ts';
import type { EngineLimits } from './engine-limits.ts';
import type { StagingDatabase } from './work-file.ts';

/** Options of opening a warehouse for reading. */
export interface ReadOptions {
  /** The limits of a session that runs others' SQL. */
  readonly limits?: EngineLimits | undefined;
  /** The workspaces that are read; rows of others may be there as well. Left out: all workspaces. */
  readonly workspaces?: readonly string[] | undefined;
  /** True if the session runs SQL that can name any function: it could reach a lake's catalog by its role. */
  readonly isForAnySql?: boolean | undefined;
}

export interface LockOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The time to wait while another process changes the warehouse; 0: none. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** A participle for messages, such as `loading`. */
  readonly purpose: string;
  /** True if a file is changed in a copy that is not published. */
  readonly isDryRun?: boolean | undefined;
}

/** A change that was planned by what is published: its result at once when nothing has to be done, or the work. */
export type PlannedChange<T> =
  | { readonly done: T }
  | { readonly change: (staging: StagingDatabase) => Promise<T> };

/** Changes the shards of a warehouse, one after another. */
export interface WarehouseWriter {
  /** Reads what is published in all shards. @returns null where nothing is */
  read<T>(work: (published: Database) => Promise<T>): Promise<T | null>;
  /**
   * Changes a shard, all or nothing.
   * @param plan reads what the change depends on, from null where nothing is published yet. It is called again after
   * a conflict with another writer
   */
  change<T>(
    shard: string,
    plan: (published: Database | null) => Promise<PlannedChange<T>>,
  ): Promise<T>;
  /**
   * Fills an empty shard, which then takes the place of the published one. Nothing is published when more responses or
   * events would be lost than may be.
   * @returns what `fill` returned, and how many would be lost
   */
  refill<T>(
    shard: string,
    fill: (staging: StagingDatabase) => Promise<T>,
    mayLose?: number,
  ): Promise<{ value: T; lost: number }>;
}
