import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Database } from '../../src/warehouse/database.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { madeUpMigration, makeNextVersion } from '../support/next-version.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import { analyticsRecord, configOf, load, profileId, storeRun } from '../support/stored-run.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a warehouse file is brought up to a later version by its first load, with the file before it kept, and made again by a rebuild of the version before', async () => {
  const folder = await temporaryFolder();
  const config = configOf(folder);
  await writeFiles(folder, {
    '.env': 'KEY=key\n',
    'jobs.yaml': `workspaces:
  acme: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}", profiles: [{ id: ${profileId}, name: Acme, cpm: 30 }] }
`,
  });
  await storeRun(config, [analyticsRecord({ servicePost: { id: 'p1', title: 'A' } })]);
  await load(config);
  const path = config.warehouse;
  const bytes = await readFile(path);
  const before = await dumpTables(config);
  const entry = await makeNextVersion(madeUpMigration);
  const next = (...args: string[]) => runCli(args, { cwd: folder, entry });
  const sql = ['sql', '--format', 'csv', 'select post_id, made_up from posts'];

  const refused = await next(...sql);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('run `postledger load` to bring it up to date');
  const dry = await next('load', '--dry-run');
  expect(dry.stdout).toBe('Nothing new to load. Nothing was changed.\n');
  expect(dry.stderr).toContain('the tables are brought up to this version {"from":"0001_schema"}');
  expect((await readFile(path)).equals(bytes)).toBe(true);

  const reader = await Database.open(path, 'READ_ONLY');
  expect((await next('load')).code).toBe(0);
  expect((await reader.query('select count(*) from posts')).rows).toEqual([[1]]);
  reader.close();
  expect((await readFile(`${path}.0001_schema`)).equals(bytes)).toBe(true);
  expect((await next(...sql)).stdout).toBe('post_id,made_up\r\np1,\r\n');
  expect((await next('rebuild', '--check')).stdout).toContain('gives the same warehouse');

  // also by a replay, and by a load with something to load
  for (const work of [['webhooks', 'replay'], ['load']]) {
    await writeFile(path, bytes);
    if (work[0] === 'load') await storeEvents(config, [deletionEvent()]);
    expect((await next(...work)).code).toBe(0);
    expect((await next(...sql)).stdout).toBe('post_id,made_up\r\np1,\r\n');
  }
  expect(
    (await next('sql', '--format', 'csv', 'select is_removed from post_performance')).stdout,
  ).toBe('is_removed\r\ntrue\r\n');

  const older = (...args: string[]) => runCli(args, { cwd: folder });
  for (const args of [['load'], sql])
    expect(await older(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('run `postledger rebuild`, which makes it again') as unknown,
    });
  expect((await older('rebuild')).code).toBe(0);
  const { readings, linkedin_posts } = await dumpTables(config);
  expect({ readings, linkedin_posts }).toEqual({
    readings: before['readings'],
    linkedin_posts: before['linkedin_posts'],
  });
});
