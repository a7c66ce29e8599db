import type { Config } from '../../src/config/config.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';

/** Every row of every table of the published warehouse, all columns, in one order. */
export async function dumpTables(
  config: Pick<Config, 'warehouse'>,
): Promise<Record<string, unknown>> {
  const database = await openWarehouse(config.warehouse);
  try {
    const { rows } = await database.query(
      'select table_name from duckdb_tables() where not temporary order by table_name',
    );
    const dump: Record<string, unknown> = {};
    for (const [name] of rows) {
      dump[String(name)] = (await database.query(`from ${String(name)} order by all`)).rows;
    }
    return dump;
  } finally {
    database.close();
  }
}
