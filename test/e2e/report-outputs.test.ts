import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeWarehouse } from '../report/support/report-warehouse.ts';
import { runCli } from '../support/cli.ts';
import { jobFolder, type JobFolder } from '../support/job-folder.ts';
import { uuid } from '../support/made-records.ts';
import { valueReport } from '../support/value-report.ts';

const refusingDisk = pathToFileURL(
  resolve(import.meta.dirname, '../support/refusing-disk.mjs'),
).href;

/** Two posts of a March and one of the March before, without a service to ask. */
async function folderWithPosts(): Promise<JobFolder> {
  const job = await jobFolder({ url: 'http://127.0.0.1:1', top: 'locale: en-GB\ncurrency: EUR' });
  await mkdir(join(job.folder, 'data'));
  await job.write(valueReport);
  const post = (id: string, day: string, values: Record<string, unknown>) => ({
    linkedin_post_id: id,
    profile_id: uuid(900),
    published_at: `${day}T12:00:00Z`,
    ...values,
  });
  await makeWarehouse(join(job.folder, 'data/postledger.duckdb'), {
    profiles: [{ profile_id: uuid(900), name: 'Acme' }],
    linkedin_posts: [
      post('a', '2025-03-03', { commentary: '=1+1', impression_count: 1000, emv: 30 }),
      post('b', '2025-03-04', { commentary: 'über', impression_count: 2000, emv: 60 }),
      post('c', '2024-03-31', { impression_count: 500, emv: 15 }),
    ],
  });
  return job;
}

const march = ['--from', '2025-03-01', '--to', '2025-03-31'];

describe('report run', () => {
  it('prints a period beside the same days a year before, takes a named one, leaves posts out, and refuses what it does not know', async () => {
    const job = await folderWithPosts();
    const run = (compare: string) =>
      job.run('report', 'run', 'emv', '--section', 'summary', ...march, '--compare', compare);
    const { code, stdout } = await run('year');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'LinkedIn · 1 March to 31 March 2025 · compared with the year before\n',
    );
    expect(stdout).toContain('Compared with: Mar 2024 · Time zone: UTC');
    expect(stdout).toMatch(/^EMV +€90 +▲ 500\.0% +€15 in Mar 2024$/mu);
    const year = await job.run('report', 'run', 'value', '--period', '2025', '--exclude', 'a');
    expect(year.stdout).toContain('without: a');
    expect(year.stdout).toMatch(/^€60 of media value\.$/mu);
    for (const wrong of [
      ['--period', 'last-month'],
      ['--period', 'all', '--from', '2025-03-01'],
      ['--kind', 'group'],
    ])
      expect((await job.run('report', 'run', 'value', ...wrong)).code).toBe(2);
    const week = await run('week');
    expect(week.code).toBe(2);
    expect(week.stderr).toContain('Allowed choices are previous, year, none');
  });

  it('renders the other reports when a file of one cannot be written or a report is broken', async () => {
    const job = await folderWithPosts();
    await mkdir(join(job.folder, 'out/value/posts.csv'), { recursive: true });
    await job.write({ 'reports/broken/report.yaml': 'title: [' });
    const run = ['report', 'run', 'value', 'quality', '--format', 'csv', '--out', 'out'];
    const { code, stdout, stderr } = await job.run(...run);
    expect(code).toBe(3);
    expect(stderr).toContain('posts.csv');
    expect(stdout).toContain(join('out', 'quality', 'summary.csv'));

    const list = await job.run('report', 'list', '--json');
    expect(list.code).toBe(2);
    expect(list.stderr).toContain(join('reports', 'broken', 'report.yaml'));
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({ name: 'emv', internal: false }),
    );
    const lines = await job.run('report', 'list');
    expect(lines.stdout).toMatch(/^growth {6}What posts gained .* are final\. Internal\.$/m);
    const one = await job.run('report', 'list', 'engagement');
    expect(one.stdout).toMatch(/^Answers {3}How people engaged .*\nFor {7}clients, too\n/m);
    expect(one.stdout).toMatch(/^--set {5}minimum_impressions=\S+ {2}.* \(\w+\)$/m);
    expect(await job.run('report', 'list', 'engagment')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "engagement"') as string,
    });
  });

  it('writes CSV with the formula guard, or raw after a byte order mark', async () => {
    const job = await folderWithPosts();
    const posts = async (...flags: string[]) => {
      const run = ['report', 'run', 'value', ...march, '--format', 'csv', '--out', 'out', ...flags];
      expect(await job.run(...run)).toMatchObject({ code: 0 });
      return readFile(join(job.folder, 'out/value/posts.csv'), 'utf8');
    };
    const plain = await posts();
    expect(plain).toMatch(/^linkedin_post_id,[^]*'=1\+1[^]*über[^]*\r\n$/u);
    expect(await posts('--bom', '--raw')).toBe(`\ufeff${plain.replace("'=1+1", '=1+1')}`);
  });

  it('writes HTML whose appendix is printed on request', async () => {
    const job = await folderWithPosts();
    const yaml = valueReport['reports/value/report.yaml'];
    await job.write({ 'reports/value/report.yaml': `${yaml}    appendix: true\n` });
    const run = ['report', 'run', 'value', ...march, '--format', 'html', '--out', 'out'];
    expect(await job.run(...run, '--appendix')).toMatchObject({ code: 0 });
    expect(await readFile(join(job.folder, 'out/value.html'), 'utf8')).toContain(
      '<details class="appendix printed">',
    );
  });
});

it('--section renders the named sections alone, and refuses those that there are not', async () => {
  const job = await folderWithPosts();
  const run = ['report', 'run', 'emv', '--format', 'csv', '--out', 'one'];
  expect((await job.run(...run, '--section', 'by_type')).code).toBe(0);
  const files = await readdir(join(job.folder, 'one/emv'));
  expect(files.filter((name) => !name.startsWith('_'))).toEqual(['by_type.csv']);
  expect(await job.run(...run, '--section', 'by_typ')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '--section by_typ: there is no such section; did you mean "by_type"?',
    ) as string,
  });
});

it('sql takes its query from a file or from standard input, once, and writes CSV with the formula guard, or raw after a byte order mark', async () => {
  const job = await folderWithPosts();
  await job.write({ 'one.sql': 'select 1 as x' });
  const csv = { code: 0, stdout: 'x\r\n1\r\n' };
  expect(await job.run('sql', '--file', 'one.sql', '--format', 'csv')).toMatchObject(csv);
  const piped = { cwd: job.folder, input: 'select 1 as x' };
  expect(await runCli(['sql', '--file', '-', '--format', 'csv'], piped)).toMatchObject(csv);
  const guarded = ['sql', "select '=1' as x, [1.5, null]::double[] as y", '--format', 'csv'];
  expect((await job.run(...guarded)).stdout).toBe('x,y\r\n\'=1,"[1.5,null]"\r\n');
  expect((await job.run(...guarded, '--bom', '--raw')).stdout).toBe(
    '\ufeffx,y\r\n=1,"[1.5,null]"\r\n',
  );
  for (const wrong of [[], ['select 1', '--file', 'one.sql'], ['--file', 'none.sql']])
    expect((await job.run('sql', ...wrong)).code).toBe(2);
});

it('sql prints small decimals, lists and what is not finite alike in every format', async () => {
  const job = await folderWithPosts();
  const query = `select 0.0142 as rate, 1234.5 as large, ['a', 'b'] as words, [1::bigint, null] as numbers,
    [1 / 0.0] as infinite, 1 / 0.0 as x, date 'infinity' as day, 9007199254740993.25 as long,
    date '0044-03-15 (BC)' as ides, {'x': 1 / 0.0} as pair`;
  const sql = async (format: string) => (await job.run('sql', query, '--format', format)).stdout;
  expect((await sql('table')).split('\n').slice(0, 3).at(-1)?.split(/ {2,}/)).toEqual([
    '0.0142',
    '1,234.50',
    '["a","b"]',
    '[1,null]',
    '[null]',
    '–',
    '–',
    '9,007,199,254,740,993.25',
    '–',
    '{"x":null}',
  ]);
  expect(await sql('csv')).toBe(
    'rate,large,words,numbers,infinite,x,day,long,ides,pair\r\n' +
      '0.0142,1234.5,"[""a"",""b""]","[1,null]",[null],,,9007199254740993.25,,"{""x"":null}"\r\n',
  );
  expect(JSON.parse(await sql('json'))).toEqual([
    {
      rate: 0.0142,
      large: 1234.5,
      words: ['a', 'b'],
      numbers: [1, null],
      infinite: [null],
      x: null,
      day: null,
      long: '9007199254740993.25',
      ides: null,
      pair: '{"x":null}',
    },
  ]);
  expect(await sql('md')).toContain('| 9,007,199,254,740,993.25 | – |');
  expect(await sql('md')).toContain(String.raw`| 0.0142 | 1,234.50 | \["a","b"\] | \[1,null\] |`);
});

it('sql writes into the open file that it is given, between what others write there', async () => {
  const job = await folderWithPosts();
  const script = `(echo before; "$@" --out /dev/stdout; echo after) > all.csv; "$@" --out >(tr x y) | cat`;
  const { stdout } = await runCli(['sql', 'select 1 as x', '--format', 'csv'], {
    cwd: job.folder,
    wrapper: ['bash', '-c', script, 'bash'],
  });
  expect(stdout).toBe('y\r\n1\r\n');
  expect(await readFile(join(job.folder, 'all.csv'), 'utf8')).toBe('before\nx\r\n1\r\nafter\n');
});

it('a share without permissions and hard links takes files for people, and is refused as data_dir', async () => {
  const job = await folderWithPosts();
  const share = join(job.folder, 'share');
  await mkdir(share);
  const env = { NODE_OPTIONS: `--import ${refusingDisk}`, REFUSING_DISK: share };
  const run = (...args: string[]) => runCli(args, { cwd: job.folder, env });
  const report = ['report', 'run', 'value', '--format', 'csv,html', '--out', 'share/2026'];
  expect(await run(...report)).toMatchObject({ code: 0 });
  expect(await run('export', '--parquet', 'share/all')).toMatchObject({ code: 0 });
  expect((await readdir(share)).sort()).toEqual(['2026', 'all']);
  const jobs = await readFile(join(job.folder, 'jobs.yaml'), 'utf8');
  await job.write({ 'jobs.yaml': `data_dir: ./share/data\n${jobs}` });
  const { code, stderr } = await run('check');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /the file system of \S+share\S* has no hard links \(EPERM\), which data_dir/,
    ),
  ]);
});

it('sql takes the format from the ending of the file name, unless a format is given', async () => {
  const job = await folderWithPosts();
  const written = async (...flags: string[]) => {
    expect(await job.run('sql', 'select 1 as x', '--out', ...flags)).toMatchObject({ code: 0 });
    return readFile(join(job.folder, flags[0] ?? ''), 'utf8');
  };
  expect(await written('a.csv')).toBe('x\r\n1\r\n');
  expect(await written('b.PARQUET')).toMatch(/^PAR1/);
  expect(await written('c.csv', '--format', 'json')).toContain('{"x":1}');
  expect(await written('d')).toContain('x\n');
});
