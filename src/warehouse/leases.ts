import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Secret } from '../config/secret.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { BusyError, errorMessage, UnreachableError } from '../core/errors.ts';
import { readIfPresent } from '../core/found-files.ts';
import { fieldOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { readSql } from './sql-file.ts';
import { CatalogLostError } from './warehouse-errors.ts';

/** The time after which a lease that nobody renews ends. */
const leaseMs = 30_000;
const renewMs = 5_000;
const pollMs = 500;
/** The time without a renewal after which the holder stops, well before another may begin. */
const renewalLimitMs = 20_000;

/** What node and PostgreSQL say of a server that restarts, or of a connection that it closed. */
const restarting =
  /^(?:ECONN|EPIPE|ETIMEDOUT|57P0[123]|08)|connection (?:terminated|ended)|timeout/i;

/** The reason for which work under a lease is aborted. */
class LeaseError extends UnreachableError {
  readonly code = 'LEASE';
}

/** The right to do a piece of work, such as `read s03`, for this process alone. */
export interface Lease {
  readonly name: string;
  /** A number that grows with each holder, so that a load by an earlier holder is refused. */
  readonly token: number;
  /** The time since another machine may last have sent requests. Null if this machine was the last holder. */
  readonly idleMs: number | null;
  /** Aborts once the lease is no longer certain. */
  readonly signal: AbortSignal;
  /** The given clock. Each look at it also checks whether the process stood still for too long. */
  readonly clock: Clock;
  release(): Promise<void>;
}

/** A scheduled run of a job. */
export interface FleetRun {
  readonly job: string;
  /** ISO 8601. */
  readonly slot: string;
}

export interface LeaseOptions {
  readonly catalog: Secret;
  /** The data folder, which holds this machine's rate budget. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The distribution of work over machines, kept in rows of the catalog's database and timed by its clock. The
 * caller closes it.
 */
export class Leases {
  readonly #pool: pg.Pool;
  readonly #options: LeaseOptions;
  readonly #holder: string;

  private constructor(pool: pg.Pool, options: LeaseOptions, holder: string) {
    this.#pool = pool;
    this.#options = options;
    this.#holder = holder;
  }

  /** @throws CatalogLostError if the catalog's database does not answer or refuses a query */
  static async open(options: LeaseOptions): Promise<Leases> {
    const holder = await readMachineId(options.dataDir);
    const pool = new pg.Pool({
      connectionString: options.catalog.reveal(),
      max: 2,
      connectionTimeoutMillis: 10_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    // an idle connection may be lost; the next query opens another
    pool.on('error', () => undefined);
    const leases = new Leases(pool, options, holder);
    try {
      await leases.#query('tables');
      return leases;
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  /**
   * Claims one of the named leases that nobody holds and that the run has not finished.
   * @returns null if there is none at the moment
   */
  async claim(names: readonly string[], run: FleetRun | null = null): Promise<Lease | null> {
    const { clock } = this.#options;
    await this.#query('rows', [names]);
    const askedMs = clock.monotonicMs();
    const [row] = await this.#query<{ name: string; token: string; idle_ms: number | null }>(
      'claim',
      [names, this.#holder, hostname(), leaseMs, run?.job, run?.slot],
    );
    return row ? this.#keep(row.name, Number(row.token), row.idle_ms, askedMs) : null;
  }

  /**
   * Waits until the lease is free and claims it.
   * @throws BusyError if another process holds it for longer than `waitMs`
   */
  async acquire(name: string, waitMs: number, signal?: AbortSignal): Promise<Lease> {
    const { clock } = this.#options;
    const deadline = clock.monotonicMs() + waitMs;
    for (;;) {
      const lease = await this.claim([name]);
      if (lease) return lease;
      if (clock.monotonicMs() >= deadline)
        throw new BusyError(
          `another process holds the lease "${name}"; try again later, or use --wait`,
        );
      await clock.sleep(pollMs, signal);
    }
  }

  /** Marks the work as finished, so that it is not done again for this run. */
  async finish(name: string, { job, slot }: FleetRun): Promise<void> {
    await this.#query('finish', [name, job, slot]);
  }

  /** Returns the work that the run has not finished, each with the host that now holds it. */
  async unfinished(
    names: readonly string[],
    { job, slot }: FleetRun,
  ): Promise<{ readonly name: string; readonly host: string | null }[]> {
    return this.#query('unfinished', [names, job, slot]);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #keep(name: string, token: number, idleMs: number | null, askedMs: number): Lease {
    const { clock, log } = this.#options;
    const lost = new AbortController();
    const released = new AbortController();
    let renewedMs = askedMs;
    const lose = (why: string) => {
      if (lost.signal.aborted || released.signal.aborted) return;
      log.error({ work: name }, `lost the lease of ${name}: ${why}; this process stops the work`);
      lost.abort(new LeaseError(`lost the lease of ${name}: ${why}`));
    };
    const look = () => {
      const nowMs = clock.monotonicMs();
      if (nowMs - renewedMs > renewalLimitMs)
        lose(`not renewed for ${Math.round((nowMs - renewedMs) / 1000)} s`);
      return nowMs;
    };
    const renew = async () => {
      const sentMs = look();
      if (lost.signal.aborted) return;
      try {
        const rows = await this.#queryOnce('renew', [name, token, leaseMs]);
        if (rows.length === 0) lose('another process holds it');
        else renewedMs = sentMs;
      } catch (error) {
        log.warn({ work: name }, `the lease of ${name} was not renewed: ${errorMessage(error)}`);
      }
    };
    const timer = setInterval(() => void renew(), renewMs);
    timer.unref();
    return {
      name,
      token,
      idleMs,
      signal: lost.signal,
      clock: {
        ...clock,
        now: () => clock.now(),
        monotonicMs: look,
        sleep: (...given) => clock.sleep(...given),
      },
      release: async () => {
        released.abort();
        clearInterval(timer);
        await this.#query('release', [name, token]);
      },
    };
  }

  /**
   * Waits while the database restarts, for as long as a lease is trusted without a renewal.
   * @throws CatalogLostError
   */
  async #query<Row extends object>(name: string, values?: unknown[]): Promise<Row[]> {
    const { clock, log } = this.#options;
    const deadline = clock.monotonicMs() + renewalLimitMs;
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#queryOnce(name, values);
      } catch (error) {
        if (!isRestarting(error) || clock.monotonicMs() >= deadline) throw error;
        if (isFirst) log.warn({}, `${errorMessage(error)}; trying again`);
        await clock.sleep(pollMs);
      }
    }
  }

  /** @throws CatalogLostError */
  async #queryOnce<Row extends object>(name: string, values?: unknown[]): Promise<Row[]> {
    const { catalog } = this.#options;
    try {
      const { rows } = await this.#pool.query<Row>(await readSql(`fleet/${name}.sql`), values);
      return rows;
    } catch (error) {
      throw new CatalogLostError(
        `${catalog.origin}: ${errorMessage(error)}; the catalog cannot be reached: check that PostgreSQL is running and accepts the address and the role in \${${catalog.variable}}`,
        { cause: error },
      );
    }
  }
}

function isRestarting(error: unknown): boolean {
  const { cause } = error instanceof CatalogLostError ? error : {};
  const code = fieldOf(cause, 'code');
  return (
    (typeof code === 'string' && restarting.test(code)) || restarting.test(errorMessage(cause))
  );
}

/** Reads the machine id, which belongs to the data folder wherever it is mounted. */
async function readMachineId(dataDir: string): Promise<string> {
  const path = join(dataDir, 'machine-id');
  const known = await readIfPresent(path);
  if (known !== null) return known.trim();
  const id = randomUUID();
  await writeFileAtomic(path, `${id}\n`);
  return id;
}
