import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LakeConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError, errorMessage } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from './database.ts';
import { attachLake, connectLake, lakeName } from './lake.ts';
import { migrate } from './schema.ts';
import { listSql, readSql } from './sql-file.ts';
import { CatalogLostError, FencedError, QueryError } from './warehouse-errors.ts';
import type { StagingDatabase } from './work-file.ts';

export interface LakeWriterOptions {
  readonly lake: LakeConfig;
  /** The folder for files that are removed afterwards. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** The right to load a shard. */
interface ShardLease {
  /** Whoever had it earlier is refused from now on. */
  readonly token: number;
  /** Aborts once it is not certain any more. */
  readonly signal: AbortSignal;
}

interface Fenced<T> {
  readonly lease: ShardLease;
  /** Tells from the result of the work whether it has changed anything. */
  readonly isNeeded: (result: T) => boolean;
}

const attempts = 5;
const pauseMs = 500;

/** Thrown in a transaction that is to be begun again, record by record: it cannot be undone in part. */
class CarefulReading extends Error {}

/** Changes shards one after another, over one connection. Close it. */
export class LakeWriter {
  readonly #options: LakeWriterOptions;
  readonly #folder: string;
  #database: Database | null = null;

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
  async change<T>(
    shard: string,
    work: (staging: StagingDatabase) => Promise<T>,
    fenced: Fenced<T> | null = null,
  ): Promise<T> {
    const { clock, log, signal, lake } = this.#options;
    let isCareful = false;
    let hasBegun = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const database = await this.#openShard(shard);
        hasBegun = true;
        return await database.transaction(async () => {
          const result = await work(this.#staging(database, isCareful));
          if (fenced?.isNeeded(result)) await fence(database, shard, fenced.lease);
          return result;
        });
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
    this.#database ??= await this.#connect();
  }

  /** Lists the shards whose schema is an older one than this program's. */
  async listOutdatedShards(): Promise<string[]> {
    await this.open();
    const migrations = (await listSql('migrations')).length;
    const { rows: shards = [] } =
      (await this.#database?.query(
        "select schema_name from duckdb_tables() where database_name = 'lake' and table_name = 'schema_files'",
      )) ?? {};
    if (shards.length === 0) return [];
    const counts = shards.map(
      ([shard]) =>
        `select '${String(shard)}', count(*) from lake.${String(shard)}.schema_files where starts_with(name, 'migrations/')`,
    );
    const { rows = [] } = (await this.#database?.query(counts.join(' union all '))) ?? {};
    return rows
      .filter(([, applied]) => Number(applied) < migrations)
      .map(([shard]) => String(shard))
      .sort();
  }

  async close(): Promise<void> {
    this.#disconnect();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #disconnect(): void {
    this.#database?.close();
    this.#database = null;
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
    this.#options.signal?.throwIfAborted();
    await this.open();
    const database = this.#database;
    if (!database) throw new RangeError('the connection was closed');
    await database.run(`create schema if not exists lake.${shard}; use lake.${shard}`);
    await database.transaction(async () => {
      const { rows } = await database.query(
        `select count(*) from duckdb_tables() where database_name = 'lake' and schema_name = $shard`,
        { shard },
      );
      await migrate(database);
      if (Number(rows[0]?.[0]) === 0) await database.run(await readSql('lake/layout.sql'));
    });
    return database;
  }

  async #connect(): Promise<Database> {
    const { lake, signal } = this.#options;
    await mkdir(this.#folder, { recursive: true });
    const settings = { temp_directory: this.#folder, memory_limit: '1GiB' };
    const { database, catalog } = await connectLake(lake, lake.writer, settings);
    try {
      if (signal) database.interruptOn(signal);
      const mode = catalog.snapshot === null ? 'create' : 'write';
      await attachLake(database, lake, lake.writer, 'lake', mode);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** Two loaders of a shard write one row, so that only one of them commits; and no earlier one after a later one. */
async function fence(
  database: Database,
  shard: string,
  { token, signal }: ShardLease,
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
