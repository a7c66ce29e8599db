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
  const post = (id: string, profile: string, engagement: number | null, impressions: number) => ({
    linkedin_post_id: id,
    profile_id: profile,
    engagement,
    impression_count: impressions,
    published_at: '2025-11-03T10:00:00Z',
  });
  await makeWarehouse(warehouse, {
    profiles: [
      { profile_id: 'p1', name: 'Acme' },
      { profile_id: 'p2', name: 'Mara' },
    ],
    linkedin_posts: [
      post('a', 'p1', 0.1, 1000),
      post('b', 'p1', null, 500),
      post('c', 'p2', 0.05, 600),
    ],
  });
  const config = reportConfig(warehouse);
  const check = await openCheck(config);
  onTestFinished(() => check.close());
  expect((await checkReport(check, definition)).faults).toEqual([]);

  const session = await openReportSession(config, allPosts);
  onTestFinished(() => session.close());
  const { sections, cards, coverage } = await buildReport(session, definition, {
    price: '4',
    minimum_posts: '1',
  });
  expect(sections.map(({ name, rows }) => [name, rows])).toEqual([
    ['by_month', [['2025-11-01', 3, 130, 520]]],
    [
      'by_profile',
      [
        ['Acme', 'acme', 'p1', 2, 1, 100, 400, 400, 400 / 520],
        ['Mara', 'acme', 'p2', 1, 1, 30, 120, 120, 120 / 520],
      ],
    ],
    ['summary', [[3, 1, 130, 4, 520]]],
  ]);
  expect(sections.map(({ finding }) => finding)).toEqual([
    null,
    'Acme leads with €400.00 a post',
    null,
  ]);
  expect(sections[1]?.total?.cells).toEqual(['Total', null, null, 3, 2, 130, 520, 260, 1]);
  expect(cards.map(({ label, value }) => [label, value])).toEqual([
    ['Worth', 520],
    ['Posts', 3],
  ]);
  expect(coverage).toEqual(['3 posts', '1 without engagement']);
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
