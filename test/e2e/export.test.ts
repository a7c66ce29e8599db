import { lstat, mkdtemp, readFile, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { configured, eventsOf, keys, storeDay } from '../support/lake-story.ts';
import { storeEvents } from '../support/stored-events.ts';
import { load, rowsOf } from '../support/stored-run.ts';

let folder: string;
const run = (...args: string[]) => runCli(['export', '--quiet', ...args], { cwd: folder });
const done = { code: 0, signal: null, stdout: '', stderr: '' };

interface Dictionary {
  readonly workspaces: readonly string[] | null;
  readonly tables: readonly {
    readonly name: string;
    readonly key: readonly string[];
    readonly rows: number;
    readonly files: string;
    readonly columns: readonly { readonly name: string; readonly comment: string }[];
  }[];
}

async function dictionaryIn(name: string): Promise<Dictionary> {
  return JSON.parse(await readFile(join(folder, name, 'dictionary.json'), 'utf8')) as Dictionary;
}

async function parquetRows(sql: string): Promise<unknown> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  try {
    return (await database.query(sql)).rows;
  } finally {
    database.close();
  }
}

/** The tables that have no rows here. */
const without = ['shared_posts', 'prices', 'assets'];

const config = () => configured(folder);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postledger-'));
  for (const day of [1, 2]) await storeDay(config(), day);
  await storeEvents(config(), eventsOf(1));
  await load(config());
  const workspaces = keys.map(
    (key, index) => `  ${key}:
    base_url: http://127.0.0.1:1/api/v1
    api_key: \${KEY}
    slug: ${key}
    profiles: [{ id: 00000000-0000-4000-8000-00000000000${index}, name: ${key} }]`,
  );
  const jobs = `timezone: UTC\nwarehouse: ${config().warehouse}\nworkspaces:\n${workspaces.join('\n')}\njobs: { daily: { profiles: [acme/*], windows: { start: 2026-01-01, size_days: 30 }, details: true } }\n`;
  await writeFiles(folder, { 'jobs.yaml': jobs, '.env': 'KEY=a-secret\n' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('export --parquet writes every table with all of its rows, and describes every column', async () => {
  expect(await run('--parquet', 'all')).toEqual(done);
  const { tables, workspaces } = await dictionaryIn('all');
  expect(workspaces).toBeNull();
  const known = await rowsOf(
    config(),
    "select table_name as name from duckdb_tables() where table_name not in ('load_settings', 'schema_files')",
  );
  expect(tables.map(({ name }) => name).sort()).toEqual(
    [...known.map(({ name }) => name), 'post_performance', 'linkedin_post_snapshots'].sort(),
  );
  for (const { name, rows, files, columns } of tables) {
    const [counted] = await rowsOf(config(), `select count(*)::integer as rows from ${name}`);
    expect([name, rows]).toEqual([name, counted?.['rows']]);
    const parquet = `read_parquet('${join(folder, 'all', files)}', hive_partitioning = false)`;
    const described = await parquetRows(`select column_name from (describe from ${parquet})`);
    expect(described).toEqual(columns.map((column) => [column.name]));
    expect(columns.filter(({ comment }) => !comment)).toEqual([]);
    expect(await parquetRows(`select count(*)::integer from ${parquet}`)).toEqual([[rows]]);
  }
  expect(tables.filter(({ rows }) => rows === 0).map(({ name }) => name)).toEqual(without);
  expect(await readdir(join(folder, 'all/readings'))).toEqual(['month=2026-01']);
  expect((await stat(join(folder, 'all/post_performance.parquet'))).mode & 0o777).toBe(0o644);
});

test('an export of one workspace has rows of no other, and replaces the export before as a whole', async () => {
  expect(await run('--parquet', 'one')).toEqual(done);
  await symlink('one', join(folder, 'link'));
  expect(await run('--parquet', 'link', '--workspace', 'bolt', '--workspace', 'crux')).toEqual(
    done,
  );
  expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
  const { tables, workspaces } = await dictionaryIn('one');
  expect(workspaces).toEqual(['bolt', 'crux']);
  expect((await readdir(join(folder, 'one'))).sort()).toEqual(
    ['dictionary.json', ...tables.map(({ files }) => files.split('/')[0])].sort(),
  );
  for (const { name, files } of tables) {
    if (without.includes(name)) continue;
    const found = `select distinct workspace from read_parquet('${join(folder, 'one', files)}') order by 1`;
    expect([name, await parquetRows(found)]).toEqual([name, [['bolt'], ['crux']]]);
  }
  expect(tables.map(({ name }) => name)).not.toContain('runs');
  expect((await readdir(folder)).filter((name) => name.startsWith('.postledger'))).toEqual([]);
});

test('export refuses a folder with other files, an address and an unknown workspace', async () => {
  await writeFiles(folder, { 'mine/notes.txt': 'keep' });
  expect(await run('--parquet', 'mine')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('mine has files that no export wrote') as unknown,
  });
  expect(await readdir(join(folder, 'mine'))).toEqual(['notes.txt']);

  // nor does an export take away what was put beside an earlier one
  expect(await run('--parquet', 'again')).toEqual(done);
  await writeFiles(folder, { 'again/notes.txt': 'keep' });
  expect(await run('--parquet', 'again')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no export wrote, such as notes.txt') as unknown,
  });
  expect(await readdir(join(folder, 'again'))).toContain('notes.txt');
  expect(await run('--parquet', 'https://bucket/folder')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('https://bucket/folder must be s3://bucket/prefix') as unknown,
  });
  expect(await run()).toMatchObject({ code: 2 });
  expect(await run('--parquet', 'new', '--workspace', 'bold')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no workspace "bold" in') as unknown,
  });
});
