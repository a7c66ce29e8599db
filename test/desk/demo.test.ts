import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtInReports, listReportNames } from '../../src/report/report-catalog.ts';
import { runCli, type Finished } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { demoDays, madeDemo } from './support/made-demo.ts';

/** The reports in a folder by their path, as they are to the byte. */
async function reportsIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter(({ name }) => /\.(csv|html|xlsx)$/.test(name))) {
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length), (await readFile(path)).toString('base64'));
  }
  return files;
}

it('the demo writes reports in all formats, and all reports are byte-identical after its warehouse was deleted and rebuilt', async () => {
  const demo = join(await temporaryFolder(), 'demo');
  await cp(await madeDemo(), demo, { recursive: true });
  const run = (...args: string[]): Promise<Finished> => runCli(args, { cwd: demo });
  const before = await reportsIn(demo);
  const reports = await listReportNames([builtInReports]);
  for (const report of reports) {
    for (const file of [`${report}.html`, `${report}.xlsx`, `${report}/_coverage.csv`])
      expect(before.has(`/${file}`)).toBe(true);
  }
  const removed = await readFile(join(demo, 'removed/posts.csv'), 'utf8');
  expect(removed.match(/\btrue\b/g)).toHaveLength(12);
  // the day may end in the demo's time zone while this runs
  const days = `select count(distinct captured_on) as days, date_trunc('month', max(captured_on)) as month,
      (month - interval 12 month)::date as year_start, (month - interval 1 day)::date as year_end,
      max(captured_on) - 30 as days_start, max(captured_on) - 1 as days_end
    from linkedin_post_snapshots`;
  const asked = await run('sql', '--format', 'json', days);
  const [made] = JSON.parse(asked.stdout) as [
    { days: number } & Record<'year_start' | 'year_end' | 'days_start' | 'days_end', string>,
  ];
  expect(made.days).toBe(demoDays + 1);

  const data = (await readdir(demo, { recursive: true })).find((name) => name.endsWith('.duckdb'));
  await rm(join(demo, data ?? ''));
  const rebuilt = await run('rebuild');
  expect(rebuilt).toMatchObject({ code: 0 });
  expect(rebuilt.stdout).toMatch(/^Rebuilt\. [\d,]+ responses loaded · .* applied/);
  const options = ['--format', 'csv,html,xlsx', '--out', 'after'];
  const others = reports.filter((name) => name !== 'growth');
  for (const each of [
    [...others, ...options, '--from', made.year_start, '--to', made.year_end],
    ['growth', ...options, '--from', made.days_start, '--to', made.days_end],
  ])
    expect(await run('report', 'run', ...each)).toMatchObject({ code: 0 });
  const after = await reportsIn(join(demo, 'after'));
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  for (const [name, bytes] of before)
    expect([name, after.get(name) === bytes]).toEqual([name, true]);

  expect(await run('verify')).toMatchObject({ code: 0 });
}, 300_000);

it('the demo refuses a folder that is not its own and does not change it', async () => {
  const foreign = await temporaryFolder();
  await writeFile(join(foreign, 'mine.txt'), 'mine');
  const refused = await runCli(['demo', '--out', foreign], { cwd: foreign });
  expect(refused.code).toBe(2);
  expect(await readdir(foreign)).toEqual(['mine.txt']);
});
