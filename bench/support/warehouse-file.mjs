import { access, readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const checksFolder = resolve(import.meta.dirname, '../../sql/checks');

/** Reads a published warehouse as any other program would. Null when there is none. */
export async function withWarehouse(path, work) {
  if (!(await exists(path))) return null;
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY', threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    return await work((sql) => rowsOf(connection, sql));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Integers beyond 2^53 and decimals as texts, times in ISO 8601. */
async function rowsOf(connection, sql) {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowObjectsJson();
}

/** What a load calls new and touched: here everything. */
const everything = `
create or replace temp macro among_own(text) as text;
create or replace temp table new_responses as
select loaded.*, windows.records
from loaded_responses as loaded
left join extract_windows as windows using (workspace, run_id, seq);
create or replace temp table new_parts as from run_parts;
create or replace temp table touched_posts as from linkedin_posts;
create or replace temp table touched_days as from linkedin_post_snapshots;
create or replace temp table touched_details as from posts;
create or replace temp table touched_labels as from labels;
create or replace temp table touched_campaigns as from campaigns;
create or replace temp table touched_events as from webhook_events;
`;

/** What the published file breaks of the rules of sql/checks, a sentence each. */
export async function brokenRules(query) {
  const problems = [];
  for (const statement of everything.split(';').slice(0, -1)) await query(statement);
  const names = (await readdir(checksFolder)).filter((name) => name.endsWith('.sql'));
  for (const name of names) {
    const rows = await query(await readFile(join(checksFolder, name), 'utf8'));
    if (rows.length > 0) problems.push(`sql/checks/${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return problems;
}

export async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

const iso = (column) => `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ') as ${column}`;

/** The rows of two tables, with times as `toISOString` writes them. */
export async function readPosts(query) {
  const columns = (await query('describe linkedin_posts')).map(({ column_name: name }) => name);
  const times = ['published_at', 'first_seen_at', 'last_seen_at'];
  const own = columns.filter((name) => !['reading_id', 'extra'].includes(name));
  return query(
    `select ${own.map((name) => (times.includes(name) ? iso(name) : name)).join(', ')}
     from linkedin_posts order by linkedin_post_id`,
  );
}

export async function readSnapshots(query) {
  return query(
    `select * exclude (captured_on, captured_at, reading_id),
       captured_on::varchar as captured_on, ${iso('captured_at')}
     from linkedin_post_snapshots order by linkedin_post_id, captured_on`,
  );
}

/** Every table, its rows as texts in order: the same texts for the same warehouse. */
export async function dumpTables(query) {
  const tables = await query(
    'select table_name from duckdb_tables() where not temporary order by table_name',
  );
  const dump = new Map();
  for (const { table_name: table } of tables) {
    const rows = await query(`select t::varchar as line from ${table} as t order by line`);
    dump.set(
      table,
      rows.map(({ line }) => line),
    );
  }
  return dump;
}

/** Columns that tell two readings of the same apart, and two ways that an event came. */
const ofReadings = ['run_id', 'seq', 'reading_id', 'file', 'first_row', 'received_at', 'payload'];

/**
 * Every table, its rows as texts in order, without what tells two ways to the same data apart: ids of runs, and times
 * within a minute. Of tables with `fetched_at` only the rows from noon on.
 */
export async function dumpAlike(query, { noon, leftOut }) {
  const columns = await query(
    `select table_name, column_name, data_type from duckdb_columns()
     where not internal and table_name in (select table_name from duckdb_tables()) order by table_name, column_index`,
  );
  const dump = new Map();
  for (const table of new Set(columns.map(({ table_name: name }) => name))) {
    const own = columns.filter(({ table_name: name }) => name === table);
    const isOfDay = own.some(({ column_name: name }) => name === 'fetched_at');
    if (leftOut.includes(table)) continue;
    const terms = own
      .filter(({ column_name: name }) => !ofReadings.includes(name))
      .map(({ column_name: name, data_type: type }) =>
        type.startsWith('TIMESTAMP') ? `date_trunc('minute', ${name}) as ${name}` : name,
      );
    const since = isOfDay ? `where fetched_at >= '${noon.toISOString()}'` : '';
    const rows = await query(
      `select t::varchar as line from (select ${terms.join(', ')} from ${table} ${since}) as t order by line`,
    );
    dump.set(
      table,
      rows.map(({ line }) => line),
    );
  }
  return dump;
}
