import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeWarehouse } from '../report/support/report-warehouse.ts';
import { jobFolder } from '../support/job-folder.ts';
import { uuid } from '../support/made-records.ts';

const run = promisify(execFile);

test('Chromium prints a report as a tagged PDF with its figures as text and the same bytes each time', async () => {
  const job = await jobFolder({ url: 'http://127.0.0.1:1', top: 'timezone: UTC\ncurrency: EUR' });
  await mkdir(join(job.folder, 'data'));
  await makeWarehouse(join(job.folder, 'data/postledger.duckdb'), {
    profiles: [{ profile_id: uuid(900), name: 'Acme' }],
    linkedin_posts: [1, 2, 3].map((number) => ({
      linkedin_post_id: `post-${number}`,
      profile_id: uuid(900),
      commentary: `Über post ${number}`,
      published_at: `2025-0${number}-10T12:00:00Z`,
      impression_count: 1000 * number,
      emv: 30 * number,
    })),
  });
  const print = async (): Promise<Buffer> => {
    const asked = ['report', 'run', 'emv', '--format', 'pdf', '--out', 'out'];
    expect(await job.run(...asked)).toMatchObject({ code: 0 });
    return readFile(join(job.folder, 'out/emv.pdf'));
  };
  const first = await print();
  expect(await readdir(join(job.folder, 'out'))).toEqual(['emv.pdf']);
  await copyFile(join(job.folder, 'out/emv.pdf'), join(job.folder, 'first.pdf'));
  expect((await print()).equals(first)).toBe(true);

  const { stdout: info } = await run('pdfinfo', ['first.pdf'], { cwd: job.folder });
  expect(info).toMatch(/^Title: +Earned media value/mu);
  expect(info).toMatch(/^Tagged: +yes$/mu);
  expect(info).toMatch(/^Page size: .*\(letter\)$/mu);
  expect(info).toMatch(/^CreationDate: +Sun Jan  4 05:00:00 2026/mu);
  expect(first.includes('/Outlines')).toBe(true);
  const { stdout: text } = await run('pdftotext', ['-layout', 'first.pdf', '-'], {
    cwd: job.folder,
  });
  expect(text).toContain('€180');
  expect(text).toContain('Über post 3');
  // outlines as pictures (Type 3) hide digits from many readers
  const { stdout: fonts } = await run('pdffonts', ['first.pdf'], { cwd: job.folder });
  expect(fonts).toContain('CID TrueType');
  expect(fonts).not.toContain('Type 3');
});
