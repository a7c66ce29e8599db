import { readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InterruptedError } from '../../src/core/errors.ts';
import { Database } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import { listSql, readSql } from '../../src/warehouse/sql-file.ts';
import { changeFile } from '../../src/warehouse/file-warehouse.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import {
  WarehouseFileError,
  WarehouseMissingError,
  WarehouseSchemaError,
} from '../../src/warehouse/warehouse-errors.ts';
import {
  addLabel,
  change,
  editPublished,
  insertLabel,
  labelIds,
} from '../support/label-warehouse.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const clock = new ManualClock();
const published = ['w.duckdb'];

describe('changing the warehouse', () => {
  test('makes it on the first time, with nothing beside it but what was published', async () => {
    const folder = await temporaryFolder();
    await insertLabel(join(folder, 'new', 'w.duckdb'), 'a');
    expect(await labelIds(join(folder, 'new', 'w.duckdb'))).toEqual(['a']);
    expect(await readdir(join(folder, 'new'))).toEqual(published);
  });

  test('that fails leaves the published file as it was, and nothing beside it', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'w.duckdb');
    await insertLabel(path, 'a');
    const before = await readFile(path);
    const failing = change(path, async ({ database }) => {
      await database.run(addLabel, { id: 'b' });
      throw new Error('half way');
    });
    await expect(failing).rejects.toThrow('half way');
    expect(before.equals(await readFile(path))).toBe(true);
    expect(await readdir(folder)).toEqual(published);
  });

  test('that changes nothing does not write the file again', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    await insertLabel(path, 'a');
    const before = await stat(path);
    const done = changeFile({ path, clock, waitMs: 0 }, (writer) =>
      writer.change('', () => Promise.resolve({ done: 7 })),
    );
    expect(await done).toBe(7);
    expect((await stat(path)).ino).toBe(before.ino);
  });

  test('clears away what killed loads have left', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'w.duckdb');
    const stray = `${path}.01234567-89ab-4cde-8f01-23456789abcd.work`;
    for (const name of [stray, `${stray}.wal`]) await writeFile(name, 'half a file');
    await insertLabel(path, 'a');
    expect(await readdir(folder)).toEqual(published);
  });

  test('stops cleanly when it is told to', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    await insertLabel(path, 'a');
    const controller = new AbortController();
    const stopped = change(
      path,
      async ({ database }) => {
        await database.run(addLabel, { id: 'b' });
        controller.abort();
        await database.query(
          'select sum(a.range * b.range) from range(10000000) a, range(10000000) b',
        );
      },
      { signal: controller.signal },
    );
    await expect(stopped).rejects.toThrow(InterruptedError);
    expect(await labelIds(path)).toEqual(['a']);
  });

  test('goes to the file that a link points to', async () => {
    const folder = await temporaryFolder();
    await insertLabel(join(folder, 'real.duckdb'), 'a');
    await symlink('real.duckdb', join(folder, 'link.duckdb'));
    await insertLabel(join(folder, 'link.duckdb'), 'b');
    expect(await labelIds(join(folder, 'real.duckdb'))).toEqual(['a', 'b']);
    await symlink('later.duckdb', join(folder, 'early.duckdb'));
    await insertLabel(join(folder, 'early.duckdb'), 'c');
    expect(await labelIds(join(folder, 'later.duckdb'))).toEqual(['c']);
    await symlink('/media/not-mounted/w.duckdb', join(folder, 'gone.duckdb'));
    await expect(insertLabel(join(folder, 'gone.duckdb'), 'd')).rejects.toThrow(
      /gone\.duckdb is a link to \/media\/not-mounted\/w\.duckdb, whose folder is missing/,
    );
  });
});

test('other processes that change the file while a load is under way win, and the load is told', async () => {
  const path = join(await temporaryFolder(), 'w.duckdb');
  await insertLabel(path, 'a');
  const overtaken = change(path, async ({ database }) => {
    await database.run(addLabel, { id: 'b' });
    await editPublished(path, "insert into labels (workspace, label_id) values ('acme', 'c')");
  });
  await expect(overtaken).rejects.toThrow('was changed by another program');
  expect(await labelIds(path)).toEqual(['a', 'c']);
});

describe('the schema', () => {
  test('of another version, later or earlier, is refused by loads and readers, with what to do', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    await insertLabel(path, 'a');
    const schema = 'update schema_files set';
    await editPublished(path, `${schema} sha256 = 'x' || sha256 where name like 'migrations/%'`);
    await expect(insertLabel(path, 'b')).rejects.toThrow(
      'was written by another version of postledger (it has another migrations/0001_schema.sql); use that version, or run `postledger rebuild`',
    );
    await editPublished(
      path,
      `${schema} sha256 = sha256[2:] where name like 'migrations/%';
      insert into schema_files values ('migrations/9999_later.sql', 'x')`,
    );
    await expect(insertLabel(path, 'b')).rejects.toThrow(WarehouseSchemaError);
    await expect(openWarehouse(path)).rejects.toThrow(
      'was written by another version of postledger (it has migrations/9999_later.sql); use that version, or run `postledger rebuild`',
    );
  });

  test('of an older version is told to readers', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    await editPublished(path, 'create table something (x int)');
    await expect(openWarehouse(path)).rejects.toThrow(
      'run `postledger load` to bring it up to date',
    );
  });

  test('is what test/golden/schema.txt says', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    await change(path, () => Promise.resolve());
    const database = await openWarehouse(path);
    onTestFinished(() => database.close());
    const { rows } = await database.query(`
      select table_name || '.' || column_name || ' ' || data_type || if(is_nullable, '', ' not null')
      from duckdb_columns() where not internal order by table_name, column_index`);
    const golden = join(import.meta.dirname, '..', 'golden', 'schema.txt');
    await expect(`${rows.flat().join('\n')}\n`).toMatchFileSnapshot(golden);
  });

  test('describes every table and every column, also of a view that is made again', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    await insertLabel(path, 'a');
    await editPublished(
      path,
      "create or replace view post_performance as select 1 as x; update schema_files set sha256 = 'x' where name like 'views/%'",
    );
    await change(path, () => Promise.resolve());
    const database = await openWarehouse(path);
    onTestFinished(() => database.close());
    const { rows } = await database.query(`
      select table_name, comment from duckdb_tables()
      union all select view_name, comment from duckdb_views() where not internal
      union all select table_name || '.' || column_name, comment from duckdb_columns() where not internal`);
    const comments = new Map(rows.map(([name, comment]) => [String(name), comment]));
    expect(rows.filter(([, comment]) => comment === null)).toEqual([]);
    expect(comments.get('posts.removed_by')).toMatch(/^Who deleted the post: /);
    expect(comments.get('assets.url')).toBe('The address of the file.');
    expect(comments.get('post_performance.click_count')).toBe('Clicks (of pages).');
    expect(comments.get('labels')).toBe('A label of the workspace. Key: workspace, label_id.');
  });

  test('is described with the keys that the migrations and the views name', async () => {
    const files = [...(await listSql('migrations')), ...(await listSql('views'))];
    const schema = (await Promise.all(files.map(readSql))).join('\n');
    const named = /^-- key: (.*)\n(?:--.*\n)*(?:create table|create or replace view) (\w+)/gm;
    const database = await Database.open(':memory:', 'READ_WRITE');
    onTestFinished(() => database.close());
    await migrate(database);
    const { rows } = await database.query(
      "select table_name, key from table_descriptions where kind <> 'bookkeeping' order by all",
    );
    const keys = new Map([...schema.matchAll(named)].map(([, key, name]) => [name, key]));
    expect(rows).toEqual([...keys].sort());
  });

  test('names the keys that the uniqueness check holds', async () => {
    const migrations = await Promise.all((await listSql('migrations')).map(readSql));
    const check = await readSql('checks/unique_keys.sql');
    const keys = new Map(
      [...migrations.join('\n').matchAll(/-- key: (.*)\ncreate table (\w+)/g)].map(
        ([, key, table]) => [table, key],
      ),
    );
    const held = [
      ...check.matchAll(
        /select '(\w+)'.*?, (?:concat_ws\(' ', (.*)\)|(event_key))(?: as duplicate)?$/gm,
      ),
    ].map(([, table, several, one]) => [table, several ?? one]);
    expect(held).toHaveLength(8);
    for (const [table = '', key] of held) expect([table, key]).toEqual([table, keys.get(table)]);
  });
});

test('a warehouse that does not exist, or is something else, is said to be', async () => {
  const folder = await temporaryFolder();
  await expect(openWarehouse(join(folder, 'none.duckdb'))).rejects.toThrow(WarehouseMissingError);
  const path = join(folder, 'notes.txt');
  await writeFile(path, 'not a database'.repeat(2000));
  await expect(insertLabel(path, 'a')).rejects.toThrow(WarehouseFileError);
  expect(await readFile(path, 'utf8')).toBe('not a database'.repeat(2000));
});
