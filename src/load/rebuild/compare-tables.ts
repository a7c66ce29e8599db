import type { Cell } from '../../warehouse/cell.ts';
import { openSideBySide } from '../../warehouse/side-by-side.ts';
import { readSql } from '../../warehouse/sql-file.ts';

/** How a table of the rebuilt warehouse stands to the published one's. */
export interface TableDifference {
  readonly table: string;
  /** In the published warehouse. */
  readonly rows: number;
  /** Rows that the rebuilt one has not, by their keys. */
  readonly missing: number;
  /** Rows that only the rebuilt one has. */
  readonly extra: number;
  /** Rows of one key, with other values. */
  readonly differing: number;
  /** The first keys of those, three at most. */
  readonly examples: readonly string[];
}

/** Compares all tables of two warehouses, exactly and whatever the order of their rows. */
export async function compareTables(
  published: string,
  rebuilt: string,
  folder: string,
): Promise<TableDifference[]> {
  const database = await openSideBySide({ published, rebuilt }, folder);
  try {
    const read = await readSql('rebuild/difference.sql');
    const differences: TableDifference[] = [];
    const tables = await database.queryObjects(await readSql('rebuild/table_keys.sql'));
    for (const { table_name: table, key } of tables) {
      const params = {
        published: `published.${String(table)}`,
        rebuilt: `rebuilt.${String(table)}`,
        key: textsOf(key),
      };
      const [row] = await database.queryObjects(read, params);
      differences.push(differenceOf(String(table), row ?? {}));
    }
    return differences;
  } finally {
    database.close();
  }
}

export function isDifferent({ missing, extra, differing }: TableDifference): boolean {
  return missing + extra + differing > 0;
}

function differenceOf(table: string, row: Record<string, Cell>): TableDifference {
  return {
    table,
    rows: Number(row['rows']),
    missing: Number(row['missing']),
    extra: Number(row['extra']),
    differing: Number(row['differing']),
    examples: textsOf(row['examples']),
  };
}

function textsOf(cell: Cell | undefined): string[] {
  return Array.isArray(cell) ? cell.map(String) : [];
}
