import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { RunWriter } from '../../../src/store/run-writer.ts';
import { runCli, writeFiles } from '../../support/cli.ts';
import { variablesOf, warehouseOf } from '../../support/fleet.ts';
import { LakeServers, type TestLake } from '../../support/lake-servers.ts';
import { ada, bob, filesWith, namesOfAda } from '../../support/reviewed-site.ts';
import { deletionEvent, storeEvents } from '../../support/stored-events.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  profileId,
  recordOf,
  storeAnalytics,
  storeDetails,
} from '../../support/stored-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const servers = await LakeServers.start();
afterAll(() => servers.stop());

/** A machine with the lake in its jobs.yaml. */
async function machineOf(lake: TestLake) {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    'jobs.yaml': `${warehouseOf({ ...lake, raw: lake.data.replace(/\/$/, '-raw/') })}workspaces:
  acme: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}", profiles: [{ id: ${profileId}, name: Acme }] }
  bolt: { base_url: "http://127.0.0.1:1", api_key: "\${KEY}", profiles: [{ id: ${profileId}, name: Bolt }] }
jobs: { daily: { profiles: ["acme/*", "bolt/*"], windows: { days: 20 }, details: true } }
`,
    '.env': ['KEY=key', ...variablesOf(lake)].join('\n'),
  });
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: folder });
    return { code, stdout, stderr };
  };
  return { folder, dataDir: configOf(folder).dataDir, run };
}

/** A run of one workspace: its posts, a review by Ada, and a post of another profile. */
async function storeReviewed(dataDir: string, workspace: string, day: number): Promise<void> {
  const started_at = `2026-01-${day}T12:00:00.000Z`;
  const fetchedAt = new Date(`2026-01-${day}T12:00:01.500Z`);
  const record = { workspace, started_at, run_id: `202601${day}T120000Z-${workspace}` };
  const part = await RunWriter.open(dataDir, recordOf(record));
  const linked = { servicePost: { id: `post-of-${workspace}`, title: 'Hello' } };
  await storeAnalytics(part, [analyticsRecord(linked)], { fetchedAt });
  const approval = { id: 'a1', user: ada, requestedBy: bob, message: 'I, Ada, agree' };
  await storeDetails(part, `post-of-${workspace}`, [approval], { fetchedAt }, 'approvals');
  await part.finish(finishOf({ finished_at: started_at }));
}

/** The objects of the bucket's server, and the files of the lake's data, which contain one of the texts. */
async function objectsWith(texts: readonly string[]): Promise<string[]> {
  const root = join(servers.folder, 's3', 'lakes');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const whole = await readFile(path);
    const content = entry.name.endsWith('.tar') ? [whole, ...membersOf(whole)] : [whole];
    if (texts.some((text) => content.some((bytes) => bytes.includes(text)))) found.push(path);
  }
  return found;
}

/** The gzipped files in an archive, unpacked. */
function membersOf(archive: Buffer): Buffer[] {
  const members: Buffer[] = [];
  for (let at = 0; at + 512 <= archive.length;) {
    const name = archive.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = parseInt(archive.toString('utf8', at + 124, at + 136), 8) || 0;
    if (name.endsWith('.gz')) members.push(gunzipSync(archive.subarray(at + 512, at + 512 + size)));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return members;
}

const totals = [
  'sql',
  '--format',
  'csv',
  'select count(*), sum(impression_count) from linkedin_posts',
];

test('an erasure reaches the bucket, the lake with its snapshots, and every machine', async () => {
  const lake = servers.newLake('s3');
  const [a, b] = [await machineOf(lake), await machineOf(lake)];
  await storeReviewed(a.dataDir, 'acme', 15);
  await storeEvents({ dataDir: a.dataDir }, [
    deletionEvent({ id: 'post-of-acme', deletedBy: ada }),
  ]);
  await storeReviewed(b.dataDir, 'bolt', 16);
  expect(await a.run('load')).toMatchObject({ code: 0 });
  expect(await b.run('load')).toMatchObject({ code: 0 });
  const before = (await a.run(...totals)).stdout;
  expect(before).toContain('2,2000');
  expect((await objectsWith(namesOfAda)).length).toBeGreaterThan(2);

  const erased = await a.run('erase', '--person', 'u-4711', '--yes');
  expect(erased).toMatchObject({ code: 0 });
  expect(await filesWith(a.folder, namesOfAda)).toEqual([]);
  expect(await objectsWith(namesOfAda)).toEqual([]);
  expect((await a.run(...totals)).stdout).toBe(before);
  expect(await a.run('verify')).toMatchObject({ code: 0 });

  // the other machine has its own raw data still, and one run more
  expect(await filesWith(b.folder, namesOfAda)).not.toEqual([]);
  await storeReviewed(b.dataDir, 'bolt', 17);
  expect(await b.run('load')).toMatchObject({ code: 0 });
  expect(await filesWith(b.folder, namesOfAda)).toEqual([]);
  expect(await objectsWith(namesOfAda)).toEqual([]);
  expect((await b.run(...totals)).stdout).toBe(before);
  expect(await b.run('rebuild')).toMatchObject({ code: 0 });
  expect(await objectsWith(namesOfAda)).toEqual([]);
});

test('a lake without a bucket of raw data is refused', async () => {
  const machine = await machineOf(servers.newLake('s3'));
  const text = await readFile(join(machine.folder, 'jobs.yaml'), 'utf8');
  await writeFiles(machine.folder, { 'jobs.yaml': text.replace(/ raw: "[^"]*",/, '') });
  expect(await machine.run('erase', '--person', 'u-4711', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('erase needs warehouse.lake.raw') as unknown,
  });
});
