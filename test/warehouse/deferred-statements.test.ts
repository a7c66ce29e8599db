import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';

let database: Database;

beforeEach(async () => {
  database = await Database.open(':memory:', 'READ_WRITE');
  database.defer(
    `-- whatever stands first is about the script
create or replace temp table numbers as select unnest(range($count::integer)) as n;

create or replace temp macro doubled(n) as 2 * n;

-- a table that is replaced by what it has then
create or replace temp table numbers as select doubled(n) as n from numbers;
create or replace temp view others as from unnamed;
create or replace temp table unnamed as select error('nobody needs it');`,
    { count: 3 },
  );
});
afterEach(() => database.close());

const sum = 'select sum(n)::integer from NUMBERS';

async function madeTables(): Promise<unknown> {
  const { rows } = await database.query(
    'select table_name from duckdb_tables() where temporary order by all',
  );
  return rows.flat();
}

test('what a statement names is made before it, with all that it reads and no more', async () => {
  expect(await madeTables()).toEqual([]);
  expect((await database.query(sum)).rows).toEqual([[6]]);
  expect(await madeTables()).toEqual(['numbers']);
  expect((await database.select(sum)).rows).toEqual([[6]]);
});

test('what was made within work that is rolled back is made again', async () => {
  const read = () => database.rehearse(() => database.query(sum));
  expect((await read()).rows).toEqual([[6]]);
  expect(await madeTables()).toEqual([]);
  expect((await read()).rows).toEqual([[6]]);
});

test('an error of what is made is that of the statement which names it', async () => {
  await expect(database.query('from unnamed')).rejects.toThrow('nobody needs it');
});
