import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { builtInReports, readReport } from '../../src/report/report-catalog.ts';
import { allPosts, type ReportParameters } from '../../src/report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../../src/report/report-session.ts';
import { Database } from '../../src/warehouse/database.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';
import { snapshot } from '../reports/support/golden-rows.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { makeWarehouse, reportConfig } from './support/report-warehouse.ts';

const days = { fallen: ['2025-12-11', '2025-12-20'], young: ['2026-01-02', '2026-01-03'] } as const;

/** The row of `applause_count` in sql/metrics.sql. */
const applause = `
  create or replace temp table metrics as
  from metrics
  union all
  select 14, 'applause_count', 'Applause', 'count', 'all', true, null, null, 'applause'`;

/** The metric as sql/views/post_performance.sql would show it. */
const shown = `
  create or replace temp table shown_posts as
  from report_posts
  join (select workspace, linkedin_post_id, applause_count from linkedin_posts) using (workspace, linkedin_post_id);
  create or replace temp view report_posts as from shown_posts`;

const folder = sharedFolder();
let made: Promise<string> | null = null;

/** Two posts, and a metric that no statement of the program names. */
async function makeWithApplause(): Promise<string> {
  const path = join(await folder(), 'warehouse.duckdb');
  await makeWarehouse(path, {
    profiles: [{ profile_id: 'p1', name: 'Acme', cpm: 30 }],
    extract_windows: [{ start_date: '2025-11-01', end_date: '2026-01-04' }],
    linkedin_posts: [
      { linkedin_post_id: 'fallen', published_at: '2025-12-10T09:00:00Z' },
      { linkedin_post_id: 'young', published_at: '2026-01-01T09:00:00Z' },
    ],
    linkedin_post_snapshots: Object.entries(days).flatMap(([id, read]) =>
      read.map((day) => snapshot(id, day, {})),
    ),
  });
  const database = await Database.open(path, 'READ_WRITE');
  for (const table of ['linkedin_posts', 'readings'])
    await database.run(`alter table ${table} add column applause_count bigint`);
  const put = (id: string, values: readonly number[]) =>
    values.map(
      (value, index) =>
        `update readings set applause_count = ${value}
         where linkedin_post_id = '${id}' and fetched_at::date = '${days[id as keyof typeof days][index]}';
         update linkedin_posts set applause_count = ${value} where linkedin_post_id = '${id}';`,
    );
  await database.run([...put('fallen', [200, 20]), ...put('young', [7, 9])].join('\n'));
  database.close();
  return path;
}

const sessions = new Map<object, ReportSession>();
afterAll(() => sessions.forEach((session) => session.close()));

/** Opens one session for each object of parameters. */
async function rowsOf(parameters: Partial<ReportParameters>, sql: string) {
  const session = sessions.get(parameters) ?? (await openWithApplause(parameters));
  sessions.set(parameters, session);
  return (await session.database.query(sql)).rows;
}

async function openWithApplause(parameters: Partial<ReportParameters>): Promise<ReportSession> {
  const config = reportConfig(await (made ??= makeWithApplause()));
  const session = await openReportSession(config, { ...allPosts, ...parameters });
  await session.tables.make(null);
  await session.database.define(`${applause};${shown}`);
  return session;
}

const quality = await readReport(builtInReports, 'quality');
const coverage = quality.sql.get('coverage.sql')?.replace(/;\s*$/, '') ?? '';

const period = { from: '2025-12-22', to: '2026-01-04' };
const everything = {};

test.each<[string, Partial<ReportParameters>, string, unknown[]]>([
  [
    'the history of posts',
    period,
    "select applause_count from report_snapshots where linkedin_post_id = 'young' order by captured_on",
    [[7], [9]],
  ],
  [
    'what came from one reading to the next',
    period,
    "select applause_count from report_increments where linkedin_post_id = 'young'",
    [[2]],
  ],
  [
    'the comparison at equal age',
    period,
    'select linkedin_post_id, applause_count from report_earlier_readings',
    [['fallen', 20]],
  ],
  [
    'a report of a past day',
    { asOf: '2025-12-11' },
    'select linkedin_post_id, applause_count from linkedin_posts',
    [['fallen', 200]],
  ],
  [
    'the data warnings',
    everything,
    'select metric, before, after from report_warnings',
    [['applause_count', 200, 20]],
  ],
  [
    'the coverage of metrics',
    everything,
    `select metric, expected, known from (${coverage}) where metric in ('Likes', 'Applause')`,
    [
      ['Likes', 2, 0],
      ['Applause', 2, 2],
    ],
  ],
])('a metric that is added to the tables is in %s', async (_, parameters, sql, expected) => {
  expect(await rowsOf(parameters, sql)).toEqual(expected);
});

test('a metric that a migration adds is described', async () => {
  const database = await Database.open(':memory:', 'READ_WRITE');
  onTestFinished(() => database.close());
  await database.run(`
    ${await readSql('migrations/0001_schema.sql')}
    alter table linkedin_posts add column applause_count bigint;
    ${await readSql('metrics.sql')}${applause};
    ${await readSql('descriptions.sql')}`);
  const { rows } = await database.query(
    "select table_name, comment from described_columns where column_name = 'applause_count'",
  );
  expect(rows).toEqual([['linkedin_posts', 'Applause.']]);
});

test('few SQL files name the metrics one by one', async () => {
  const root = join(import.meta.dirname, '../..');
  const naming = [];
  for (const room of ['sql', 'reports']) {
    const names = await readdir(join(root, room), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.sql')))
      if (/\blike_count\b/.test(await readFile(join(root, room, name), 'utf8'))) naming.push(name);
  }
  expect(naming.sort()).toEqual(['metrics.sql', 'migrations/0001_schema.sql']);
});
