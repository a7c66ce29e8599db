import { expect, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { copyToParquet } from '../../src/warehouse/query-file.ts';
import { forbiddenFunction, tableFunctionsQuery } from '../../src/warehouse/table-functions.ts';

const database = await Database.open(':memory:', 'READ_WRITE');
const { rows } = await database.query(tableFunctionsQuery);
database.close();
const known = new Set(rows.map(([name]) => String(name)));

/** Read and judged one by one: what DuckDB has beyond these is refused until it is judged, too. */
const harmless =
  `duckdb_columns duckdb_functions duckdb_keywords duckdb_tables duckdb_types duckdb_views generate_series
  histogram histogram_values icu_calendar_names json_each json_tree pg_timezone_names pragma_collations
  pragma_platform pragma_show pragma_table_info pragma_user_agent pragma_version range repeat repeat_row summary
  unnest version`.split(/\s+/);

test('of all table functions that DuckDB has these alone may be called', () => {
  const refused = [...known].filter((name) => forbiddenFunction(`from ${name}()`, known) !== null);
  expect([...known].filter((name) => !refused.includes(name)).sort()).toEqual(harmless);
  expect(refused).toEqual(
    expect.arrayContaining(['enable_logging', 'checkpoint', 'query', 'read_csv', 'glob']),
  );
});

test.each([
  "from enable_logging('QueryLog', storage='file')",
  'select * from ENABLE_LOGGING ()',
  'from "enable_logging"()',
  'from system.main."Enable_Logging" /* a comment */ -- another\n ()',
  'from linkedin_posts, lateral (select * from enable_logging())',
  'create temp view x as from enable_logging()',
  'create temp macro x() as table select 1 union all (from enable_logging())',
  "select 'it''s' || (from enable_logging())",
])('it is found in %j', (sql) => {
  expect(forbiddenFunction(sql, known)).toBe('enable_logging');
});

test('it is found before whatever DuckDB takes for a space', async () => {
  const session = await Database.open(':memory:', 'READ_WRITE');
  const spaces: string[] = [];
  for (let code = 1; code < 0x10000; code += 1) {
    const character = String.fromCharCode(code);
    if (!/[\p{Cc}\p{Cf}\p{Z}]/u.test(character)) continue;
    const found = session.query(`from duckdb_settings${character}() limit 0`);
    if (await found.then(Boolean, () => false)) spaces.push(character);
  }
  session.close();
  expect(spaces).toEqual(expect.arrayContaining([' ', '\n', '\u00a0', '\u200b', '\u2060']));
  const seen = spaces.filter((space) => forbiddenFunction(`from query${space}('x')`, known));
  expect(seen).toEqual(spaces);
});

test.each([
  "select 'enable_logging()'",
  'select 1 -- enable_logging()',
  'select enable_logging from x',
  'select count(*), sum(x) from own_macro(1)',
])('it is not seen in %j', (sql) => {
  expect(forbiddenFunction(sql, known)).toBeNull();
});

test('a session refuses it in whatever runs SQL of others', async () => {
  const session = await Database.open(':memory:', 'READ_WRITE');
  const sql = "from enable_logging('QueryLog', storage='file')";
  const refusal = "the function enable_logging can reach more than the warehouse's tables";
  await expect(session.select(sql)).rejects.toThrow(refusal);
  await expect(session.define(`create temp view x as ${sql}`)).rejects.toThrow(refusal);
  await expect(session.describe(sql)).rejects.toThrow(refusal);
  await expect(copyToParquet(session, sql, '/nowhere/x.parquet')).rejects.toThrow(refusal);
  session.close();
});
