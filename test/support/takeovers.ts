import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestLake } from './lake-servers.ts';

/** A lease that a machine held when a fault hit it, and for how long it kept others waiting. */
export interface Takeover<Cause> {
  readonly cause: Cause;
  readonly lease: string;
  readonly token: number;
  readonly job: string;
  /** The time for which a machine could have taken it that had nothing else to do. */
  waitedMs: number;
  isOver: boolean;
}

interface Row {
  readonly name: string;
  readonly token: string;
  readonly holder: string;
  readonly is_held: boolean;
  readonly finished: readonly string[];
}

const sql = `select name, token, holder, expires_at > now() as is_held,
  array(select job from postledger.finished_work as finished where finished.name = leases.name) as finished
  from postledger.leases where name like 'read %'`;

/** Watches the leases of a lake's catalog, and measures how long each waits for another holder. */
export class Takeovers<Cause> {
  readonly all: Takeover<Cause>[] = [];
  readonly #pool: pg.Pool;

  constructor({ writer }: TestLake) {
    const timeouts = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };
    this.#pool = new pg.Pool({ connectionString: writer.catalog.reveal(), max: 1, ...timeouts });
    this.#pool.on('error', () => undefined);
    onTestFinished(() => this.#pool.end());
  }

  /** Expects that others take over what the machine reads for a job. */
  async expect(cause: Cause, machine: string, job: string): Promise<void> {
    for (const { name: lease, token, holder, is_held: isHeld } of await this.#rows())
      if (isHeld && holder === machine) {
        const is = { cause, lease, token: Number(token), job };
        this.all.push({ ...is, waitedMs: 0, isOver: false });
      }
  }

  /**
   * Watches until the signal aborts.
   * @param readyMachines gives the machines that could take over now
   */
  async watch(readyMachines: () => readonly string[], signal: AbortSignal): Promise<void> {
    for (let lastMs = performance.now(); !signal.aborted; ) {
      await delay(500);
      const rows = await this.#rows();
      const nowMs = performance.now();
      const open = this.all.filter(({ isOver }) => !isOver);
      for (const each of open) {
        const row = rows.find(({ name }) => name === each.lease);
        each.isOver =
          row !== undefined && (Number(row.token) > each.token || row.finished.includes(each.job));
      }
      const ready = readyMachines();
      const isOpen = ({ name, token }: Row) =>
        open.some((each) => each.lease === name && each.token === Number(token));
      const busy = new Set(
        rows.filter((row) => row.is_held && !isOpen(row)).map(({ holder }) => holder),
      );
      const isOneFree = rows.length > 0 && ready.some((name) => !busy.has(name));
      for (const each of open) if (isOneFree) each.waitedMs += nowMs - lastMs;
      lastMs = nowMs;
    }
  }

  /** None while the catalog does not answer. */
  async #rows(): Promise<readonly Row[]> {
    const found = await this.#pool.query<Row>(sql).catch(() => null);
    return found?.rows ?? [];
  }
}
