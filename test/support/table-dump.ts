import type { Config } from '../../src/config/config.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';

/**
 * Every row of every table of the published warehouse, in one order.
 * @param what SQL for the columns
 */
export async function dumpTables(
  config: Pick<Config, 'warehouse'>,
  what = '*',
): Promise<Record<string, unknown>> {
  const database = await openWarehouse(config.warehouse);
  try {
    const { rows } = await database.query(
      `select table_name from information_schema.tables
      where table_catalog = current_database() and table_schema = 'main'
        and table_name not in ('data_warnings', 'emv_prices', 'post_label_names', 'post_media', 'post_performance')
      order by table_name`,
    );
    const dump: Record<string, unknown> = {};
    for (const [name] of rows) {
      dump[String(name)] = (
        await database.query(`select ${what} from ${String(name)} order by all`)
      ).rows;
    }
    return dump;
  } finally {
    database.close();
  }
}
