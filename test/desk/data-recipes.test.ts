import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runCli, writeFiles } from '../support/cli.ts';
import { analyticsRecord, configOf, load, profileId, storeRun } from '../support/stored-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
/** The packages that .ci/run installs there. */
const env = { ...process.env, PYTHONPATH: join(root, '.cache/python') };

test('the Python recipes of docs/data.md read the warehouse, an export and a report', async () => {
  const folder = await temporaryFolder();
  const config = { ...configOf(folder), warehouse: join(folder, 'data/postledger.duckdb') };
  await storeRun(config, [analyticsRecord({ likeCount: 7, impressionCount: 1234 })]);
  await load(config);
  await writeFiles(folder, {
    'jobs.yaml': `timezone: UTC
workspaces:
  acme:
    base_url: http://127.0.0.1:1/api/v1
    api_key: \${KEY}
    profiles: [{ id: ${profileId}, name: Acme }]
jobs:
  daily: { profiles: [acme/Acme], windows: { start: 2026-01-01, size_days: 30 }, details: true }
`,
  });
  const exported = await runCli(['export', '--parquet', 'export'], { cwd: folder });
  expect(exported.code).toBe(0);
  const q1 = ['--from', '2026-01-01', '--to', '2026-03-31', '--out', 'q1', '--format', 'csv'];
  const reported = await runCli(['report', 'run', 'emv', ...q1], { cwd: folder });
  expect(reported.code).toBe(0);
  const page = await readFile(join(root, 'docs/data.md'), 'utf8');
  const recipes = [...page.matchAll(/^```python\n([^]*?)^```/gm)].map(([, code = '']) => code);
  const printed = recipes.map(async (code) => {
    const { stdout } = await promisify(execFile)('python3', ['-c', code], { cwd: folder, env });
    return stdout;
  });
  const [pandas = '', polars = '', report = ''] = await Promise.all(printed);
  expect(pandas).toMatch(/^acme +1234/m);
  expect(polars).toMatch(/2026-01-\d\d +┆ 7 /);
  expect(report).toMatch(/^published_at +datetime64\[.*, UTC\]$/m);
});
