import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { copyToCsv, copyToParquet, type CopyOptions } from '../../src/warehouse/query-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { csvRows } from '../desk/support/csv-rows.ts';

const database = await Database.open(':memory:', 'READ_WRITE');
afterAll(() => database.close());

async function csvOf(sql: string, options: Partial<CopyOptions> = {}): Promise<string> {
  const path = join(await temporaryFolder(), 'out.csv');
  await copyToCsv(database, sql, path, { guard: true, ...options });
  return readFile(path, 'utf8');
}

/** The rows of a query as Parquet has them, the names and types of their columns, and each value as text. */
async function parquetOf(sql: string) {
  const path = join(await temporaryFolder(), 'out.parquet');
  await copyToParquet(database, sql, path);
  const { columns, rows } = await database.query('from read_parquet($path)', { path });
  const texts = await database.query('select columns(*)::varchar from read_parquet($path)', {
    path,
  });
  return { types: columns.map(({ name, type }) => `${name} ${type}`), rows, texts: texts.rows };
}

/** The only cell of a query as CSV has it; null when it is empty. */
async function cellOf(sql: string, options: Partial<CopyOptions> = {}): Promise<string | null> {
  return csvRows(await csvOf(`select ${sql} as x`, options))[1]?.[0] ?? null;
}

describe('a cell of CSV', () => {
  test.each([
    ["date '2026-01-02'", '2026-01-02'],
    ["timestamptz '2026-01-02 03:04:05+02'", '2026-01-02T01:04:05.000Z'],
    ["timestamp '2026-01-02 03:04:05.25'", '2026-01-02T03:04:05.250'],
    ["timestamptz 'infinity'", null],
    ["timestamp '-infinity'", null],
    ["date 'infinity'", null],
    ["time '03:04:05'", '03:04:05'],
    ['1234567.891::double', '1234567.891'],
    ['13178.887999999999::double', '13178.888'],
    ['[0.1::double + 0.2::double]', '[0.3]'],
    ['0.1::float', '0.1'],
    ['1e300::double', '1e+300'],
    ["'inf'::double", null],
    ["'nan'::double", null],
    ["'-inf'::float", null],
    ['9007199254740993::bigint', '9007199254740993'],
    ['170141183460469231731687303715884105727::hugeint', '170141183460469231731687303715884105727'],
    ['12345678901234567890.12::decimal(38, 2)', '12345678901234567890.12'],
    ['-12.50::decimal(9, 2)', '-12.50'],
    ['true', 'true'],
    ['null::double', null],
    ["''", ''],
    ['[1.5, null, -2]::double[]', '[1.5,null,-2.0]'],
    ['[]::double[]', '[]'],
    ['null::double[]', null],
    ["['one', 'two, three', null]", '["one","two, three",null]'],
    ['[]::varchar[]', '[]'],
    ["[timestamptz '2026-01-02 03:04:05Z']", '["2026-01-02T03:04:05.000Z"]'],
    ["{'a': timestamp '2026-01-02 03:04:05.123456'}", '{"a":"2026-01-02T03:04:05.123456"}'],
    ["['inf'::double, 'nan'::double, 0.5]", '[null,null,0.5]'],
    ["[['-inf'::float], [1::float]]", '[[null],[1.0]]'],
    ["[date 'infinity', date '2026-01-02']", '[null,"2026-01-02"]'],
    ["{'a': 'inf'::double, 'b c': {'d': date 'infinity'}}", '{"a":null,"b c":{"d":null}}'],
    ["[{'a': 'nan'::double}, null]", '[{"a":null},null]'],
    ["map {'it''s': 'nan'::double, 'b': 0.5}", '{"it\'s":null,"b":0.5}'],
    ['null::struct(a double)', null],
    ['null::map(varchar, double)', null],
    ["date '0044-03-15 (BC)'", null],
    ["date '10000-01-01'", null],
    ["timestamp '0044-03-15 (BC) 10:00:00'", null],
    ["timestamptz '0044-03-15 (BC) 10:00:00Z'", null],
    ["timestamptz '9999-12-31 23:59:59Z'", '9999-12-31T23:59:59.000Z'],
    ["{'a': 1, 'b': 'x'}", '{"a":1,"b":"x"}'],
    ["map {'a': 1}", '{"a":1}'],
    ["[date '2026-01-02']", '["2026-01-02"]'],
  ])('of %s is %j', async (sql, text) => {
    expect(await cellOf(sql)).toBe(text);
  });

  test.each([
    ["timestamptz '2026-07-02 03:04:05Z'", 'Europe/Berlin', '2026-07-02T05:04:05.000+02:00'],
    ["timestamptz '2026-01-02 03:04:05.25Z'", 'Europe/Berlin', '2026-01-02T04:04:05.250+01:00'],
    ["timestamptz '2026-10-25 00:30:00Z'", 'Europe/Berlin', '2026-10-25T02:30:00.000+02:00'],
    ["timestamptz '2026-10-25 01:30:00Z'", 'Europe/Berlin', '2026-10-25T02:30:00.000+01:00'],
    ["timestamptz '2026-01-02 03:04:05Z'", 'America/St_Johns', '2026-01-01T23:34:05.000-03:30'],
    ["timestamptz 'infinity'", 'Europe/Berlin', null],
    ["timestamp '2026-01-02 03:04:05'", 'Europe/Berlin', '2026-01-02T03:04:05.000'],
    ['null::timestamptz', 'Europe/Berlin', null],
  ])('of %s has the clock of %s: %j', async (sql, timezone, text) => {
    expect(await cellOf(sql, { timezone })).toBe(text);
  });

  test.each([
    ['=1+1'],
    ['+49 30 1'],
    ['-1 reasons'],
    ['@all'],
    ['＝1'],
    ['＋1'],
    ['－1'],
    ['＠x'],
    ['\t1'],
    ['\r1'],
    ['\n1'],
    [' =1'],
    ['\u00a0=1'],
    ['\u3000=1'],
    ['\u2028=1'],
    ['\v=1'],
    ['\0=1'],
    ['\ufeff=1'],
    ['\u0001\t @x'],
  ])('%j gets an apostrophe, unless it is to stay as it is', async (text) => {
    const sql = Array.from(text)
      .map((sign) => `chr(${String(sign.codePointAt(0))})`)
      .join(' || ');
    expect(await cellOf(sql)).toBe(`'${text}`);
    expect(await cellOf(sql, { guard: false })).toBe(text);
  });

  test.each(['a=1', '(-1)', "'=1", '1-2', '−1', '…', ' a', ''])('%j stays', async (text) => {
    expect(await cellOf(`'${text.replaceAll("'", "''")}'`)).toBe(text);
  });

  test.each([
    ["'=1'::enum('=1')", "'=1"],
    ["'=1'::blob", "'=1"],
    ["'=1'::variant", "'=1"],
    ["interval '-1 day'", "'-1 day"],
  ])('of any type but a number is guarded as text is: %s', async (sql, text) => {
    expect(await cellOf(sql)).toBe(text);
  });

  test.each(['-1::bigint', '-1::hugeint', '-1::bignum', '-0.5::double', '-0.5::decimal(3, 1)'])(
    'the number %s gets none',
    async (sql) => {
      expect(await cellOf(sql)).toMatch(/^-/);
    },
  );
});

test('a header of CSV is guarded as a cell is', async () => {
  const sql = 'select 1 as "=1+1", 2 as "\'=1+1", 3 as "\ufeff@x", 4 as "a-b"';
  expect(csvRows(await csvOf(sql))[0]).toEqual(["'=1+1", "'=1+1_1", "'\ufeff@x", 'a-b']);
  expect(csvRows(await csvOf(sql, { guard: false }))[0]).toEqual([
    '=1+1',
    "'=1+1",
    '\ufeff@x',
    'a-b',
  ]);
});

describe('a byte order mark', () => {
  const sql = 'select \'ä, b\' as "q, ""r""" union all select \'c\' order by 1';

  test('stands before the header, and once', async () => {
    const plain = await csvOf(sql);
    expect(await csvOf(sql, { bom: true })).toBe(`\ufeff${plain}`);
    expect(plain.startsWith('"q, ""r"""')).toBe(true);
  });

  test('does not count as a row', async () => {
    const path = join(await temporaryFolder(), 'out.csv');
    const made = copyToCsv(database, 'select range as x from range(100000) order by 1', path, {
      guard: true,
      bom: true,
    });
    expect(await made).toBe(100_000);
    const { rows } = await database.query('select count(*), sum(x) from read_csv($path)', { path });
    expect(rows).toEqual([[100_000, 4_999_950_000]]);
  });
});

test('integers of any width are BIGINT in Parquet, or text when one is too large', async () => {
  const { types, rows } = await parquetOf(
    `select x::hugeint as x, (x * 4)::hugeint as x, [x * 4] as xs, 170141183460469231731687303715884105727 as most,
        1::integer as narrow, 2::utinyint as tiny, [3::smallint] as list, 4::ubigint as positive,
        18446744073709551615::ubigint as above
      from (values (4611686018427387904::hugeint), (null)) t(x)`,
  );
  expect(types).toEqual([
    'x BIGINT',
    'x_1 VARCHAR',
    'xs VARCHAR[]',
    'most VARCHAR',
    'narrow BIGINT',
    'tiny BIGINT',
    'list BIGINT[]',
    'positive BIGINT',
    'above VARCHAR',
  ]);
  const most = '170141183460469231731687303715884105727';
  const narrow = [1, 2, '[3]', 4, '18446744073709551615'];
  expect(rows).toEqual([
    [4611686018427387904n, '18446744073709551616', ['18446744073709551616'], most, ...narrow],
    [null, null, '[null]', most, ...narrow],
  ]);
});

test('Parquet has null for what is infinite or not a number', async () => {
  const { texts } = await parquetOf(
    `select 'inf'::double as x, ['nan'::double, 0.5] as xs, date 'infinity' as day, timestamptz '-infinity' as moment,
      {'a': 'inf'::double, 'b': 1} as pair, map {'k': '-inf'::double} as named`,
  );
  expect(texts).toEqual([[null, '[NULL, 0.5]', null, null, "{'a': NULL, 'b': 1}", '{k=NULL}']]);
});

test('Parquet keeps types', async () => {
  const { types, rows } = await parquetOf(
    `select 1::bigint as whole, 2::hugeint as large, [3::hugeint] as larges, 0.5::double as part,
      1.25::decimal(9, 2) as amount, date '2026-01-02' as day, timestamptz '2026-01-02 03:04:05Z' as moment,
      true as flag, ['=a', null] as names, [1.5, null]::double[] as course, '=1' as text, null::varchar as nothing`,
  );
  expect(types).toEqual([
    'whole BIGINT',
    'large BIGINT',
    'larges BIGINT[]',
    'part DOUBLE',
    'amount DECIMAL(9,2)',
    'day DATE',
    'moment TIMESTAMP WITH TIME ZONE',
    'flag BOOLEAN',
    'names VARCHAR[]',
    'course DOUBLE[]',
    'text VARCHAR',
    'nothing VARCHAR',
  ]);
  expect(rows[0]?.slice(5)).toEqual([
    '2026-01-02',
    '2026-01-02T03:04:05.000Z',
    true,
    '["=a",null]',
    '[1.5,null]',
    '=1',
    null,
  ]);
});
