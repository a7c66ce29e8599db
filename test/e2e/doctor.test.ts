import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { failure, startPlainService } from '../support/plain-service.ts';
import { valueReport } from '../support/value-report.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as unknown;
const containing = (text: string) => expect.stringContaining(text) as unknown;
const anyNumber = expect.any(Number) as unknown;

it('doctor writes what a person who helps needs, without secrets, addresses and texts of posts', async () => {
  const record = analyticsRecord(1, recently, { commentary: 'words of a post' });
  const service = await startPlainService({ analytics: new Map([[uuid(900), [record]]]) });
  service.answer(
    uuid(901),
    failure(400, 'BAD_REQUEST', 'ask jane.doe@client.example, key plain-key'),
  );
  const job = await jobFolder({
    url: service.url,
    profiles: [
      { name: 'Acme', number: 900 },
      { name: 'Careers', number: 901 },
    ],
    details: false,
    top: `timezone: UTC
mail: { host: smtp.example, from: "Reports <reports@agency.example>", user: reports, password: "\${SMTP_PASSWORD}" }`,
    reports:
      '[{ report: value, formats: [csv], out: ./out, deliver: [{ command: [./upload, "--token=hunter2"] }] }]',
  });
  await job.write(valueReport);
  expect((await job.run('run')).code).toBe(3);
  const { code, stdout } = await job.run('doctor', '--out', 'bundle.json');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Wrote ${join(job.folder, 'bundle.json')}. Read it before you pass it on.\n`,
  });
  const path = join(job.folder, 'bundle.json');
  expect((await stat(path)).mode & 0o077).toBe(0);
  const text = await readFile(path, 'utf8');
  for (const secret of ['plain-key', 'hook-token', 'hunter2', 'jane.doe', 'reports@', 'words of'])
    expect(text).not.toContain(secret);
  expect(JSON.parse(text)).toMatchObject({
    versions: { postledger: '0.1.0', node: process.version, duckdb: matching(/^v\d/) },
    config: {
      mail: { from: 'Reports <…@agency.example>', password: '${SMTP_PASSWORD}' },
      workspaces: { acme: { api_key: '${PLAIN_KEY}' } },
      jobs: { daily: { reports: [{ deliver: [{ command: ['./upload', '…'] }] }] } },
    },
    checks: {
      notes: [containing('SMTP_PASSWORD is not set')],
      error: null,
    },
    runs: [
      {
        status: 'partial',
        errors: [matching(/ask …@client\.example, key \[API key\]/)],
      },
    ],
    status: { free_bytes: anyNumber, deliveries: { held: 1 } },
    data_dir: { raw: { files: anyNumber, bytes: anyNumber } },
  });
});

it('doctor says what it cannot read, and shows nothing of a jobs.yaml that is refused', async () => {
  const job = await jobFolder({
    url: 'http://127.0.0.1:1/api/v1',
    top: 'brand: { logo: ./none.png }',
  });
  await job.write({ 'data/postledger.duckdb': 'no database' });
  const damaged = JSON.parse((await job.run('doctor')).stdout) as object;
  expect(damaged).toMatchObject({
    checks: { error: containing('none.png cannot be read') },
    runs: { error: containing('postledger.duckdb') },
    status: { problems: [{ subject: 'warehouse' }] },
  });
  const jobs = await readFile(join(job.folder, 'jobs.yaml'), 'utf8');
  await writeFile(join(job.folder, 'jobs.yaml'), jobs.replace('${PLAIN_KEY}', 'literal-key-value'));
  const { code, stdout } = await job.run('doctor');
  expect(code).toBe(0);
  expect(stdout).not.toContain('literal-key-value');
  expect(JSON.parse(stdout)).toMatchObject({
    config: { error: containing('workspaces.acme.api_key') },
  });
});
