import { stat } from 'node:fs/promises';
import {
  DuckDBInstance,
  StatementType,
  type DuckDBConnection,
  type DuckDBExtractedStatements,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBType,
} from '@duckdb/node-api';
import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';
import { BusyError, errorMessage } from '../core/errors.ts';
import { cellConversion, type DatabaseValue } from './cell.ts';
import { engineErrorOf, firstLine, machineErrorOf } from './engine-error.ts';
import { withValues, type Parameters } from './parameters.ts';
import { statementsOf, withoutEnd } from './sql-text.ts';
import { forbiddenFunction, tableFunctionsQuery } from './table-functions.ts';
import { QueryError, WarehouseFileError } from './warehouse-errors.ts';

keepByteOrderMarks();

export interface QueryColumn {
  readonly name: string;
  /** DuckDB's name of the type, for example `DECIMAL(38,3)` or `VARCHAR[]`. */
  readonly type: string;
}

export interface QueryResult {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly DatabaseValue[])[];
}

export interface TypedColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

const onlySelect = 'only a SELECT can be run here';

/** Names by what a session has loaded. */
const tableFunctions = new Map<string, ReadonlySet<string>>();

const interruptAgainMs = 50;
/** Rows of others' queries that are read into memory; files of CSV and Parquet may have more. */
export const maxRowsInMemory = 1_000_000;

/** A second thread takes a fifth more processor time to read a smaller file, and saves no time. */
const smallFileBytes = 64 * 2 ** 20;

type Access = 'READ_ONLY' | 'READ_WRITE';

/**
 * One open DuckDB file, or one in memory, whose session speaks UTC. Statements run one after another. Close it,
 * always: an open one holds the file's lock.
 */
export class Database {
  readonly path: string;
  /** Folders that its statements read, beside its own file: a lake's data. */
  readonly dataFolders: string[] = [];
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #isFirst: boolean;
  #isClosed = false;
  #interruption: NodeJS.Timeout | null = null;
  #signal: AbortSignal | null = null;
  #stopListening: () => void = () => undefined;

  private constructor(
    path: string,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    isFirst: boolean,
  ) {
    this.path = path;
    this.#instance = instance;
    this.#connection = connection;
    this.#isFirst = isFirst;
  }

  /**
   * @param path of a file, or `:memory:`; missing files are made, unless access is read-only
   * @param settings DuckDB's own, for example `{ temp_directory: … }`
   * @throws BusyError when another process has it open for writing
   * @throws WarehouseFileError when it is no DuckDB file
   * @throws WarehouseMachineError when the system denies access
   */
  static async open(
    path: string,
    access: Access,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Database> {
    const instance = await createInstance(path, {
      access_mode: access,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      ...settings,
    });
    try {
      const connection = await instance.connect();
      // the proxy's password is the environment's business, and anybody's SQL can read settings
      await connection.run("set global TimeZone = 'UTC'; set http_proxy = ''");
      if (access === 'READ_ONLY' && (await stat(path)).size < smallFileBytes)
        await connection.run('set threads = 1');
      return new Database(path, instance, connection, true);
    } catch (error) {
      instance.closeSync();
      throw engineErrorOf(error);
    }
  }

  /**
   * Connects to the same database again. The new connection sees the same tables, has temporary tables, views, macros and
   * variables of its own, and is interrupted by the same signal. Close it before this one.
   */
  async connect(): Promise<Database> {
    const connection = await this.#instance.connect();
    const again = new Database(this.path, this.#instance, connection, false);
    again.dataFolders.push(...this.dataFolders);
    if (this.#signal) again.interruptOn(this.#signal);
    return again;
  }

  /**
   * Refuses SQL of others that calls a table function which it may not.
   * @throws QueryError
   */
  async refuseFunctions(sql: string): Promise<void> {
    const name = forbiddenFunction(sql, await this.#listTableFunctions());
    if (name === null) return;
    throw new QueryError(
      `the function ${name} can reach more than the warehouse's tables, and cannot be used here`,
    );
  }

  /** They are the same for all sessions that have loaded the same extensions. */
  async #listTableFunctions(): Promise<ReadonlySet<string>> {
    const kind = this.dataFolders.length > 0 ? 'lake' : 'file';
    const known = tableFunctions.get(kind);
    if (known) return known;
    const { rows } = await this.query(tableFunctionsQuery);
    const names = new Set(rows.map(([name]) => String(name)));
    tableFunctions.set(kind, names);
    return names;
  }

  /** Runs a script of any number of statements. @throws QueryError, WarehouseMachineError */
  async run(sql: string, params: Parameters = {}): Promise<void> {
    await this.#execute(sql, params);
  }

  /** Runs one statement, or several and reads the last one's rows. @throws QueryError */
  async query(
    sql: string,
    params: Parameters = {},
    { maxRows = Infinity }: { maxRows?: number } = {},
  ): Promise<QueryResult> {
    return readResult(await this.#execute(sql, params), maxRows);
  }

  /** Reads the rows of one SELECT that the program did not write. @throws QueryError, also for anything else that a text may hold */
  async select(sql: string, params: Parameters = {}): Promise<QueryResult> {
    await this.refuseFunctions(sql);
    const result = await this.#execute(sql, params, async (text) => {
      const statement = await this.#prepareOne(text);
      try {
        if (statement.statementType !== StatementType.SELECT) throw new QueryError(onlySelect);
        return await statement.run();
      } finally {
        statement.destroySync();
      }
    });
    return readResult(result, maxRowsInMemory);
  }

  /**
   * Does nothing for one SELECT, which may then stand within another statement.
   * @throws QueryError for anything else
   */
  async requireSelect(sql: string): Promise<void> {
    await this.#requireOneStatement(sql);
    // to prepare it is to plan it, which most texts need not be for this
    if (/^\s*(?:--[^\n]*\n\s*)*(?:select|with|from)\b/i.test(sql)) return;
    try {
      const statement = await this.#prepareOne(sql);
      const { statementType: type } = statement;
      statement.destroySync();
      if (type !== StatementType.SELECT) throw new QueryError(onlySelect);
    } catch (error) {
      throw engineErrorOf(error);
    }
  }

  /** Makes what a script of `create …` defines. @throws QueryError, also for any other statement in it */
  async define(sql: string, params: Parameters = {}): Promise<void> {
    const statements = statementsOf(sql);
    if (statements.length === 0) return;
    await this.refuseFunctions(sql);
    const { count } = await this.#extract(sql);
    // to ask DuckDB which kind they are is to plan each of them once more
    if (count !== statements.length || !statements.every((text) => /^create\b/i.test(text)))
      throw new QueryError(
        'only views, tables and macros can be made here, by create or replace temp …',
      );
    await this.run(sql, params);
  }

  /**
   * The columns that one SELECT would give, under the names that it gives them, of which two may be the same.
   * It is planned and not run. @throws QueryError, also for none or several statements
   */
  async describe(sql: string, params: Parameters = {}): Promise<QueryColumn[]> {
    const query = withoutEnd(sql);
    if (query === '') throw new QueryError('there is no statement to run');
    await this.#requireOneStatement(sql);
    await this.refuseFunctions(sql);
    const before = 'describe ';
    try {
      const { rows } = await this.query(`${before}${query}`, params);
      return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const { message, cause } = error;
      const position = error.position === null ? null : Math.max(0, error.position - before.length);
      throw new QueryError(message, { cause, position });
    }
  }

  /**
   * The same rows as objects by column name, for statements of one's own.
   * @typeParam Row what the statement's columns are
   */
  async queryObjects<Row = Record<string, DatabaseValue>>(
    sql: string,
    params: Parameters = {},
  ): Promise<Row[]> {
    const { columns, rows } = await this.query(sql, params);
    return rows.map(
      (row) =>
        Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])) as Row,
    );
  }

  /** All that `work` does, or nothing of it. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.run('begin transaction');
    try {
      const result = await work();
      await this.run('commit');
      return result;
    } catch (error) {
      await this.run('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Stops what is running and refuses all that follows, with a QueryError: only closing is left. */
  interrupt(): void {
    if (this.#interruption || this.#isClosed) return;
    this.#connection.interrupt();
    // a statement that is just about to start does not hear of it
    this.#interruption = setInterval(() => this.#connection.interrupt(), interruptAgainMs);
    this.#interruption.unref();
  }

  /** Interrupts once the signal aborts, and no longer on an earlier one. */
  interruptOn(signal: AbortSignal): void {
    this.#stopListening();
    this.#signal = signal;
    const interrupt = () => this.interrupt();
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    this.#stopListening = () => signal.removeEventListener('abort', interrupt);
  }

  /** Lets go of the file, or of what a further connection made for itself. Closing again does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
    if (this.#interruption) clearInterval(this.#interruption);
    this.#connection.closeSync();
    if (this.#isFirst) this.#instance.closeSync();
  }

  async #execute(
    sql: string,
    params: Parameters,
    run = (text: string): Promise<DuckDBMaterializedResult> => this.#connection.run(text),
  ): Promise<DuckDBMaterializedResult> {
    if (this.#interruption) throw new QueryError('interrupted');
    const { text, positionBefore } = withValues(sql, params);
    try {
      return await run(text);
    } catch (cause) {
      const error = engineErrorOf(cause);
      if (!(error instanceof QueryError) || error.position === null) throw error;
      throw new QueryError(error.message, { cause, position: positionBefore(error.position) });
    }
  }

  async #extract(sql: string): Promise<DuckDBExtractedStatements> {
    try {
      return await this.#connection.extractStatements(sql);
    } catch (error) {
      throw engineErrorOf(error);
    }
  }

  async #prepareOne(sql: string): Promise<DuckDBPreparedStatement> {
    const statements = await this.#connection.extractStatements(sql);
    requireOne(statements);
    return statements.prepare(0);
  }

  async #requireOneStatement(sql: string): Promise<void> {
    requireOne(await this.#extract(sql));
  }

  /**
   * The columns of a query with their types, where the second of two with the same name has another one.
   * @throws QueryError, also for SQL that calls a function which it may not
   */
  async readColumns(query: string, params: Parameters): Promise<readonly TypedColumn[]> {
    await this.refuseFunctions(query);
    const result = await this.#execute(`from (${query}\n) limit 0`, params);
    const types = result.columnTypes();
    const names = result.columnNames();
    return types.map((type, at) => ({ name: names[at] ?? '', type }));
  }
}

function requireOne({ count }: { readonly count: number }): void {
  if (count === 1) return;
  throw new QueryError(`there are ${count} statements; write exactly one SELECT`);
}

async function createInstance(
  path: string,
  settings: Record<string, string>,
): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(path, settings);
  } catch (error) {
    const message = errorMessage(error);
    if (/Could not set lock|Conflicting lock/.test(message)) {
      throw new BusyError(`${path} is in use by another program: ${lockHolder(message)}`, {
        cause: error,
      });
    }
    const text = firstLine(error);
    throw (
      machineErrorOf(text, error) ??
      new WarehouseFileError(
        `${path} cannot be opened as a DuckDB file (${text}); \`postledger rebuild\` loads it again from the raw store and keeps this file beside it under another name; or name another file`,
        { cause: error },
      )
    );
  }
}

function lockHolder(message: string): string {
  return /held in (.*?\(PID \d+\))/.exec(message)?.[1] ?? 'close it and try again';
}

async function readResult(result: DuckDBMaterializedResult, maxRows: number): Promise<QueryResult> {
  if (result.rowCount > maxRows)
    throw new QueryError(
      `it gives ${result.rowCount} rows, and ${maxRows} are the most that can be shown; CSV and Parquet take any number`,
    );
  const types = result.columnTypes();
  const conversions = types.map(cellConversion);
  const rows: DatabaseValue[][] = [];
  // one chunk at a time, since each is a copy
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    for (const values of chunk.getRows()) {
      rows.push(values.map((value, index) => conversions[index]?.(value) ?? null));
    }
  }
  const columns = result.columnNames().map((name, index) => ({ name, type: String(types[index]) }));
  return { columns, rows };
}

/**
 * DuckDB's binding reads text with a decoder that drops a leading U+FEFF, so a post that begins with one
 * would come out other than it went in. It has no option for that; its decoder is replaced instead. The
 * version is pinned, and test/warehouse/database.test.ts fails if an update moves it.
 */
function keepByteOrderMarks(): void {
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
}
