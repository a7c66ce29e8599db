import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { writeFiles } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';

/** The files that docs/own-reports.md shows: blocks whose first line names their path. */
function documentedFiles(): Record<string, string> {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/own-reports.md'), 'utf8');
  const blocks = page.matchAll(/^```\w*\n(?:#|--) (reports\/\S+)\n([^]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(([, path = '', text = '']) => [path, text]));
}

it('the report in docs/own-reports.md runs beside the built-in ones', async () => {
  const day = addDays(dayOf(new Date(), 'UTC'), -3);
  const reactions = { likeCount: 10, commentCount: 2, shareCount: 1 };
  const page = [
    analyticsRecord(1, day, { ...reactions, impressionCount: 1000, clickCount: 7 }),
    analyticsRecord(2, day, { ...reactions, impressionCount: null, clickCount: 3 }),
  ];
  const member = [
    analyticsRecord(3, day, {
      ...reactions,
      impressionCount: 2000,
      clickCount: null,
      saveCount: 4,
    }),
  ];
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), page],
      [uuid(901), member],
    ]),
  });
  const profiles = [
    { name: 'Acme', number: 900 },
    { name: 'Mara', number: 901 },
  ];
  const job = await jobFolder({ url: service.url, details: false, profiles });
  const files = documentedFiles();
  expect(Object.keys(files)).toEqual([
    'reports/own_emv/report.yaml',
    'reports/own_emv/_views.sql',
    'reports/own_emv/by_profile.sql',
    'reports/own_emv/by_profile.finding.sql',
    'reports/own_emv/by_month.sql',
    'reports/own_emv/_total.sql',
  ]);
  await writeFiles(job.folder, files);
  expect((await job.run('run')).code).toBe(0);
  const check = await job.run('report', 'check', 'own_emv');
  expect(check).toMatchObject({ code: 0, stderr: '' });
  expect(check.stdout).toContain('1 report, 5 SQL files: all are valid.\n');

  const list = JSON.parse((await job.run('report', 'list', '--json')).stdout) as { name: string }[];
  expect(list.map(({ name }) => name)).toContain('own_emv');
  const set = ['--set', 'member_cpm=60', '--set', 'click_price=3'];
  const args = ['own_emv', ...set, '--format', 'csv,html', '--out', 'out'];
  expect(await job.run('report', 'run', ...args)).toMatchObject({ code: 0 });
  const csv = await readFile(join(job.folder, 'out/own_emv/by_profile.csv'), 'utf8');
  // 2000 × 60 / 1000 + 13 × 0.5 for the member; 1000 × 30 / 1000 + 10 × 3 + 26 × 0.5 for the page
  expect(csv.split(/\r?\n/).map((line) => line.split(',').toSpliced(2, 2))).toEqual([
    'profile,kind,posts,impressions,from_impressions,from_clicks,from_reactions,own_emv,own_emv_share'.split(
      ',',
    ),
    ['Mara', 'member', '1', '2000', '120.0', '', '6.5', '126.5', (126.5 / 199.5).toPrecision(15)],
    ['Acme', 'page', '2', '1000', '30.0', '30.0', '13.0', '73.0', (73 / 199.5).toPrecision(15)],
    [''],
  ]);
  const html = await readFile(join(job.folder, 'out/own_emv.html'), 'utf8');
  expect(html).toContain('Mara leads with');
});
