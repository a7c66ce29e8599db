import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtInReports, listReportNames } from '../../src/report/report-catalog.ts';
import { runCli, type Finished } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Comparison {
  readonly table: string;
  readonly rows: number;
}

/** Files by their path below the folder, as they are to the byte. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length), (await readFile(path)).toString('base64'));
  }
  return files;
}

it('the warehouse of days of runs and deletions can be thrown away, and all reports are the same to the byte', async () => {
  const folder = await temporaryFolder();
  expect(await runCli(['demo', '--days', '2'], { cwd: folder })).toMatchObject({ code: 0 });
  const demo = join(folder, 'demo');
  const run = (...args: string[]): Promise<Finished> => runCli(args, { cwd: demo });
  const reports = await listReportNames([builtInReports]);
  const renderTo = async (out: string) => {
    const formats = ['--format', 'csv,json,md,html,xlsx'];
    const rendered = await run('report', 'run', ...reports, ...formats, '--out', out);
    expect(rendered).toMatchObject({ code: 0 });
    return filesIn(join(demo, out));
  };
  const before = await renderTo('before');
  expect(before.size).toBeGreaterThan(5 * reports.length);

  const check = await run('rebuild', '--check', '--json');
  expect(check).toMatchObject({ code: 0 });
  const { tables } = JSON.parse(check.stdout) as { tables: Comparison[] };
  for (const table of ['linkedin_post_snapshots', 'posts', 'webhook_events', 'runs'])
    expect(tables.find((each) => each.table === table)?.rows).toBeGreaterThan(0);

  const data = (await readdir(demo, { recursive: true })).find((name) => name.endsWith('.duckdb'));
  await rm(join(demo, data ?? ''));
  const rebuilt = await run('rebuild');
  expect(rebuilt).toMatchObject({ code: 0 });
  expect(rebuilt.stdout).toMatch(/^Rebuilt from \d+ runs with [\d,]+ responses · .* applied/);
  const after = await renderTo('after');
  expect([...after.keys()]).toEqual([...before.keys()]);
  for (const [name, bytes] of before)
    expect([name, after.get(name) === bytes]).toEqual([name, true]);

  const pruned = await run('archive', 'prune', '--keep', '1');
  expect(pruned.stdout).toMatch(/^[\d,]+ bod(y|ies) of before .* (is|are) gone \(/);
  expect(await run('archive', 'verify')).toMatchObject({ code: 0 });
  const refused = await run('rebuild');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stdout).toContain('--without-pruned');
  expect(await run('rebuild', '--without-pruned')).toMatchObject({ code: 0 });
}, 300_000);
