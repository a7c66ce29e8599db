import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { RunWriter } from '../../../src/store/run-writer.ts';
import { runCli, writeFiles } from '../../support/cli.ts';
import { configOf, finishOf, profileId, recordOf } from '../../support/stored-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const killSwitch = pathToFileURL(
  resolve(import.meta.dirname, '../../support/kill-switch.mjs'),
).href;
const isoNow = new Date().toISOString();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A site with a run of January and one of today, and files of reports of both days. */
async function agedSite() {
  const folder = await temporaryFolder();
  const { dataDir } = configOf(folder);
  await writeFiles(folder, {
    '.env': 'KEY=plain-key\n',
    'jobs.yaml': `workspaces:
  acme:
    base_url: http://127.0.0.1:9
    api_key: \${KEY}
    profiles: [{ id: ${profileId}, name: Acme 1 }]
jobs:
  daily: { profiles: [acme/*], windows: { days: 20 } }
retention: { out_days: 30 }
`,
    'out/2026-01/emv.csv': 'old',
    'out/new/emv.csv': 'new',
    'out/unknown/emv.csv': 'old',
  });
  for (const started_at of ['2026-01-15T12:00:00.000Z', isoNow]) {
    const run_id = `${started_at.slice(0, 10).replaceAll('-', '')}T120000Z-aaaaaa`;
    const run = await RunWriter.open(dataDir, recordOf({ run_id, started_at }));
    await run.finish(finishOf({ finished_at: started_at }));
  }
  const written = join(dataDir, 'reports');
  await mkdir(written, { recursive: true });
  const record = (month: string, at: string) =>
    writeFile(
      join(written, `${month}.json`),
      JSON.stringify({
        job: 'daily',
        report: 'emv',
        client: null,
        folder: join(folder, 'out', month),
        files: ['emv.csv'],
        hashes: { 'emv.csv': sha256(month === 'new' ? 'new' : 'old') },
        title: 'EMV',
        lede: null,
        language: 'en',
        site: '',
        is_of_readings: false,
        from: null,
        to: null,
        is_incomplete: false,
        error: null,
        slot: '',
        definitions: [],
        written_at: at,
      }),
    );
  await record('2026-01', '2026-01-31T06:00:00.000Z');
  await writeFile(join(written, 'unknown.json'), '{}');
  await record('new', isoNow);
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  return { folder, dataDir, run };
}

it('removes files of reports that were not written again, and no raw data', async () => {
  const { folder, dataDir, run } = await agedSite();
  expect((await run('maintain', '--dry-run')).stdout).toBe(
    'Would be removed: files of 0 deliveries, 1 file of reports.\n',
  );
  const done: unknown = JSON.parse((await run('maintain', '--json')).stdout);
  expect(done).toEqual({ deliveries: 0, reports: 1, lake: null });
  expect(await readdir(join(folder, 'out', '2026-01'))).toEqual([]);
  expect(await readFile(join(folder, 'out', 'new', 'emv.csv'), 'utf8')).toBe('new');
  expect(await readFile(join(folder, 'out', 'unknown', 'emv.csv'), 'utf8')).toBe('old');
  expect(await readdir(join(dataDir, 'raw', 'acme'))).toEqual(['2026-01-15', isoNow.slice(0, 10)]);
  expect((await run('maintain')).stdout).toContain('Removed: files of 0 deliveries, 0 files');
});

it('removes nothing while the clock is further past the newest run than the retention, unless it is told that the clock is right', async () => {
  const { folder, run } = await agedSite();
  const later = (days: number, ...args: string[]) =>
    runCli(['maintain', ...args], {
      cwd: folder,
      env: {
        NODE_OPTIONS: `--import=${killSwitch}`,
        SWITCH_WALL_MS: String(Date.now() + days * 86_400_000),
        SWITCH_COUNTS: join(folder, 'counts.json'),
      },
    });
  for (const args of [[], ['--dry-run']]) {
    const refused = await later(3650, ...args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`the newest run is of ${isoNow.slice(0, 10)}`);
  }
  expect((await later(31)).stderr).toContain('retention.out_days (30 days)');
  expect((await run('maintain', '--dry-run')).stdout).toContain('1 file of reports');
  expect((await later(29)).stdout).toContain('1 file of reports');
  expect((await later(3650, '--yes')).stdout).toContain('1 file of reports');
});
