import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildDocument, buildReport } from '../../src/report/report-builder.ts';
import { findReports, type ReportDefinition } from '../../src/report/report-catalog.ts';
import { ReportQueryError } from '../../src/report/report-errors.ts';
import { allPosts } from '../../src/report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../../src/report/report-session.ts';
import { type OpenReport, withReport } from '../../src/report/open-report.ts';
import { exportCsv, exportParquet } from '../../src/report/section-export.ts';
import { Database } from '../../src/warehouse/database.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { smallReport, writeReportFolder } from './support/report-folder.ts';
import { makeWarehouse, reportConfig } from './support/report-warehouse.ts';

const folderOfFile = sharedFolder();
let siteFolder: string;
let session: ReportSession;
beforeAll(async () => {
  siteFolder = await folderOfFile();
  const path = join(siteFolder, 'warehouse.duckdb');
  await makeWarehouse(path, {
    linkedin_posts: [
      { linkedin_post_id: 'a', type: '=Text', impression_count: 12 },
      { linkedin_post_id: 'b', type: '-1, "2"', impression_count: -5 },
      { linkedin_post_id: 'c', type: 'Poll' },
    ],
  });
  session = await openReportSession(reportConfig(path), allPosts, { folder: siteFolder });
});
afterAll(() => session.close());

interface SectionExport {
  readonly session: ReportSession;
  readonly definition: ReportDefinition;
  readonly set: Readonly<Record<string, string>>;
}

function open<Result>(
  { session: opened, definition, set }: SectionExport,
  work: (report: OpenReport) => Promise<Result>,
): Promise<Result> {
  return withReport(opened, definition, set, work);
}

function writeCsv(section: SectionExport, path: string): Promise<number> {
  return open(section, (report) => exportCsv(report, 'types', path));
}

/** A section of a report in a folder of its own, which the session that all share may write to. */
async function makeExport(
  sql = smallReport['types.sql'],
): Promise<{ folder: string; section: SectionExport }> {
  const folder = await mkdtemp(join(siteFolder, 'of-'));
  await writeReportFolder(folder, 'reach', { ...smallReport, 'types.sql': sql });
  const definition = (await findReports([folder])).get('reach');
  if (!definition) throw new Error('the report was not found');
  return { folder, section: { session, definition, set: { least: '-10' } } };
}

test('a document has as many rows of a list as its formats take, and counts all, and the file has all', async () => {
  const { folder, section } = await makeExport();
  const sectionsOf = (layout: 'posts' | 'data') => ({
    ...section.definition,
    sections: section.definition.sections.map((each) => ({ ...each, layout })),
  });
  const rowsOf = async (definition: ReportDefinition, listRows: number) => {
    const contents = { rowPosts: false, listRows };
    const { sections } = await buildReport(section.session, definition, section.set, contents);
    return [sections[0]?.rows, sections[0]?.rowCount];
  };
  const posts = sectionsOf('posts');
  const all = [
    ['=Text', 12, 1],
    ['-1, "2"', -5, 1],
    ['Poll', null, 1],
  ];
  expect(await rowsOf(posts, 4)).toEqual([all, undefined]);
  expect(await rowsOf(posts, 3)).toEqual([all, undefined]);
  expect(await rowsOf(posts, 2)).toEqual([all.slice(0, 2), 3]);
  expect(await rowsOf(posts, 1)).toEqual([all.slice(0, 1), 3]);
  expect(await rowsOf(section.definition, 2)).toEqual([all, undefined]);
  // a chart needs all of its data, and data files need none of them here
  expect(await rowsOf(sectionsOf('data'), 3)).toEqual([all, undefined]);
  expect(await rowsOf(sectionsOf('data'), 2)).toEqual([all.slice(0, 2), 3]);
  expect(await writeCsv({ ...section, definition: posts }, join(folder, 'types.csv'))).toBe(3);
});

test('a document whose rows data files take keeps them, and its files are those of the query', async () => {
  const { folder, section } = await makeExport(
    'select chr(97 + (random() * 1e6)::int % 26) || uuid() as type, 1 as impressions, null as posts',
  );
  const contents = { rowPosts: false, listRows: Infinity, keepsRows: true };
  const path = join(folder, 'types.csv');
  const { sections } = await open(section, async (report) => {
    const document = await buildDocument(report, contents);
    await exportCsv(report, 'types', path);
    return document;
  });
  const kept = `${String(sections[0]?.rows[0]?.[0])},1,`;
  const written = async () => (await readFile(path, 'utf8')).split('\r\n')[1];
  expect(await written()).toBe(kept);
  await writeCsv(section, path);
  expect(await written()).not.toBe(kept);
});

test('a table that sections share follows the parameters, also where they are others than before', async () => {
  const { folder, section } = await makeExport(
    'select type, impressions from shared order by impressions;',
  );
  const views = `create or replace temp table shared as
    select type, impression_count as impressions from report_posts where impression_count > $least::bigint;`;
  const definition = {
    ...section.definition,
    sql: new Map([...section.definition.sql, ['_views.sql', views]]),
  };
  const count = (least: string) =>
    writeCsv({ ...section, definition, set: { least } }, join(folder, 'types.csv'));
  expect(await count('-10')).toBe(2);
  expect(await count('0')).toBe(1);
});

test('an error in a long section has its line and column in the file', async () => {
  const { folder, section } = await makeExport('select 1 as one,\n  two\n');
  const { definition, set } = section;
  const sections = definition.sections.map((each) => ({ ...each, layout: 'data' as const }));
  const contents = { rowPosts: false, listRows: 2 };
  await expect(buildReport(session, { ...definition, sections }, set, contents)).rejects.toThrow(
    `${join(folder, 'reach', 'types.sql')}:2:3`,
  );
});

test.each([
  [
    'read_text',
    "select content as type, 1 as impressions, 1 as posts from read_text('/etc/hostname')",
  ],
  ['copy', "copy (select 42 as x) to '/tmp/postledger-copied.csv'"],
  ['export database', "export database '/tmp/postledger-exported'"],
  ['attach', "attach '/tmp/postledger-attached.duckdb' as other"],
  ['a setting', 'set enable_external_access = true'],
])('a report’s SQL reaches nothing outside its folder: %s', async (_, sql) => {
  const { folder, section } = await makeExport(sql);
  await expect(writeCsv(section, join(folder, 'out', 'types.csv'))).rejects.toThrow(
    ReportQueryError,
  );
  await expect(section.session.database.run(sql)).rejects.toThrow();
  for (const name of ['copied.csv', 'exported', 'attached.duckdb']) {
    expect(existsSync(`/tmp/postledger-${name}`)).toBe(false);
  }
});

test('CSV has the SQL’s columns and order, with formulas in text made harmless', async () => {
  const { folder, section } = await makeExport();
  expect(await writeCsv(section, join(folder, 'out', 'types.csv'))).toBe(3);
  expect(await readFile(join(folder, 'out', 'types.csv'), 'utf8')).toBe(
    'type,impressions,posts\r\n\'=Text,12,1\r\n"\'-1, ""2""",-5,1\r\nPoll,,1\r\n',
  );
});

test('Parquet has the same rows, with texts as they are', async () => {
  const { folder, section } = await makeExport();
  const path = join(folder, 'out', 'types.parquet');
  expect(await open(section, (report) => exportParquet(report, 'types', path))).toBe(3);
  const { sections } = await buildReport(section.session, section.definition, section.set);
  const database = await Database.open(':memory:', 'READ_WRITE');
  onTestFinished(() => database.close());
  const { rows } = await database.query('select * from read_parquet($path)', { path });
  expect(rows).toEqual(sections[0]?.rows);
});

test('SQL that fails is an error with the name of its file', async () => {
  const { folder, section } = await makeExport("select error('no') as type, 1 as impressions");
  const path = join(folder, 'types.csv');
  await expect(writeCsv(section, path)).rejects.toThrow(ReportQueryError);
  await expect(writeCsv(section, path)).rejects.toThrow(/reach\/types\.sql: .*no/);
});
