import type { Database } from '../../src/warehouse/database.ts';
import { readDictionary, type DescribedTable } from '../../src/warehouse/schema.ts';

/** Returns the page docs/reference/tables.md. */
export async function tablesPage(database: Database): Promise<string> {
  const tables = await readDictionary(database);
  const parts = tables.map(describeTable).join('\n');
  return `# Tables\n\n[Data](../data.md) says how they are made. The columns have these comments in DuckDB too.\n\n${parts}`;
}

function describeTable({ name, comment, key, columns }: DescribedTable): string {
  const rows = columns.map(
    (column) =>
      `| \`${column.name}\` | ${column.type}${column.required ? ' not null' : ''} | ${column.comment} |`,
  );
  const head = ['| column | type | is |', '| --- | --- | --- |'];
  const keyLine = key === null ? '' : `\n\nKey: \`${key.join(', ')}\``;
  return `## ${name}\n\n${comment}${keyLine}\n\n${[...head, ...rows].join('\n')}\n`;
}
