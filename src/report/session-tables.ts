import type { DatabaseValue } from '../warehouse/cell.ts';
import type { Database } from '../warehouse/database.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { readMetricLists, readViews, withMetrics } from '../warehouse/schema.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { dimensionSql } from './dimension-sql.ts';
import { readSharedFile } from './report-catalog.ts';
import { useSession } from './report-scope.ts';

/** What every session has: macros, and the scope, which hides each table of the warehouse behind one of its own rows. */
export const always = ['report/macros', 'report/warning_text', 'unreadable', 'report/scope'];

/** What is made where it is read, in the order in which one script reads what another makes. */
export const onDemand = [
  'report/scoped_reviews',
  'report/scoped_events',
  'report/as_of_tables',
  'report/emv_prices',
  'views',
  'report/runs',
  'report/ledger',
  'report/campaigns',
  'report/asked_days',
  'readings/unread_days',
  'readings/failed_windows',
  'report/profile_coverage',
  'report/settings',
  'report/targets',
  'report/candidates',
  'report/equal_age',
  'report/unlinked_removals',
  'report/views',
  'report/priced_posts',
  'report/price_parts',
  'report/times',
  'report/warnings',
  'report/placed',
  'explain/key_values',
  'report/over_year',
  'report/unreadable',
  'report/coverage',
  'report/groups',
  'report/cards',
  'report/comparisons',
  'report/grouped_sections',
  'report/histories',
  'report/campaign_days',
  'report/changed',
];

interface Script {
  readonly sql: string;
  readonly makes: readonly string[];
  readonly reads: readonly string[];
}

/** Returns the tables, views and macros of the session that SQL reads, as its header says. */
export function readsOf(sql: string): string[] {
  const [, list = 'none'] = /^-- reads: (.+)$/m.exec(sql) ?? [];
  return list === 'none' ? [] : list.split(', ');
}

async function fileOf(name: string) {
  return { name, sql: await readSql(`${name}.sql`) };
}

/**
 * The tables, views and macros of a session, which all connections to its database see. Each is made when it is first
 * read: planning costs a millisecond or more for each, and few reports read all.
 */
export class SessionTables {
  readonly #database: Database;
  /** The name of the hidden warehouse. */
  readonly #catalog: string;
  readonly #params: Parameters;
  /** The scripts that have not run. */
  #left: readonly Script[] = [];

  /** @param params the values of the parameters of all scripts */
  constructor(database: Database, catalog: string, params: Parameters) {
    this.#database = database;
    this.#catalog = catalog;
    this.#params = params;
  }

  /** Makes what every session has. */
  async makeScope(): Promise<void> {
    for (const name of always) this.#add(await readSql(`${name}.sql`));
    this.#add(dimensionSql(await readSharedFile()));
    await this.make(null);
  }

  /**
   * Adds what is made where it is read.
   * @param isOfPast true for a session about a past day
   * @param isRepriced true for a session at prices of its own
   */
  async addOnDemand(isOfPast: boolean, isRepriced: boolean): Promise<void> {
    await this.#database.run(await readSql('metrics.sql'));
    const lists = await readMetricLists(this.#database);
    for (const name of onDemand) {
      if (name === 'report/as_of_tables' && !isOfPast) continue;
      if (name === 'report/emv_prices' && !isRepriced) continue;
      // the published views may be of an older version
      const files = name === 'views' ? await readViews(this.#database) : [await fileOf(name)];
      for (const file of files)
        if (!isRepriced || file.name !== 'views/emv_prices.sql')
          this.#add(withMetrics(file.sql, lists));
    }
  }

  #add(text: string): void {
    const isLake = this.#database.dataFolders.length > 0;
    const sql = (isLake ? text.replace('view scoped_posts', 'table scoped_posts') : text)
      .replaceAll(/\bwarehouse\.(?=[a-z])/g, `"${this.#catalog}".main.`)
      // only the connection that made a temporary table would see it
      .replaceAll(/^create or replace temp (?!table temp\.)/gm, 'create or replace ');
    const made = sql.matchAll(/^create or replace (?:table|view|macro) (\w+)/gm);
    const makes = [...made].map(([, name]) => String(name));
    this.#left = [...this.#left, { sql, makes, reads: readsOf(sql) }];
  }

  /** Makes what is named and has not been made, and what that reads. @param names null: everything */
  async make(names: Iterable<string> | null): Promise<void> {
    const wanted = new Set(names);
    const due = this.#left
      .toReversed()
      .filter(({ makes, reads }) => {
        const isWanted = names === null || makes.some((name) => wanted.has(name));
        if (isWanted) for (const name of reads) wanted.add(name);
        return isWanted;
      })
      .toReversed();
    this.#left = this.#left.filter((script) => !due.includes(script));
    for (const { sql } of due) await this.#database.run(sql, this.#params);
  }

  /** Runs a query of sql/, for which it makes what that reads. */
  async query<Row = Record<string, DatabaseValue>>(
    name: string,
    params: Parameters = {},
  ): Promise<Row[]> {
    const sql = await readSql(`${name}.sql`);
    await this.make(readsOf(sql));
    return this.#database.queryObjects<Row>(sql, params);
  }

  /**
   * Connects to the session's database again, to close that before the session. What SQL makes there in a temporary table,
   * view or macro hides what the session has of that name, and is gone when the connection is closed.
   */
  async connect(): Promise<Database> {
    const connection = await this.#database.connect();
    await connection.run(useSession);
    await connection.run(await readSql('metrics.sql'));
    await this.setVariables(connection);
    return connection;
  }

  /** Sets what macros read, which belongs to a connection. */
  setVariables(connection: Database): Promise<void> {
    return this.runOn(connection, 'report/variables');
  }

  /**
   * Runs a script of sql/ on a connection to the session's database, for which it makes what that reads.
   * @param others parameters that replace those of the session
   */
  async runOn(connection: Database, name: string, others: Parameters = {}): Promise<void> {
    const sql = await readSql(`${name}.sql`);
    await this.make(readsOf(sql));
    await connection.run(sql, { ...this.#params, ...others });
  }
}
