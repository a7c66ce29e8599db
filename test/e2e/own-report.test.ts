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

it('runs the report that the documentation shows, beside the built-in ones', async () => {
  const day = addDays(dayOf(new Date(), 'UTC'), -3);
  const labelled = (name: string) => ({
    id: uuid(500),
    title: 'T',
    labels: [{ name, labelId: uuid(600) }],
    campaign: null,
  });
  const records = [
    analyticsRecord(1, day, { servicePost: labelled('Careers'), clickCount: 7 }),
    analyticsRecord(2, day, { clickCount: 100 }),
  ];
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  const job = await jobFolder({ url: service.url, details: false });
  const files = documentedFiles();
  expect(Object.keys(files)).toEqual([
    'reports/hiring/report.yaml',
    'reports/hiring/by_profile.sql',
    'reports/hiring/by_profile.finding.sql',
  ]);
  await writeFiles(job.folder, files);
  expect((await job.run('run')).code).toBe(0);

  const list = JSON.parse((await job.run('report', 'list', '--json')).stdout) as { name: string }[];
  expect(list.map(({ name }) => name)).toEqual([
    'campaigns',
    'emv',
    'engagement',
    'growth',
    'hiring',
    'labels',
    'quality',
    'removed',
    'video',
  ]);
  const args = ['hiring', '--set', 'label=Careers', '--format', 'csv,html', '--out', 'out'];
  expect(await job.run('report', 'run', ...args)).toMatchObject({ code: 0 });
  const csv = await readFile(join(job.folder, 'out/hiring/by_profile.csv'), 'utf8');
  expect(csv.split(/\r?\n/)).toEqual(['profile,posts,clicks', 'Acme,1,7', '']);
  const html = await readFile(join(job.folder, 'out/hiring.html'), 'utf8');
  expect(html).toContain('had the most clicks, 7');
});
