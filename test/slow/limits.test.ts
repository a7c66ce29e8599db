import { readdirSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeWarehouse } from '../report/support/report-warehouse.ts';
import { runCli, startCli, writeFiles, type Finished, type Running } from '../support/cli.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { uuid } from '../support/made-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const runaway = 'select count(*) as posts from range(1000000000) a, range(1000000000) b';
const greedy = 'select list(a.range) as posts from range(2000000000) a';
const little = ['--memory', '600MB'];

let job: JobFolder;
/** The folder for temporary files of the program. */
let temporary: string;

beforeEach(async () => {
  job = await jobFolder({ url: 'http://127.0.0.1:9/api/v1' });
  temporary = await temporaryFolder();
  await mkdir(join(job.folder, 'data'), { mode: 0o700 });
  await makeWarehouse(join(job.folder, 'data', 'postledger.duckdb'), {
    linkedin_posts: [
      {
        linkedin_post_id: 'a',
        profile_id: uuid(900),
        published_at: '2025-11-03T08:15:00Z',
        emv: 1.5,
      },
    ],
  });
});

function start(...args: string[]): Running {
  return startCli(args, { cwd: job.folder, env: { TMPDIR: temporary } });
}

function run(...args: string[]): Promise<Finished> {
  return runCli(args, { cwd: job.folder, env: { TMPDIR: temporary } });
}

/** Waits until the spill folder exists: the query is about to run. */
async function untilItRuns(): Promise<void> {
  await until(() => readdirSync(temporary).length > 0);
}

/** A report of one's own, with one section. */
function report(name: string, files: Readonly<Record<string, string>>): Record<string, string> {
  const definition = `title: ${name}\ndescription: A report.\nsections:\n  - { name: posts, title: Posts, description: Posts., key: [posts] }\n`;
  const own = { 'report.yaml': definition, ...files };
  return Object.fromEntries(
    Object.entries(own).map(([file, text]) => [`reports/${name}/${file}`, text]),
  );
}

describe('sql', () => {
  it('is stopped when it takes longer than --timeout, and leaves no file', async () => {
    const { code, stdout, stderr } = await run('sql', runaway, '--timeout', '1.5');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: the query was stopped after 1.5 s; make it smaller, or allow more with --timeout\n',
    });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('ends on Ctrl-C', async () => {
    const running = start('sql', runaway);
    await untilItRuns();
    running.child.kill('SIGINT');
    expect(await running.finished).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: the query was stopped\n',
    });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('shows at most a million rows, and writes any number as Parquet', async () => {
    const many = 'select range as n from range(1000001)';
    const shown = await run('sql', many, '--format', 'json');
    expect(shown).toMatchObject({ code: 1, stdout: '' });
    expect(shown.stderr).toContain('it gives 1000001 rows, and 1000000 are the most');
    expect(await run('sql', many, '--out', 'rows.parquet')).toMatchObject({ code: 0 });
  });

  it.each([
    ['--timeout', '0', 'Give seconds, more than 0 and at most 604800 (a week).'],
    ['--memory', '10MB', 'Give a size such as 500MB or 4GB, 200MB or more.'],
  ])('refuses %s %s', async (flag, value, rule) => {
    const { code, stderr } = await run('sql', 'select 1', flag, value);
    expect(code).toBe(2);
    expect(stderr).toContain(rule);
  });
});

describe('a report of one’s own', () => {
  it('that takes too long is stopped', async () => {
    await writeFiles(job.folder, report('endless', { 'posts.sql': runaway }));
    const { code, stderr } = await run('report', 'run', 'endless', '--timeout', '1.5');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'error: the report endless was stopped after 1.5 s; make it smaller, or allow more with --timeout\n',
    });
  });

  it('that needs too much memory does not affect the others', async () => {
    await writeFiles(job.folder, {
      ...report('greedy', { 'posts.sql': greedy }),
      ...report('small', { 'posts.sql': 'select count(*) as posts from report_posts' }),
    });
    const { code, stdout, stderr } = await run(
      ...['report', 'run', 'emv', 'greedy', 'small', '--format', 'csv', '--out', 'out'],
      ...little,
    );
    expect(stderr).toContain('the report greedy needs more than 600 MB');
    expect(stdout).toContain(join(job.folder, 'out/emv/by_month.csv'));
    expect(stdout).toContain(join(job.folder, 'out/small/posts.csv'));
    expect(code).toBe(3);
    expect((await readdir(join(job.folder, 'out'))).sort()).toEqual(['emv', 'small']);
    expect(await readFile(join(job.folder, 'out/small/posts.csv'), 'utf8')).toBe('posts\r\n1\r\n');
  });

  it.each([
    ['posts.sql', 'create temp table x as select 1 as posts', 'only a SELECT can be run here'],
    ['_views.sql', "set memory_limit = '1TB'", 'only views, tables and macros can be made here'],
  ])('is refused for a %s that is %s', async (file, sql, message) => {
    await writeFiles(job.folder, report('odd', { 'posts.sql': 'select 1 as posts', [file]: sql }));
    const { code, stderr } = await run('report', 'run', 'odd', '--out', 'out', '--format', 'csv');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}: ${message}`)]);
  });
});
