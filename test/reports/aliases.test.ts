import { expect, test } from 'vitest';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import { resolveSetValues } from '../../src/report/report-parameters.ts';
import { makeReportViews } from '../../src/report/section-query.ts';
import type { Database } from '../../src/warehouse/database.ts';
import { openSessionOn } from '../report/support/open-session.ts';
import { profiles, whole } from './support/golden-rows.ts';

/** A node of DuckDB's own syntax tree. */
type Node = Readonly<Record<string, unknown>>;

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const part of Object.values(value)) yield* nodesOf(part);
}

const nameOf = ({ type, column_names: names }: Node) =>
  type === 'COLUMN_REF' && Array.isArray(names) && names.length === 1 ? String(names[0]) : null;

const readsName = (tree: unknown, name: string) =>
  [...nodesOf(tree)].some((node) => nameOf(node) === name);

/** The aliases that other parts of their select read, unless they are made of a column of the same name. */
function readAliases(select: Node): string[] {
  const list = select['select_list'] as readonly Node[];
  const { where_clause: where, having, qualify } = select;
  return list.flatMap((item) => {
    const alias = String(item['alias']);
    const others = [list.filter((other) => other !== item), where, having, qualify];
    return readsName(others, alias) && !readsName(item, alias) ? [alias] : [];
  });
}

async function syntaxTrees(database: Database, texts: readonly string[]): Promise<Node[]> {
  const sql = 'select json_serialize_sql(text) from (select unnest($texts::varchar[]) as text)';
  const { rows } = await database.query(sql, { texts });
  // positions may be beyond what a number holds
  return rows.map(
    ([tree]) =>
      JSON.parse(String(tree).replaceAll(/"query_location":\d+/g, '"query_location":0')) as Node,
  );
}

/** Tells whether the tables of a select have a column of this name. */
async function hasColumn(database: Database, tree: Node, select: Node, name: string) {
  const [statement] = tree['statements'] as readonly Node[];
  const { cte_map } = statement?.['node'] as Node;
  const column = { class: 'COLUMN_REF', type: 'COLUMN_REF', alias: '', column_names: [name] };
  const bare = { where_clause: null, having: null, qualify: null, modifiers: [] };
  const node = {
    ...{ ...select, ...bare, cte_map, group_expressions: [], group_sets: [] },
    select_list: [{ ...column, query_location: 0 }],
  };
  const probe = JSON.stringify({ ...tree, statements: [{ ...statement, node }] });
  const { rows } = await database.query('select json_deserialize_sql($probe::json)', { probe });
  return database.query(`explain ${String(rows[0]?.[0])}`).then(
    () => true,
    () => false,
  );
}

test('no alias that its select reads is also a column of its tables, which would be read instead', async () => {
  const { database } = await openSessionOn({ profiles, linkedin_posts: [whole] });
  const hidden: string[] = [];
  let read = 0;
  for (const [name, definition] of await findReports([builtInReports])) {
    await makeReportViews(database, definition, resolveSetValues(definition, {}));
    const files = [...definition.sql].filter(([file]) => !/^_(groups|views)/.test(file));
    const texts = files.map(([, text]) =>
      text.replace(/;\s*$/, '').replaceAll(/\$[a-z_]+/g, 'null'),
    );
    for (const [index, tree] of (await syntaxTrees(database, texts)).entries()) {
      for (const select of nodesOf(tree)) {
        if (select['type'] !== 'SELECT_NODE') continue;
        for (const alias of readAliases(select)) {
          read += 1;
          if (await hasColumn(database, tree, select, alias))
            hidden.push(`${name}/${String(files[index]?.[0])}: ${alias}`);
        }
      }
    }
  }
  expect(hidden).toEqual([]);
  expect(read).toBeGreaterThan(5);
});
