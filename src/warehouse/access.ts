import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from './database.ts';
import type { EngineLimits } from './engine-limits.ts';

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

/** Options of a change; its purpose is `loading` unless it is given, and the log names the files that are kept. */
export interface ChangeOptions
  extends
    Omit<LockOptions, 'dataDir' | 'log' | 'purpose'>,
    Partial<Pick<LockOptions, 'log' | 'purpose'>> {
  /** The path of the published file itself, not of a link to it, once the lock is held. */
  readonly path: string;
}

/** A warehouse to work on, invisible until it is published. */
export interface StagingDatabase {
  readonly database: Database;
  /** Room for files; gone afterwards. */
  readonly folder: string;
  /** Ends a transaction and begins the next, so that a large change gives back what memory it holds. */
  commitSoFar(): Promise<void>;
  /** Undoes what was done since the last commit, and begins the next transaction. */
  rollBack(): Promise<void>;
  /** True if a load that failed before now reads record by record. */
  readonly isCareful: boolean;
}

/** A work file that is whole, checked and closed, and not yet published. */
export interface FinishedFile<T> {
  readonly path: string;
  /** Room for files; gone afterwards. */
  readonly folder: string;
  readonly value: T;
  /** The published file as it was when the work began; null when there was none that DuckDB can open. */
  readonly published: string | null;
  /**
   * Takes the published file's place. One that DuckDB cannot open, or that has the tables of an older version, is kept
   * beside it under another name.
   * @throws BusyError when another program has changed the published file since
   */
  publish(): Promise<void>;
}

/** A change that was planned by what is published: its result at once when nothing has to be done, or the work. */
export type PlannedChange<T> =
  { readonly done: T } | { readonly change: (staging: StagingDatabase) => Promise<T> };

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
