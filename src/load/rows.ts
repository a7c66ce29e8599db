import type { Database } from '../warehouse/database.ts';
import type { Parameters } from '../warehouse/parameters.ts';
import { readSql } from '../warehouse/sql-file.ts';

/**
 * Runs a statement of ours and gives its rows as objects.
 * @typeParam Row what the statement's columns are; times are ISO 8601 in UTC
 * @param name relative to sql/
 */
export async function readRows<Row>(
  database: Database,
  name: string,
  params: Parameters = {},
): Promise<Row[]> {
  return (await database.queryObjects(await readSql(name), params)) as Row[];
}
