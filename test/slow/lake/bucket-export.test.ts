import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { defaultLimits } from '../../../src/warehouse/limits.ts';
import { exportParquet } from '../../../src/warehouse/parquet-export.ts';
import { openBucket, type ObjectStore } from '../../../src/store/object-store.ts';
import { Database } from '../../../src/warehouse/database.ts';
import { runCli, writeFiles } from '../../support/cli.ts';
import { extensions, LakeServers, passwords } from '../../support/lake-servers.ts';
import { configured, storeDay } from '../../support/lake-story.ts';
import { load, rowsOf, type FileConfig } from '../../support/stored-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let servers: LakeServers;
let store: ObjectStore;
beforeAll(async () => {
  servers = await LakeServers.start();
  const { accessKeyId, secretAccessKey, ...server } = servers.s3Access();
  const credentials = { accessKeyId, secretAccessKey };
  store = await openBucket({ bucket: 'lakes', ...server, credentials }, undefined);
});
afterAll(async () => {
  store.close();
  await servers.stop();
});

async function exporting(config: FileConfig) {
  const keys = ['acme', 'bolt'].map(
    (key) =>
      `  ${key}: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}", profiles: [{ id: 00000000-0000-4000-8000-000000000000, name: ${key} }] }`,
  );
  const { endpoint } = servers.s3Access();
  await writeFiles(config.folder, {
    'jobs.yaml': `timezone: UTC
warehouse: ${config.warehouse}
workspaces:
${keys.join('\n')}
jobs: { daily: { profiles: [acme/*], windows: { days: 20 }, details: true } }
s3: { access_key_id: "\${S3_ID}", secret_access_key: "\${S3_SECRET}" }
`,
    '.env': `KEY=a\nS3_ID=key\nS3_SECRET=${passwords.s3}\nAWS_ENDPOINT_URL=${endpoint ?? ''}\n`,
  });
  return (...args: string[]) => runCli(['export', '--quiet', ...args], { cwd: config.folder });
}

async function keysUnder(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key.slice(prefix.length));
  return keys;
}

async function runInDuckdb(folder: string, sql: string): Promise<void> {
  const settings = { extension_directory: extensions, file_search_path: folder };
  const database = await Database.open(':memory:', 'READ_WRITE', settings);
  try {
    await database.run(sql);
  } finally {
    database.close();
  }
}

test('the SQL of docs/data.md copies the export of a lake into PostgreSQL again and again, for Metabase and Grafana', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/data.md'), 'utf8');
  const [copy = '', grants = '', metabase = '', grafana = '', ...others] = [
    ...page.matchAll(/^```sql\n([^]*?)^```/gm),
  ].map(([, sql = '']) => sql);
  expect(others).toEqual([]);
  servers.newDatabase('bi');
  servers.sql('bi', 'create role bi login');
  const lake = servers.newLake('disk', { shards: 1 });
  const config = { ...configured(await temporaryFolder()), warehouse: lake };
  for (const day of [1, 2]) {
    await storeDay(config, day);
    await load(config);
    const folder = join(config.folder, 'export');
    const signal = new AbortController().signal;
    const tools = { clock: systemClock, signal, limits: defaultLimits };
    await exportParquet({ config, workspaces: null }, folder, tools);
    await runInDuckdb(config.folder, copy.replace('host=db.example.com', servers.address));
    if (day === 1) servers.sql('bi', `set role loader; ${grants}`);
    const [posts] = await rowsOf(
      config,
      'select count(*)::text as posts, sum(like_count)::text as likes from post_performance',
    );
    const asBi = (sql: string) => servers.sql('bi', `set role bi; ${sql}`).split('\n');
    const copied = asBi('select count(*), sum(like_count) from linkedin.post_performance');
    expect(copied).toEqual([`${String(posts?.['posts'])}|${String(posts?.['likes'])}`]);
    expect(asBi(metabase)[0]).toMatch(/^2026-01-01 00:00:00\+\d\d\|/);
    const times = asBi(grafana.replace(/\$__timeFilter\(.*?\)/, 'true'));
    expect(times[0]).toMatch(/^2026-01-01\|\w+ 1\|\d+$/);
    expect(times.at(-1)).toMatch(`2026-01-0${day}|`);
  }
});

test('an export to a bucket replaces the one before, and touches nothing else there', async () => {
  const config = configured(await temporaryFolder());
  await storeDay(config, 1);
  await load(config);
  const run = await exporting(config);
  await store.put('exported-else/notes.txt', Buffer.from('keep'));
  expect(await run('--parquet', 's3://lakes/exported')).toMatchObject({ code: 0, stderr: '' });
  const whole = await keysUnder('exported/');
  expect(whole).toEqual(expect.arrayContaining(['dictionary.json', 'runs.parquet']));
  expect(whole.find((key) => key.startsWith('readings/month='))).toMatch(/\.parquet$/);
  expect(await run('--parquet', 's3://lakes/exported/', '--workspace', 'bolt')).toMatchObject({
    code: 0,
  });
  expect(await keysUnder('exported/')).toEqual(
    whole.filter((key) => !/^(runs|invites|prices)\./.test(key)),
  );
  expect(await keysUnder('exported-else/')).toEqual(['notes.txt']);
  expect(await run('--parquet', 's3://lakes/exported-else')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has objects that no export wrote') as unknown,
  });
  await store.put('exported/notes.txt', Buffer.from('keep'));
  expect(await run('--parquet', 's3://lakes/exported')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no export wrote, such as notes.txt') as unknown,
  });
  expect(await keysUnder('exported/')).toContain('notes.txt');
  expect(await run('--parquet', 's3://nowhere/exported')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('s3://nowhere/exported/: ') as unknown,
  });
});
