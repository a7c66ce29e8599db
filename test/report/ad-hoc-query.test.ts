import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import { exportAdHocQuery, runAdHocQuery } from '../../src/report/ad-hoc-query.ts';
import { Database } from '../../src/warehouse/database.ts';
import { QueryError, WarehouseMissingError } from '../../src/warehouse/warehouse-errors.ts';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { makeWarehouse } from './support/report-warehouse.ts';

const folderOfFile = sharedFolder();
let folder: string;
let path: string;

beforeAll(async () => {
  folder = join(await folderOfFile(), "it's");
  path = join(folder, 'warehouse.duckdb');
  await mkdir(folder);
  await writeFile(join(folder, 'secret.csv'), 'key\nabc\n');
  await makeWarehouse(path, {
    linkedin_posts: [
      { linkedin_post_id: 'a', type: '=Text', impression_count: 12, emv: 1.5 },
      { linkedin_post_id: 'b', published_at: '2025-11-03T08:15:00.000Z' },
    ],
  });
});

async function ask(sql: string) {
  return runAdHocQuery({ warehouse: path, sql });
}

test('gives typed rows with formats by type', async () => {
  const sql = `select linkedin_post_id, impression_count, emv, published_at, labels
    from post_performance order by linkedin_post_id`;
  const table = await ask(sql);
  expect(table.columns.map(({ name, title, format }) => [name, title, format])).toEqual([
    ['linkedin_post_id', 'linkedin_post_id', 'text'],
    ['impression_count', 'impression_count', 'count'],
    ['emv', 'emv', 'decimal'],
    ['published_at', 'published_at', 'datetime'],
    ['labels', 'labels', 'text'],
  ]);
  expect(table.rows).toEqual([
    ['a', 12, 1.5, null, '[]'],
    ['b', null, null, '2025-11-03T08:15:00.000Z', '[]'],
  ]);
});

test.each([
  'from linkedin_posts',
  'with x as (select 1 as a) select a from x;',
  'describe linkedin_posts',
  'summarize linkedin_posts',
  'show tables',
  'explain select 1',
  'EXPLAIN ANALYZE select count(*) from linkedin_posts',
  '-- a comment\nselect 1 -- and another',
])('%s is a SELECT', async (sql) => {
  const { rows } = await ask(sql);
  expect(rows.length).toBeGreaterThan(0);
});

const onlySelect = 'sql: only a SELECT can be run here; the warehouse is changed by `load` alone';

describe('refuses', () => {
  test.each([
    ['select 1; select 2', 'sql: there are 2 statements; give exactly one SELECT'],
    ['explain select 1; drop table posts', onlySelect],
    ['', 'sql: there are 0 statements; give exactly one SELECT'],
    ['selec 1', 'sql: syntax error at or near "selec"'],
    ['delete from linkedin_posts', onlySelect],
    ["insert into labels values ('a')", onlySelect],
    ["copy linkedin_posts to 'x.csv'", onlySelect],
    ["attach 'x.duckdb'", onlySelect],
    ['install httpfs', onlySelect],
    ['set threads = 1', onlySelect],
    ["pragma enable_profiling='json'", onlySelect],
    ['call pragma_version()', onlySelect],
    ["export database 'x'", onlySelect],
    ['explain delete from linkedin_posts', onlySelect],
  ])('%j', async (sql, message) => {
    await expect(ask(sql)).rejects.toThrow(new UsageError(message));
  });

  test('to read a file, by function or by pattern', async () => {
    for (const [name, file] of [
      ['read_csv', join(folder, 'secret.csv').replaceAll("'", "''")],
      ['read_text', '/etc/pass*'],
      ['glob', '/etc/*'],
      ['read_blob', '/proc/self/environ'],
    ]) {
      await expect(ask(`select * from ${name}('${file}')`)).rejects.toThrow(
        new UsageError(
          `sql: the function ${name} can reach more than the warehouse's tables, and cannot be used here`,
        ),
      );
    }
  });

  test('to read a file by its name', async () => {
    await expect(ask("select * from '/etc/passwd'")).rejects.toThrow(QueryError);
  });

  test('before the first load, with what to do', async () => {
    const none = join(folder, 'none.duckdb');
    await expect(runAdHocQuery({ warehouse: none, sql: 'select 1' })).rejects.toThrow(
      WarehouseMissingError,
    );
  });
});

describe('exports', () => {
  test('CSV with harmless texts, replacing what was there and leaving nothing else', async () => {
    const out = await temporaryFolder();
    await writeFile(join(out, 'types.csv'), 'old');
    const sql = 'select type, emv from linkedin_posts order by type;';
    expect(await exportAdHocQuery({ warehouse: path, sql }, join(out, 'types.csv'), 'csv')).toBe(2);
    expect(await readFile(join(out, 'types.csv'), 'utf8')).toBe(
      "type,emv\r\n'=Text,1.5\r\nText,\r\n",
    );
    expect(await readdir(out)).toEqual(['types.csv']);
  });

  test('Parquet, in a new folder', async () => {
    const file = join(await temporaryFolder(), 'new', 'types.parquet');
    const sql = 'from linkedin_posts select type order by type';
    await exportAdHocQuery({ warehouse: path, sql }, file, 'parquet');
    const database = await Database.open(':memory:', 'READ_WRITE');
    const { rows } = await database.query('select * from read_parquet($file)', { file });
    database.close();
    expect(rows).toEqual([['=Text'], ['Text']]);
  });

  test('nothing when the query is refused or fails', async () => {
    const out = await temporaryFolder();
    for (const sql of [
      'drop table posts',
      'explain select 1',
      "select error('no')",
      "from '/etc/passwd'",
    ]) {
      await expect(
        exportAdHocQuery({ warehouse: path, sql }, join(out, 'x.csv'), 'csv'),
      ).rejects.toThrow();
    }
    expect(await readdir(out)).toEqual([]);
  });
});
