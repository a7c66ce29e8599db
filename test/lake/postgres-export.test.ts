import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits, moreByFlags } from '../../src/pipeline/limits.ts';
import { exportParquet, exportPostgres } from '../../src/pipeline/warehouse-export.ts';
import { extensions, LakeServers, passwords } from '../support/lake-servers.ts';
import { configured, eventsOf, storeDay } from '../support/lake-story.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { storeEvents } from '../support/stored-events.ts';
import { load, rowsOf, type FileConfig } from '../support/stored-run.ts';

const tools = () => ({
  clock: new ManualClock(),
  signal: new AbortController().signal,
  limits: defaultLimits,
  remedies: moreByFlags,
});

let servers: LakeServers;
let config: FileConfig;
beforeAll(async () => {
  servers = await LakeServers.start();
  servers.newDatabase('bi');
  config = configured(await mkdtemp(join(tmpdir(), 'postledger-')));
  await storeDay(config, 1);
  await storeEvents(config, eventsOf(1));
  await load(config);
});
afterAll(async () => {
  await servers.stop();
  await rm(config.folder, { recursive: true, force: true });
});

const export_ = (schema: string, workspaces: readonly string[] | null = null, role = 'loader') =>
  exportPostgres(
    { config, workspaces },
    { address: servers.catalog(role, 'bi'), schema, extensions },
    tools(),
  );
const ask = (sql: string) => servers.sql('bi', sql);

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (refusal: unknown) => String(refusal),
  );

/** Compares the number of rows, and some values, of every exported table. */
async function expectEqual(schema: string) {
  const tables = ask(
    `select table_name from information_schema.tables where table_schema = '${schema}' and table_name <> 'postledger_export' order by 1`,
  ).split('\n');
  expect(tables).toHaveLength(22);
  const countIn = (prefix: string) =>
    tables
      .map((table) => `select '${table} ' || count(*) as rows from ${prefix}${table}`)
      .join(' union all ');
  const counts = (await rowsOf(config, countIn(''))).map((row) => row['rows']);
  expect(
    ask(countIn(`${schema}.`))
      .split('\n')
      .sort(),
  ).toEqual(counts.sort());
  const values = 'sum(like_count)::text || max(title) || max(campaign) || count(removed_at)';
  const [own] = await rowsOf(config, `select ${values} as "values" from post_performance`);
  expect(ask(`select ${values} from ${schema}.post_performance`)).toBe(own?.['values']);
}

test('an export to PostgreSQL makes its tables equal, and the next one writes what has changed', async () => {
  const first = await export_('linkedin');
  expect(first.rows).toBeGreaterThan(100);
  await expectEqual('linkedin');
  expect(ask("select col_description('linkedin.posts'::regclass, 1)")).toBe(
    'The key of the workspace in jobs.yaml.',
  );
  expect(
    ask("select labels[1] from linkedin.post_performance where title like 'Post 3%' limit 1"),
  ).toBe('Label 3');
  expect((await export_('linkedin')).rows).toBe(0);
  await storeEvents(config, [eventsOf(2)[0] ?? {}]);
  await load(config);
  const { rows } = await export_('linkedin');
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(first.rows / 4);
  await expectEqual('linkedin');
  await storeDay(config, 2);
  await load(config);
  await export_('linkedin');
  await expectEqual('linkedin');
});

test('the SQL of docs/data.md for other roles, Metabase and Grafana runs on an export', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
  const [grants = '', metabase = '', grafana = '', ...others] = [
    ...page.matchAll(/^```sql\n([^]*?)^```/gm),
  ].map(([, sql = '']) => sql);
  expect(others).toEqual([]);
  ask('create role bi login');
  ask(grants);
  const asBi = (sql: string) => ask(`set role bi; ${sql}`).split('\n');
  expect(asBi(metabase)[0]).toMatch(/^2026-01-01 00:00:00\+\d\d\|/);
  const anyTime = grafana.replace(/\$__timeFilter\(.*?\)/, 'true');
  expect(asBi(anyTime)[0]).toMatch(/^2026-01-01\|\w+ 1\|\d+$/);
});

test('a lake is exported as a file is', async () => {
  const lake = { ...config, warehouse: servers.newLake('disk') };
  await load(lake);
  const address = servers.catalog('loader', 'bi');
  const target = { address, schema: 'of_lake', extensions };
  await exportPostgres({ config: lake, workspaces: null }, target, tools());
  const posts = (schema: string) =>
    ask(`select * from ${schema}.post_performance order by workspace, linkedin_post_id`);
  expect(posts('of_lake')).toBe(posts('linkedin'));
  const folder = join(config.folder, 'parquet');
  await exportParquet({ config: lake, workspaces: ['bolt'] }, folder, tools());
  expect(await readdir(folder)).toContain('dictionary.json');
});

test('an export of one workspace takes out the rows of others, and a table that others changed is made again', async () => {
  await export_('linkedin', ['bolt']);
  expect(ask('select distinct workspace from linkedin.readings')).toBe('bolt');
  expect(ask('select distinct workspace from linkedin.post_performance')).toBe('bolt');
  ask('drop table linkedin.labels');
  ask(
    "update linkedin.postledger_export set digest = 'other' where table_name = 'posts' and part = 'columns'",
  );
  await export_('linkedin', ['bolt']);
  expect(ask('select count(*) > 0 from linkedin.labels')).toBe('t');
  expect((await export_('linkedin', ['bolt'])).rows).toBe(0);
});

test('an export refuses tables that are not its own and a role without rights, and shows no password', async () => {
  ask('create schema taken authorization loader');
  ask('create table taken.posts (mine text)');
  await expect(export_('taken')).rejects.toThrow(/the table posts failed \(.*already exists/);
  expect(ask('select count(*) from taken.posts')).toBe('0');
  const error = await refusalOf(export_('denied', null, 'reader'));
  expect(error).toContain('permission denied for database bi');
  await servers.stopCatalog();
  const lost = await refusalOf(export_('lost'));
  await servers.startCatalog();
  expect(lost).toContain('the export into the schema lost of ${CATALOG_URL} failed (');
  expect(`${error}${lost}`).not.toContain(passwords.catalog);
});
