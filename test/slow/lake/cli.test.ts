import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCli, writeFiles } from '../../support/cli.ts';
import { variablesOf, warehouseOf } from '../../support/fleet.ts';
import { LakeServers, passwords } from '../../support/lake-servers.ts';
import { configured, storeDay } from '../../support/lake-story.ts';
import { madeUpMigration, makeNextVersion } from '../../support/next-version.ts';
import { configOf, analyticsRecord, load, profileId, storeRun } from '../../support/stored-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { valueReport } from '../../support/value-report.ts';

const servers = await LakeServers.start();
afterAll(() => servers.stop());

test('a change of jobs.yaml moves a file into a lake on S3, which then serves every command', async () => {
  const folder = await temporaryFolder();
  const lake = servers.newLake('s3', { shards: 1 });
  await writeFiles(folder, {
    ...valueReport,
    'jobs.yaml': `${warehouseOf(lake)}workspaces:
  acme: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}", profiles: [{ id: ${profileId}, name: Acme, cpm: 30 }] }
`,
    '.env': ['KEY=key', ...variablesOf(lake)].join('\n'),
  });
  const file = configOf(folder);
  await storeRun(file, [analyticsRecord()]);
  await load(file);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: folder });
    for (const password of Object.values(passwords))
      expect(stdout + stderr).not.toContain(password);
    return { code, stdout, ...(code !== 0 && { stderr }) };
  };
  expect(await run('warehouse', 'copy', file.warehouse, 'lake')).toEqual({
    code: 0,
    stdout: '7 rows of 20 tables copied.\n',
  });
  expect(await run('load')).toMatchObject({ code: 0 });
  const sql = 'select profile, impression_count from post_performance';
  expect(await run('sql', sql, '--format', 'csv')).toEqual({
    code: 0,
    stdout: 'profile,impression_count\r\nAcme,1000\r\n',
  });
  const exported = join(folder, 'rows.parquet');
  expect(await run('sql', sql, '--out', exported)).toMatchObject({ code: 0 });
  expect(await run('report', 'run', 'value', '--format', 'csv', '--out', 'out')).toMatchObject({
    code: 0,
  });
  expect((await run('status')).stdout).toContain(lake.data);
  expect(await run('verify')).toMatchObject({ code: 0 });
  expect(await run('rebuild', '--check')).toMatchObject({ code: 0 });
  expect(await run('rebuild')).toMatchObject({ code: 0 });
  expect(await run('warehouse', 'maintain')).toMatchObject({ code: 0 });
  expect(JSON.parse((await run('maintain', '--json')).stdout)).toMatchObject({
    lake: { filesRemoved: 0 },
  });
  expect(await run('warehouse', 'copy', 'lake', 'back.duckdb')).toMatchObject({ code: 0 });
  expect(await run('plan')).toMatchObject({ code: 2 });
  expect(await run('warehouse', 'copy', 'a', 'b')).toMatchObject({ code: 2 });
});

test('the first load of a later version brings every shard up to date, until then its readers say so, and the version before is refused', async () => {
  const folder = await temporaryFolder();
  const config = configured(folder);
  const lake = servers.newLake('s3');
  const workspaces = [...config.workspaces].map(
    ([key, { profiles }]) =>
      `  ${key}: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}", profiles: [${profiles
        .map(({ id, name }) => `{ id: ${id}, name: ${name} }`)
        .join(', ')}] }`,
  );
  await writeFiles(folder, {
    'jobs.yaml': `${warehouseOf(lake)}workspaces:\n${workspaces.join('\n')}\n`,
    '.env': ['KEY=key', ...variablesOf(lake)].join('\n'),
  });
  await storeDay(config, 1);
  const before = (...args: string[]) => runCli(args, { cwd: folder });
  expect(await before('load')).toMatchObject({ code: 0 });
  const entry = await makeNextVersion(madeUpMigration);
  const next = (...args: string[]) => runCli(args, { cwd: folder, entry });
  const sql = [
    'sql',
    '--format',
    'csv',
    'select count(*) as posts, count(made_up) as more from posts',
  ];
  expect(await next(...sql)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run `postledger load` to bring it up to date') as unknown,
  });
  expect(await next('load')).toMatchObject({ code: 0 });
  expect((await next(...sql)).stdout).toMatch(/^posts,more\r\n[1-9]\d*,0\r\n$/);
  await storeDay(config, 2);
  for (const args of [['load'], ['sql', 'from posts']])
    expect(await before(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give warehouse.lake an empty catalog and folder') as unknown,
    });
});
