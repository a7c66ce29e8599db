import { dirname } from 'node:path';
import { z } from 'zod';
import type { WarehouseConfig } from '../config/config.ts';
import { PostledgerError, UsageError } from '../core/errors.ts';
import { maxRowsInMemory, type Database } from '../warehouse/database.ts';
import { locateErrors } from '../warehouse/engine-error.ts';
import { lockDown, type EngineLimits } from '../warehouse/engine-limits.ts';
import { copyToCsv, copyToParquet } from '../warehouse/query-file.ts';
import { openWarehouse } from '../warehouse/warehouse.ts';
import { QueryError } from '../warehouse/warehouse-errors.ts';
import { openEmptyWarehouse } from './report-check.ts';
import type { ReportTable } from './report-document.ts';
import { type CsvOptions, plainCsv } from './section-export.ts';
import { plainTable } from './section-table.ts';

/** The result of DuckDB's parser: the statements, all of them SELECTs, or an error. */
const parsedSchema = z.union([
  z.object({ error: z.literal(false), statements: z.array(z.unknown()) }),
  z.object({
    error: z.literal(true),
    error_type: z.string(),
    error_message: z.string(),
    position: z.coerce.number().optional(),
  }),
]);

/** One SELECT, the published warehouse to run it on, and its resource limits. */
export interface AdHocQuery {
  readonly warehouse: WarehouseConfig;
  readonly sql: string;
  readonly limits?: EngineLimits;
}

/**
 * Runs one SELECT on the published warehouse. `with … select`, `from …`, `values`, `describe`, `summarize`,
 * `show tables` and `explain` of these count as SELECTs too. The query reads no file and changes nothing.
 * @throws UsageError for any other statement
 * @throws QueryError if the database refuses the query
 */
export async function runAdHocQuery(query: AdHocQuery): Promise<ReportTable> {
  return onLocked(query, null, async (database) => {
    await refuseAllButSelect(database, query.sql.replace(explainPattern, ''));
    return plainTable(await database.query(query.sql, {}, { maxRows: maxRowsInMemory }));
  });
}

/**
 * Runs the SELECT of a user's file, or only plans it, on an empty warehouse if the configured one cannot be read.
 * @returns its rows; null if it was only planned
 * @throws QueryError with the position of what is wrong
 */
export async function runFileQuery(
  { warehouse, sql, limits }: AdHocQuery,
  isDryRun: boolean,
): Promise<ReportTable | null> {
  const opened = openWarehouse(warehouse, { limits, isForAnySql: true });
  const database = await opened.catch((error: unknown) => {
    if (isDryRun && error instanceof PostledgerError) return openEmptyWarehouse(limits);
    throw error;
  });
  try {
    await database.run(locateErrors);
    await lockDown(database, null);
    await requireSelect(database, sql);
    await database.describe(sql);
    return isDryRun
      ? null
      : plainTable(await database.query(sql, {}, { maxRows: maxRowsInMemory }));
  } finally {
    database.close();
  }
}

/**
 * Writes the result of one SELECT to a file, which is complete or absent.
 * @param path the file's path, in an otherwise empty folder
 * @returns the number of rows
 */
export async function exportAdHocQuery(
  query: AdHocQuery,
  path: string,
  format: 'csv' | 'parquet',
  { bom, raw, timezone }: CsvOptions & { readonly timezone?: string } = plainCsv,
): Promise<number> {
  return onLocked(query, dirname(path), async (database) => {
    await refuseAllButSelect(database, query.sql);
    return format === 'csv'
      ? copyToCsv(database, query.sql, path, {
          guard: !raw,
          bom,
          ...(timezone && { timezone }),
        })
      : copyToParquet(database, query.sql, path);
  });
}

/**
 * Runs `work` on the locked database.
 * @param folder the only folder that the session may access; null for none
 */
async function onLocked<Result>(
  { warehouse, limits }: AdHocQuery,
  folder: string | null,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openWarehouse(warehouse, { limits, isForAnySql: true });
  try {
    await lockDown(database, folder);
    return await work(database);
  } finally {
    database.close();
  }
}

const explainPattern = /^\s*explain(\s+analyze)?\b/i;

/** @throws UsageError for what the command line gave */
async function refuseAllButSelect(database: Database, sql: string): Promise<void> {
  await requireSelect(database, sql).catch((error: unknown) => {
    throw error instanceof QueryError ? new UsageError(`sql: ${error.message}`) : error;
  });
}

/** @throws QueryError for anything else than one SELECT that calls only functions which it may */
async function requireSelect(database: Database, sql: string): Promise<void> {
  const { rows } = await database.query('select json_serialize_sql($sql::varchar)', { sql });
  const parsed = parsedSchema.parse(JSON.parse(String(rows[0]?.[0])));
  if (parsed.error && parsed.error_type === 'parser')
    throw new QueryError(parsed.error_message, { position: parsed.position ?? null });
  if (parsed.error)
    throw new QueryError('only a SELECT can be run here; the warehouse is changed by `load` alone');
  const { length } = parsed.statements;
  if (length !== 1) throw new QueryError(`there are ${length} statements; give exactly one SELECT`);
  await database.refuseFunctions(sql);
}
