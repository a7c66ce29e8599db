import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { UsageError } from '../../src/core/errors.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import { readReport } from '../../src/report/report-catalog.ts';
import { checkReport, openCheck } from '../../src/report/report-check.ts';
import { definitionJsonSchemaText } from '../../src/report/definition-schema.ts';
import { writeNewReport } from '../../src/report/new-report.ts';
import { allPosts } from '../../src/report/report-parameters.ts';
import { openReportSession } from '../../src/report/report-session.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rowsOf, sectionOf } from '../reports/support/document-figures.ts';
import { makeWarehouse, reportConfig } from './support/report-warehouse.ts';

async function configFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'jobs.yaml');
  await writeFile(file, '');
  return file;
}

test('a new report works at once: it fits the warehouse, and computes what it says', async () => {
  const file = await configFile();
  const { folder, files } = await writeNewReport(file, '2026-q1');
  expect(await readdir(folder)).toEqual(files);
  const definition = await readReport(join(folder, '..'), '2026-q1');
  expect(definition.title).toBe('2026 q1');

  const warehouse = join(folder, '..', '..', 'w.duckdb');
  const post = (id: string, engagement: number | null, impressions: number, length: number) => ({
    linkedin_post_id: id,
    profile_id: 'p1',
    engagement,
    impression_count: impressions,
    commentary: 'x'.repeat(length),
    published_at: '2025-11-03T10:00:00Z',
  });
  await makeWarehouse(warehouse, {
    profiles: [{ profile_id: 'p1', name: 'Acme' }],
    linkedin_posts: [post('a', 0.1, 1000, 10), post('b', null, 500, 40), post('c', 0.05, 600, 60)],
  });
  const config = reportConfig(warehouse);
  const check = await openCheck(config);
  onTestFinished(() => check.close());
  expect((await checkReport(check, definition)).faults).toEqual([]);

  const session = await openReportSession(config, allPosts);
  onTestFinished(() => session.close());
  const document = await buildReport(session, definition, { characters: '40' });
  expect(document.sections.map(({ name }) => name)).toEqual([
    'by_week',
    'by_month',
    'by_weekday',
    'by_type',
    'long_posts',
  ]);
  // (0.1 × 1000 + 0.05 × 600) / 1600; the post without engagement is in no rate
  expect(rowsOf(document, 'by_weekday')).toMatchObject([
    { weekday: 1, posts: 3, impressions: 2100, engagement_rate: 130 / 1600 },
  ]);
  expect(rowsOf(document, 'long_posts').map(({ characters }) => characters)).toEqual([60, 40]);
  expect(sectionOf(document, 'long_posts').finding).toBe('2 of 3 posts have 40 characters or more');
});

test('its first line names the schema that stands beside it, so that editors need no network', async () => {
  const { folder } = await writeNewReport(await configFile(), 'hiring');
  const text = await readFile(join(folder, 'report.yaml'), 'utf8');
  const [, schema] = /^# yaml-language-server: \$schema=\.\/(\S+)\n/.exec(text) ?? [];
  expect(await readFile(join(folder, schema ?? ''), 'utf8')).toBe(definitionJsonSchemaText());
  expect(parse(text)).toMatchObject({ title: 'Hiring' });
  expect(text).not.toContain('{{');
});

describe('is refused, and nothing is written,', () => {
  test.each([
    ['My Report', '"My Report" cannot be a report\'s name: use up to 64 of a-z, 0-9, _ and -'],
    ['_drafts', '"_drafts" cannot be a report\'s name'],
    ['../up', '"../up" cannot be a report\'s name'],
    ['', '"" cannot be a report\'s name'],
    ['a'.repeat(65), "cannot be a report's name"],
    ['emv', 'emv is the name of a built-in report; choose another one'],
  ])('with the name %j', async (name, message) => {
    const file = await configFile();
    await expect(writeNewReport(file, name)).rejects.toThrow(UsageError);
    await expect(writeNewReport(file, name)).rejects.toThrow(message);
    expect(await readdir(join(file, '..'))).toEqual(['jobs.yaml']);
  });

  test('if anything has that name, even an empty folder', async () => {
    const file = await configFile();
    const reports = join(file, '..', 'reports');
    await mkdir(join(reports, 'empty'), { recursive: true });
    await writeFile(join(reports, 'file'), 'mine');
    for (const name of ['empty', 'file'])
      await expect(writeNewReport(file, name)).rejects.toThrow(
        `${join(reports, name)} exists already; choose another name than ${name}, or move it away`,
      );
    expect((await readdir(reports)).sort()).toEqual(['empty', 'file']);
    expect(await readFile(join(reports, 'file'), 'utf8')).toBe('mine');
  });

  test('without a config file', async () => {
    const file = join(await temporaryFolder(), 'jobs.yaml');
    await expect(writeNewReport(file, 'hiring')).rejects.toThrow(`${file} does not exist`);
    expect(await readdir(join(file, '..'))).toEqual([]);
  });
});
