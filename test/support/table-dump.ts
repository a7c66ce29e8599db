import type { Config } from '../../src/config/config.ts';
import type { Cell } from '../../src/warehouse/cell.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';

/** The rows of every table of the published warehouse, or of all but some columns of it. */
export async function dumpTables(
  config: Pick<Config, 'warehouse'>,
  leaveOut: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, readonly (readonly Cell[])[]>> {
  const database = await openWarehouse(config.warehouse);
  try {
    const { rows } = await database.query(
      'select table_name from duckdb_tables() order by table_name',
    );
    const dump: Record<string, readonly (readonly Cell[])[]> = {};
    for (const [name] of rows) {
      const without = leaveOut[String(name)] ?? [];
      const columns = without.length === 0 ? '*' : `* exclude (${without.join(', ')})`;
      dump[String(name)] = (
        await database.query(`select ${columns} from ${String(name)} order by all`)
      ).rows;
    }
    return dump;
  } finally {
    database.close();
  }
}
