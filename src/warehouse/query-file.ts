import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database, TypedColumn } from './database.ts';
import {
  csvColumn,
  type CsvColumnOptions,
  isBeyondBigint,
  isHuge,
  parquetColumn,
  putMarkFirst,
} from './export-column.ts';
import type { Parameters } from './parameters.ts';
import { quoteText, withoutEnd } from './sql-text.ts';

export interface CopyOptions extends CsvColumnOptions {
  /** True if the file begins with a byte order mark, by which some spreadsheets know UTF-8. */
  readonly bom?: boolean;
  readonly params?: Parameters;
}

/** A format of files for the rows of a query. */
interface FileFormat {
  /** The options of COPY. */
  readonly options: string;
  /** Returns SQL of a column as the file has it. */
  readonly shape: (column: TypedColumn) => string;
  readonly bom: boolean;
}

/**
 * Writes a query's rows, in its own order, as CSV of RFC 4180 in UTF-8 with a header. Nulls are
 * empty, empty texts `""`, times ISO 8601 in UTC.
 * @param sql one SELECT with a total `order by`
 * @returns how many rows
 */
export async function copyToCsv(
  database: Database,
  sql: string,
  path: string,
  options: CopyOptions,
): Promise<number> {
  const { bom = false, params = {} } = options;
  const format = {
    options: "format csv, header, delimiter ',', new_line '\\r\\n'",
    shape: (column: TypedColumn) => csvColumn(column, options),
    bom,
  };
  return copyTo(database, sql, path, format, params);
}

/**
 * Writes a query's rows, in its own order, as Parquet.
 * @param partition a column by whose values the rows go into files of their own; the path is then a folder
 * @returns how many rows
 */
export async function copyToParquet(
  database: Database,
  sql: string,
  path: string,
  params: Parameters = {},
  partition: string | null = null,
): Promise<number> {
  const large = await columnsBeyondBigint(database, sql, params);
  const files = partition === null ? '' : `, partition_by (${partition})`;
  const format = {
    options: `format parquet, compression zstd${files}`,
    shape: (column: TypedColumn) => parquetColumn(column, large.has(column.name)),
    bom: false,
  };
  return copyTo(database, sql, path, format, params);
}

/** The names of a query's columns that have an integer too large for BIGINT. */
async function columnsBeyondBigint(
  database: Database,
  sql: string,
  params: Parameters,
): Promise<ReadonlySet<string>> {
  const query = withoutEnd(sql);
  const columns = (await database.readColumns(query, params)).filter(isHuge);
  if (columns.length === 0) return new Set();
  const tests = columns.map(isBeyondBigint).join(', ');
  const { rows } = await database.query(`select ${tests} from (${query}\n)`, params);
  return new Set(columns.filter((_, at) => rows[0]?.[at] === true).map(({ name }) => name));
}

async function copyTo(
  database: Database,
  sql: string,
  path: string,
  { options, shape, bom }: FileFormat,
  params: Parameters,
): Promise<number> {
  const query = withoutEnd(sql);
  const columns = await database.readColumns(query, params);
  await mkdir(dirname(path), { recursive: true });
  const { rows } = await database.query(
    `copy (select ${columns.map(shape).join(', ')} from (${query}\n)) to ${quoteText(path)} (${options})`,
    params,
  );
  if (bom) await putMarkFirst(path);
  return Number(rows[0]?.[0] ?? 0);
}
