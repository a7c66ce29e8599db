import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { locateErrors } from '../../src/warehouse/engine-error.ts';
import type { Parameters } from '../../src/warehouse/parameters.ts';
import { copyToCsv } from '../../src/warehouse/query-file.ts';
import { QueryError, WarehouseFileError } from '../../src/warehouse/warehouse-errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function openMemory(): Promise<Database> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  onTestFinished(() => database.close());
  return database;
}

async function cellOf(sql: string, params: Parameters = {}): Promise<unknown> {
  const database = await openMemory();
  return (await database.query(sql, params)).rows[0]?.[0];
}

describe('reading values', () => {
  test.each([
    ['select 42::bigint', 42],
    ['select 9007199254740993::bigint', 9007199254740993n],
    ['select sum(x) from (values (9223372036854775807::bigint), (1)) t(x)', 9223372036854775808n],
    ['select 12.345::decimal(18, 3)', 12.345],
    ['select 0.1::double', 0.1],
    ['select 12345678901234567890.12::decimal(38, 2)', '12345678901234567890.12'],
    ["select timestamptz '2026-01-02 03:04:05+02'", '2026-01-02T01:04:05.000Z'],
    ["select timestamptz '2026-01-02 03:04:05.12Z'", '2026-01-02T03:04:05.120Z'],
    ["select timestamptz '2026-01-02 03:04:05.123456Z'", '2026-01-02T03:04:05.123456Z'],
    ["select timestamptz '1969-12-31 23:59:59.999999Z'", '1969-12-31T23:59:59.999999Z'],
    ["select timestamptz 'infinity'", null],
    ["select date '-infinity'", null],
    ["select 'inf'::double", null],
    ["select ['nan'::double, 0.5]", '[null,0.5]'],
    ['select [1::bigint, 9007199254740993, null]', '[1,"9007199254740993",null]'],
    ['select [1.5::decimal(9, 2)]', '[1.5]'],
    ["select [timestamptz '2026-01-02 03:04:05Z']", '["2026-01-02T03:04:05.000Z"]'],
    ["select date '2026-01-02'", '2026-01-02'],
    ["select ['a', 'b']", ['a', 'b']],
    ['select []::varchar[]', []],
    ["select ['a', null]", '["a",null]'],
    ["select {'a': 1, 'b': ['x']}", '{"a":1,"b":["x"]}'],
    ["select chr(65279) || 'mark'", '\uFEFFmark'],
    ["select 'nul' || chr(0)", 'nul\0'],
    ["select '\u{1F468}\u200D\u{1F4BB}'", '\u{1F468}\u200D\u{1F4BB}'],
    ['select null::bigint', null],
    ['select true', true],
  ])('%s is exact', async (sql, expected) => {
    expect(await cellOf(sql)).toEqual(expected);
  });
});

describe('defining', () => {
  test('makes views, tables and macros', async () => {
    const database = await openMemory();
    await database.define(
      "create temp macro m(x) as x || ';' ; -- a; b\n\nCREATE TABLE t AS SELECT m($a) AS x;;",
      { a: 'ä' },
    );
    expect(await database.queryObjects('from t')).toEqual([{ x: 'ä;' }]);
    await database.define(' -- nothing\n ;');
  });

  test.each([
    'drop table t',
    "create view v as select ';'; drop table t",
    'create view v as select 1; /* create */ drop table t',
    "create view v as select $$ ; $$; update t set x = 'create'",
    'with x as (select 1) select 1',
    'create view v as select 1; begin; create view w as select 1',
  ])('refuses %s', async (sql) => {
    const database = await openMemory();
    await database.run('create table t as select 1 as x');
    await expect(database.define(sql)).rejects.toThrow('only views, tables and macros');
    expect(await database.queryObjects('show tables')).toEqual([{ name: 't' }]);
  });
});

describe('parameters', () => {
  test('each value keeps its type', async () => {
    const database = await openMemory();
    const { rows } = await database.query(
      'select $text, $whole, typeof($whole), $part, $flag, $time, $list, $none is null',
      {
        text: "it's",
        whole: 7,
        part: 0.5,
        flag: false,
        time: new Date('2026-01-02T03:04:05.006Z'),
        list: ['a', 'b'],
        none: null,
        unused: 'left alone',
      },
    );
    expect(rows).toEqual([
      ["it's", 7, 'BIGINT', 0.5, false, '2026-01-02T03:04:05.006Z', ['a', 'b'], true],
    ]);
  });

  test.each([
    "it's",
    "'; drop table x; --",
    '\\',
    '$text',
    'before\0after',
    '\u{1F468}\u200D\u{1F4BB} "quoted"\r\n',
    '\uFEFF',
  ])('the text %j comes back as it was, alone and in a list', async (text) => {
    const database = await openMemory();
    const { rows } = await database.query('select $text, $list', { text, list: [text, ''] });
    expect(rows).toEqual([[text, [text, '']]]);
  });

  test.each([-0.5, 1e300, -7, 2 ** 53, Infinity])(
    'the number %d keeps its value',
    async (number) => {
      expect(await cellOf('select $number = $text::double', { number, text: String(number) })).toBe(
        true,
      );
    },
  );

  test('what only looks like one is left alone', async () => {
    const sql = `select '$a' || "a$b", $a -- $c\n from (select 'x' as "a$b")`;
    const database = await openMemory();
    expect((await database.query(sql, { a: 1 })).rows).toEqual([['$ax', 1]]);
  });

  test('a parameter without a value is an error that names it', async () => {
    const database = await openMemory();
    await expect(database.query('select $from', {})).rejects.toThrow(
      new QueryError('the parameter $from has no value'),
    );
  });

  test('a script takes parameters in each of its statements', async () => {
    const database = await openMemory();
    await database.run('create table t as select $a::int as x; insert into t select $b::int;', {
      a: 1,
      b: 2,
    });
    expect(await database.queryObjects('select x from t order by x')).toEqual([{ x: 1 }, { x: 2 }]);
  });
});

describe('copying to CSV', () => {
  test('guards text against formulas, by type, and leaves numbers alone', async () => {
    const path = join(await temporaryFolder(), 'a', 'out.csv');
    const database = await openMemory();
    const sql = `
      select * from (values
        (1, '=1+1', -12.5, timestamptz '2026-01-02 03:04:05.5+00', ['=x']),
        (2, ' ＠cmd', null, null, []),
        (3, 'a, "b"' || chr(10) || 'c', 3, timestamptz '2026-01-02 03:04:05+00', null),
        (4, '', 3, null, null),
        (5, null, 3, null, null)
      ) t(n, "te""xt", amount, time, list)
      where n < $limit order by n;`;
    const count = await copyToCsv(database, sql, path, { guard: true, params: { limit: 9 } });
    expect(count).toBe(5);
    expect(await readFile(path, 'utf8')).toBe(
      [
        'n,"te""xt",amount,time,list',
        `1,'=1+1,-12.5,2026-01-02T03:04:05.500Z,"[""=x""]"`,
        "2,' ＠cmd,,,[]",
        '3,"a, ""b""\nc",3.0,2026-01-02T03:04:05.000Z,',
        '4,"",3.0,,',
        '5,,3.0,,',
        '',
      ].join('\r\n'),
    );
  });

  test('keeps the order of a large query', async () => {
    const path = join(await temporaryFolder(), 'out.csv');
    const database = await openMemory();
    await copyToCsv(
      database,
      'select (range * 7919) % 300000 as x from range(300000) order by x desc',
      path,
      { guard: true },
    );
    const rows = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(1).map(Number);
    expect(rows.every((value, index) => value === 299_999 - index)).toBe(true);
  });

  test('leaves nothing behind when the query fails', async () => {
    const folder = await temporaryFolder();
    const database = await openMemory();
    await expect(
      copyToCsv(database, "select error('no') as x from range(3)", join(folder, 'out.csv'), {
        guard: true,
      }),
    ).rejects.toThrow(QueryError);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('opening', () => {
  test('a read-only file takes TEMP views and macros and refuses changes', async () => {
    const path = join(await temporaryFolder(), 'w.duckdb');
    const writer = await Database.open(path, 'READ_WRITE');
    await writer.run('create table t as select 1 as x');
    writer.close();
    const reader = await Database.open(path, 'READ_ONLY');
    onTestFinished(() => reader.close());
    await reader.run(
      'create temp view v as select x + 1 as y from t; create temp macro m(a) as a * 2;',
    );
    expect((await reader.query('select m(y) from v')).rows).toEqual([[4]]);
    await expect(reader.run('insert into t values (2)')).rejects.toThrow(QueryError);
  });

  test('a file that is not DuckDB is an error that names it', async () => {
    const path = join(await temporaryFolder(), 'notes.txt');
    await writeFile(path, 'not a database, and long enough to be read as one'.repeat(400));
    await expect(Database.open(path, 'READ_ONLY')).rejects.toThrow(WarehouseFileError);
    await expect(Database.open(path, 'READ_ONLY')).rejects.toThrow(path);
  });

  test('a transaction that fails leaves nothing', async () => {
    const database = await openMemory();
    await database.run('create table t (x int)');
    const failing = database.transaction(async () => {
      await database.run('insert into t values (1)');
      throw new Error('half way');
    });
    await expect(failing).rejects.toThrow('half way');
    expect((await database.query('select count(*) from t')).rows).toEqual([[0]]);
  });
});

describe('describing a query', () => {
  test('gives names as they are written, twice the same too, and types with bound parameters', async () => {
    const database = await openMemory();
    await database.run('create table t (a integer, b varchar)');
    const sql =
      '-- first\nselect a, a, $x as x, b || $y as y, [1.5] as z from t order by a; -- last\n;';
    expect(await database.describe(sql, { x: 1.5, y: 'c' })).toEqual([
      { name: 'a', type: 'INTEGER' },
      { name: 'a', type: 'INTEGER' },
      { name: 'x', type: 'DOUBLE' },
      { name: 'y', type: 'VARCHAR' },
      { name: 'z', type: 'DECIMAL(2,1)[]' },
    ]);
  });

  test('two statements are not run either', async () => {
    const database = await openMemory();
    const two = database.select('select 1; select 2');
    await expect(two).rejects.toThrow('there are 2 statements; write exactly one SELECT');
  });

  test('runs nothing of it', async () => {
    const database = await openMemory();
    await database.run('create table t (a integer)');
    await expect(database.describe('insert into t values (1)')).rejects.toThrow(QueryError);
    await database.describe("select error('it ran') as a from t");
    expect((await database.query('select count(*) from t')).rows).toEqual([[0]]);
  });

  test.each([
    ['', 'there is no statement to run'],
    ['-- nothing\n;', 'there is no statement to run'],
    ['select 1; select 2', 'there are 2 statements; write exactly one SELECT'],
    ['select $x', 'the parameter $x has no value'],
  ])('%s is refused', async (sql, message) => {
    const database = await openMemory();
    await expect(database.describe(sql)).rejects.toThrow(new QueryError(message));
  });

  test.each([
    ["select 'größe 日本' as x,\n  nothing from t", 'nothing', 'Binder Error: Referenced column'],
    ['select a,, a from t', ', a', 'Parser Error: syntax error at or near ","'],
    ['select a from tt', 'tt', 'Catalog Error: Table with name tt does not exist!'],
    ['select $long, $long, a, nothing, $long from t', 'nothing', 'Binder Error: Referenced column'],
    ['select $long+[1]', '+[1]', 'Binder Error: No function matches'],
  ])('%s has its place, to the byte', async (sql, wrong, message) => {
    const database = await openMemory();
    await database.run(`create table t (a integer); ${locateErrors}`);
    const params = { long: 'ß'.repeat(40) };
    const error = await database.describe(sql, params).catch((cause: unknown) => cause);
    const at = Buffer.byteLength(sql.slice(0, sql.indexOf(wrong)));
    expect(error).toMatchObject({
      position: at,
      message: expect.stringContaining(message) as string,
    });
  });

  test('a script of several statements has it too', async () => {
    const database = await openMemory();
    await database.run(locateErrors);
    const script = 'create view v as select 1 as a;\n\ncreate view w as select b from v;';
    const error = await database.run(script).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ position: script.indexOf('b from') });
  });
});

test('a database that was interrupted runs nothing more, however short', async () => {
  const interrupted = await Database.open(':memory:', 'READ_WRITE');
  interrupted.interrupt();
  await expect(interrupted.run('create table x (i integer)')).rejects.toThrow('interrupted');
  await expect(interrupted.query('select 1')).rejects.toThrow('interrupted');
  interrupted.close();
});

describe('a further connection', () => {
  test('has temporary tables and variables of its own, which are gone when it is closed', async () => {
    const database = await openMemory();
    await database.run(
      'create table shared as select 1 as n; create view doubled as select 2 * n as n from shared',
    );
    await database.run('create temp table hidden as select 1 as n; set variable known = 1');
    const connection = await database.connect();
    await connection.run('create temp table shared as select 10 as n');
    expect((await connection.query('from doubled')).rows).toEqual([[20]]);
    expect((await connection.query("select getvariable('known')")).rows).toEqual([[null]]);
    await expect(connection.query('from hidden')).rejects.toThrow('hidden does not exist');
    connection.close();
    expect((await database.query('from doubled')).rows).toEqual([[2]]);
  });

  test('speaks UTC, and is interrupted by the signal of the first one', async () => {
    const database = await openMemory();
    const controller = new AbortController();
    database.interruptOn(controller.signal);
    const connection = await database.connect();
    onTestFinished(() => connection.close());
    const time = "select timestamptz '2026-01-02 03:04:05+02'::varchar";
    expect((await connection.query(time)).rows).toEqual([['2026-01-02 01:04:05+00']]);
    controller.abort();
    await expect(connection.query(time)).rejects.toThrow('interrupted');
  });
});
