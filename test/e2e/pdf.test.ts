import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWarehouse } from '../report/support/report-warehouse.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { startPlainService } from '../support/plain-service.ts';
import { valueReport } from '../support/value-report.ts';

const missing =
  /PDF needs Chromium, and pdf\.browser .*no-browser is no program; install Debian's package chromium, or name a browser as pdf\.browser in jobs\.yaml/;

async function folderWithPost(browser = './no-browser'): Promise<JobFolder> {
  const job = await jobFolder({
    url: 'http://127.0.0.1:1',
    top: `timezone: UTC\npdf: { browser: ${browser} }`,
  });
  await mkdir(join(job.folder, 'data'));
  await job.write(valueReport);
  await makeWarehouse(join(job.folder, 'data/postledger.duckdb'), {
    linkedin_posts: [{ linkedin_post_id: 'a', profile_id: uuid(900), impression_count: 1000 }],
  });
  return job;
}

describe('the format pdf without a browser', () => {
  it('fails without affecting the other formats, with exit code 3', async () => {
    const job = await folderWithPost();
    const run = ['report', 'run', 'value', '--format', 'pdf,html,md', '--out', 'out'];
    const { code, stdout, stderr } = await job.run(...run);
    expect(code).toBe(3);
    expect(stderr).toMatch(missing);
    expect(stdout).toContain('value.html\n');
    expect(stdout).toContain('posts.md\n');
    expect((await readdir(join(job.folder, 'out'))).toSorted()).toEqual(['value', 'value.html']);
  });

  it('is reported by a run, which exits with 3', async () => {
    const service = await startPlainService({
      analytics: new Map([[uuid(900), [analyticsRecord(1, '2026-01-05')]]]),
    });
    const job = await jobFolder({
      url: service.url,
      top: 'timezone: UTC\npdf: { browser: ./no-browser }',
      details: false,
      reports: '[{ report: value, period: all, formats: [html, pdf], out: ./out }]',
    });
    await job.write(valueReport);
    const run = await job.run('run');
    expect(run.code).toBe(3);
    expect(run.stdout).toMatch(
      / report value: 1 file in .*\n +report value failed: PDF needs Chromium/,
    );
    expect((await readdir(join(job.folder, 'out'))).sort()).toEqual(['index.html', 'value.html']);
  });
});

it.each([
  [
    'failed',
    '60',
    'echo "no display" >&2\nexit 7',
    /value: .*browser\.sh failed \(exit 7: no display\)/,
  ],
  ['hangs until the time limit', '1.5', 'sleep 600', /stopped after 1\.5 s/],
])('the error names a browser that %s, and no file is left', async (_, limit, script, said) => {
  const job = await folderWithPost('./browser.sh');
  await job.write({ 'browser.sh': `#!/bin/sh\n${script}\n` });
  await chmod(join(job.folder, 'browser.sh'), 0o755);
  const run = ['report', 'run', 'value', '--format', 'pdf', '--out', 'out', '--timeout', limit];
  const { code, stderr } = await job.run(...run);
  expect([code, stderr]).toEqual([1, expect.stringMatching(said)]);
  expect(await readdir(job.folder)).not.toContain('out');
});
