import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/core/calendar.ts';
import { cliEntry } from '../../support/cli.ts';
import { jobFolder, type JobFolder } from '../../support/job-folder.ts';
import { analyticsRecord, uuid } from '../../support/made-records.ts';
import { startPlainService } from '../../support/plain-service.ts';
import { valueReport } from '../../support/value-report.ts';

/** An umask under which only the program itself can keep its files private. */
async function runOpenly(job: JobFolder, command: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', `umask 000; ${command}`], {
    cwd: job.folder,
    env: { PATH: process.env['PATH'], HOME: job.folder },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code, command).toBe(0);
}

function postledger(args: string): string {
  return `'${process.execPath}' '${cliEntry}' ${args}`;
}

async function openJob(): Promise<JobFolder> {
  const day = addDays(dayOf(new Date(), 'UTC'), -3);
  const analytics = new Map([[uuid(900), [analyticsRecord(1, day)]]]);
  const service = await startPlainService({ analytics });
  const job = await jobFolder({
    url: service.url,
    details: false,
    reports:
      '[{ report: value, period: last_30_days, formats: [csv, html, xlsx, parquet, json, md], out: out }]',
  });
  await job.write(valueReport);
  return job;
}

/** Rights of everything below a folder, by path. */
async function rightsBelow(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder, { recursive: true });
  const modes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name))).mode & 0o777),
  );
  return new Map(names.map((name, index) => [name, modes[index] ?? 0]));
}

/** The files that others than their owner may access. */
async function openBelow(folder: string): Promise<string[]> {
  const rights = await rightsBelow(folder);
  return [...rights].filter(([, mode]) => (mode & 0o077) !== 0).map(([name]) => name);
}

it('files in data_dir are readable by their owner only, whatever the umask, and exports follow the umask', async () => {
  const job = await openJob();
  const data = join(job.folder, 'data');
  await job.write({
    'event.json': '{"type": "test", "data": {}, "createdAt": "2026-01-15T12:00:00Z"}',
  });
  await runOpenly(job, postledger('webhooks ingest event.json'));
  await runOpenly(job, postledger('run'));
  await runOpenly(job, postledger('sql "select 1 as a" --format csv --out exports/rows.csv'));
  await runOpenly(job, postledger('report run value --format xlsx,csv --out exports'));

  const made = [...(await rightsBelow(data)).keys()].map((name) => name.split('/')[0]);
  for (const name of ['budget', 'locks', 'postledger.duckdb', 'raw']) {
    expect(made).toContain(name);
  }
  expect(await openBelow(data)).toEqual([]);
  expect((await stat(data)).mode & 0o777).toBe(0o700);

  for (const folder of ['out', 'exports']) {
    const rights = await rightsBelow(join(job.folder, folder));
    expect(rights.size).toBeGreaterThan(3);
    for (const [name, mode] of rights) {
      const isFolder = (await stat(join(job.folder, folder, name))).isDirectory();
      expect([name, mode]).toEqual([name, isFolder ? 0o777 : 0o666]);
    }
  }
});
