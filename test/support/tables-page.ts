import { Database } from '../../src/warehouse/database.ts';

/** A table of the warehouse, as the migrations make it. */
interface Table {
  readonly name: string;
  readonly comments: string;
  columns: string;
}

/**
 * The page docs/reference/tables.md.
 * @param migrations their texts, in their order
 * @param metrics the text of sql/metrics.sql
 */
export async function tablesPage(migrations: readonly string[], metrics: string): Promise<string> {
  const tables = tablesOf(migrations.join('\n'));
  const parts = [...tables.map(describeTable), describeMetrics(tables, await readMetrics(metrics))];
  return `# Tables\n\n[Data](../data.md) describes them and the views.\n\n${parts.join('\n')}`;
}

/** Those that are created, with the columns that later migrations add. */
function tablesOf(sql: string): Table[] {
  const created = sql.matchAll(/((?:^--.*\n)*)^create table (\w+) \(\n?([^]*?)\);$/gm);
  const tables = [...created].map(([, comments = '', name = '', columns = '']): Table => {
    return { name, comments, columns: columns.replaceAll(/^ {2}/gm, '').trim() };
  });
  for (const [, name, column = ''] of sql.matchAll(/^alter table (\w+) add column (.*);$/gm)) {
    const table = tables.find((each) => each.name === name);
    if (table) table.columns += `,\n${column}`;
  }
  return tables;
}

/** With the comments above it and above its columns. */
function describeTable({ name, comments, columns }: Table): string {
  const said = comments
    .replaceAll(/^-- ?/gm, '')
    .trim()
    .replace(/^key: (.*)$/m, '\nKey: `$1`');
  return `## ${name}\n\n${said.trim()}\n\n\`\`\`sql\n${columns}\n\`\`\`\n`;
}

interface Metric {
  readonly metric: string;
  readonly title: string;
  readonly unit: string;
  readonly scope: string;
}

async function readMetrics(sql: string): Promise<Metric[]> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  try {
    await database.run(sql);
    return await database.queryObjects<Metric>(
      'select metric, title, unit, scope from metrics order by position',
    );
  } finally {
    database.close();
  }
}

/** Which posts have a metric, by its scope. */
const holders: Readonly<Record<string, string>> = {
  all: 'all',
  page: 'of pages',
  member: 'of members',
  video: 'videos',
};

/** The metrics that are columns of tables, and these tables. */
function describeMetrics(tables: readonly Table[], metrics: readonly Metric[]): string {
  const tablesWith = ({ metric }: Metric) =>
    tables.filter(({ columns }) => new RegExp(`^${metric} `, 'm').test(columns));
  const stored = metrics.filter((metric) => tablesWith(metric).length > 0);
  const names = [...new Set(stored.flatMap(tablesWith))].map(({ name }) => `\`${name}\``);
  const rows = stored.map(
    ({ metric, title, unit, scope }) =>
      `| \`${metric}\` | ${title} | ${unit} | ${holders[scope] ?? scope} |`,
  );
  const head = ['| column | is | unit | posts that have it |', '| --- | --- | --- | --- |'];
  return `## Metrics\n\nColumns of ${names.join(', ')}.\n\n${[...head, ...rows].join('\n')}\n`;
}
