import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { Database } from '../../src/warehouse/database.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';

/** Copies the rows of a warehouse file into one that has only the first migration, which takes its place. */
export async function toFirstSchema(path: string): Promise<void> {
  const database = await Database.open(`${path}.first`, 'READ_WRITE');
  const name = 'migrations/0001_facts.sql';
  const sql = await readSql(name);
  await database.run(sql);
  const { rows } = await database.query(
    "select table_name, string_agg(column_name, ', ') from duckdb_columns() where schema_name = 'main' and not internal group by all",
  );
  await database.run(`attach '${path}' as newer (read_only)`);
  const { rows: newer } = await database.query(
    "select table_name from duckdb_tables() where database_name = 'newer'",
  );
  const kept = new Set(newer.map(([table]) => table));
  for (const [table, columns] of rows.filter(([known]) => kept.has(known)))
    await database.run(
      `insert into ${String(table)} by name select ${String(columns)} from newer.${String(table)}`,
    );
  await database.run('create table schema_files (name varchar not null, sha256 varchar not null)');
  const sha256 = createHash('sha256').update(sql).digest('hex');
  await database.run('insert into schema_files values ($name, $sha256)', { name, sha256 });
  await database.run('detach newer');
  database.close();
  await rename(`${path}.first`, path);
}
