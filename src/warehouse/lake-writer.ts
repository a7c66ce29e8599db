import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LakeConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError, errorMessage } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from './database.ts';
import {
  attachLake,
  type Catalog,
  connectLake,
  differentShards,
  lakeName,
  requireNewestProgram,
} from './lake.ts';
import type { Lease } from './leases.ts';
import { mergeFiles, removeOldFiles } from './lake-maintenance.ts';
import { makeViews } from './lake-reader.ts';
import { migrate } from './schema.ts';
import { listSql, readSql } from './sql-file.ts';
import { CatalogLostError, FencedError, QueryError } from './warehouse-errors.ts';
import type { StagingDatabase } from './access.ts';

export interface LakeWriterOptions {
  readonly lake: LakeConfig;
  /** The folder for files that are removed afterwards. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

const attempts = 5;
const pauseMs = 500;
/** A load of one workspace adds some seven files to its shard. After a merge, 80 may be left. */
const maxSmallFiles = 200;
/** The time for which a reader of an older snapshot may need its files. */
const keepDays = 7;

/** Thrown in a transaction that is to be begun again, record by record: it cannot be undone in part. */
class CarefulReading extends Error {}

/** Changes shards one after another, over one connection. Close it. */
export class LakeWriter {
  readonly #options: LakeWriterOptions;
  readonly #folder: string;
  readonly #tidied = new Set<string>();
  #session: { readonly database: Database; readonly catalog: Catalog } | null = null;

  constructor(options: LakeWriterOptions) {
    this.#options = options;
    this.#folder = join(options.folder, randomUUID());
  }

  /**
   * Changes one shard, all or nothing, in one transaction. The lake and the shard are made where they are missing. The
   * caller is the shard's only loader.
   * @param work begins with what the shard has loaded, since it is run again after a conflict, and after a COMMIT of
   * which nobody knows whether it took place
   */
  async change<T>(shard: string, work: (staging: StagingDatabase) => Promise<T>): Promise<T> {
    const { clock, log, signal, lake } = this.#options;
    let isCareful = false;
    let hasBegun = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const database = await this.#openShard(shard);
        hasBegun = true;
        const staging = this.#staging(database, isCareful);
        return await database.transaction(() => work(staging));
      } catch (error) {
        this.#disconnect();
        if (signal?.aborted) {
          throw new InterruptedError('stopped while loading; what was under way was not changed', {
            cause: error,
          });
        }
        if (error instanceof CarefulReading) isCareful = true;
        else {
          const mayTry = hasBegun || error instanceof CatalogLostError;
          if (!mayTry || attempt >= attempts || !isWorthAnother(error)) throw error;
          const reason = errorMessage(error).split('\n')[0];
          log.warn({ shard, attempt, reason }, `the load into ${lakeName(lake)} is tried again`);
          await clock.sleep(pauseMs * 2 ** attempt, signal);
        }
      }
    }
  }

  /** Makes the lake where there is none. */
  async open(): Promise<void> {
    const { database } = (this.#session ??= await this.#connect());
    await requireNewestProgram(database, this.#options.lake);
  }

  /** Lists all shards if the schema of any may be older than this program's. */
  async listOutdatedShards(): Promise<string[]> {
    const { database, catalog } = (this.#session ??= await this.#connect());
    const [migrations, different] = [await listSql('migrations'), differentShards(catalog)];
    if (different.length === 0) return [];
    const counts = different.map(
      ({ name }) =>
        `select count(*) from lake.${name}.schema_files where starts_with(name, 'migrations/')`,
    );
    const { rows } = await database.query(counts.join(' union all '));
    const isCurrent = rows.every(([applied]) => Number(applied) >= migrations.length);
    return isCurrent ? [] : catalog.shards.map(({ name }) => name);
  }

  /** Reads all shards. @returns null where nothing was loaded */
  async read<T>(work: (database: Database) => Promise<T>): Promise<T | null> {
    const { database, catalog } = (this.#session ??= await this.#connect());
    if (catalog.shards.length === 0) return null;
    await makeViews(database, this.#options.lake, 'lake', catalog);
    return work(database);
  }

  /**
   * Reads a shard without its lease.
   * @returns null where nothing was loaded, or where {@link change} has to try
   */
  async peek<T>(shard: string, work: (database: Database) => Promise<T>): Promise<T | null> {
    const { database, catalog } = (this.#session ??= await this.#connect());
    if (!catalog.shards.some(({ name }) => name === shard)) return null;
    try {
      return await database.transaction(async () => {
        await database.run(`use lake.${shard}`);
        return work(database);
      });
    } catch {
      return null;
    }
  }

  /** Merges the files of a shard when it has many small ones. The caller holds its lease. */
  async tidy(shard: string): Promise<void> {
    const { log } = this.#options;
    const { database, catalog } = (this.#session ??= await this.#connect());
    const found = catalog.shards.find(({ name }) => name === shard);
    if (found === undefined || found.smallFiles <= maxSmallFiles || this.#tidied.has(shard)) return;
    this.#tidied.add(shard);
    try {
      await mergeFiles(database, found);
      await removeOldFiles(database, keepDays);
    } catch (error) {
      log.warn({ shard }, `the small files of ${shard} were not merged: ${errorMessage(error)}`);
    }
  }

  async close(): Promise<void> {
    this.#disconnect();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #disconnect(): void {
    this.#session?.database.close();
    this.#session = null;
  }

  #staging(database: Database, isCareful: boolean): StagingDatabase {
    return {
      database,
      folder: this.#folder,
      // a load is one transaction
      commitSoFar: () => Promise.resolve(),
      rollBack: () => Promise.reject(new CarefulReading()),
      isCareful,
    };
  }

  /** Its schema is then the current one, so that every statement means its tables. */
  async #openShard(shard: string): Promise<Database> {
    const { lake, signal } = this.#options;
    signal?.throwIfAborted();
    const { database } = (this.#session ??= await this.#connect());
    await requireNewestProgram(database, lake);
    await database.transaction(async () => {
      await database.run(`create schema if not exists lake.${shard}; use lake.${shard}`);
      const { isNew } = await migrate(database);
      if (isNew) await database.run(await readSql('lake/layout.sql'));
    });
    return database;
  }

  async #connect(): Promise<{ database: Database; catalog: Catalog }> {
    const { lake, signal } = this.#options;
    await mkdir(this.#folder, { recursive: true });
    const settings = { temp_directory: this.#folder, memory_limit: '1GiB' };
    const session = await connectLake(lake, lake.writer, settings);
    const { database, catalog } = session;
    try {
      if (signal) database.interruptOn(signal);
      const mode = catalog.snapshot === null ? 'create' : 'write';
      await attachLake(database, lake, lake.writer, 'lake', mode);
      return session;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** Two loaders of a shard write one row, so that only one of them commits; and no earlier one after a later one. */
export async function fence(
  database: Database,
  shard: string,
  { token, signal }: Pick<Lease, 'token' | 'signal'>,
): Promise<void> {
  await database.run('update load_fence set token = $token where token <= $token', { token });
  const { rows } = await database.query('select token from load_fence');
  if (signal.aborted || Number(rows[0]?.[0]) !== token) throw new FencedError(shard);
}

/** Another writer was first, or the catalog was lost while it was asked to commit. */
function isWorthAnother(error: unknown): boolean {
  if (error instanceof CatalogLostError) return true;
  return (
    error instanceof QueryError && /conflict|could not serialize|deadlock/i.test(error.message)
  );
}
