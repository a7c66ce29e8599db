import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayOf } from '../../../src/core/calendar.ts';
import { startCli, runCli } from '../../support/cli.ts';
import { FleetService, makeMachine, type Asked } from '../../support/fleet.ts';
import { deletionEvent } from '../../support/stored-events.ts';
import { LakeServers } from '../../support/lake-servers.ts';
import { uuid } from '../../support/made-records.ts';

let servers: LakeServers;
beforeAll(async () => {
  servers = await LakeServers.start();
});
afterAll(() => servers.stop());

const workspaces = ['w0', 'w1', 'w2'];
/** The date ranges of each profile, and the rate limit. */
const usual = { windows: 8, limit: { requests: 3, perSeconds: 1 } };

const startService = () => FleetService.start(workspaces, dayOf(new Date(), 'UTC'));

/** The machines that asked each workspace, in order. */
function askers(asked: readonly Asked[]): string[][] {
  return workspaces.map((workspace) =>
    asked
      .filter((each) => each.workspace === workspace)
      .map(({ key }) => key)
      .filter((name, at, all) => name !== all[at - 1]),
  );
}

/** The number of posts of each workspace. */
async function postsIn(folder: string): Promise<unknown> {
  const sql = 'select workspace, count(*) as posts from linkedin_posts group by all order by all';
  const { stdout, stderr } = await runCli(['sql', sql, '--format', 'json'], { cwd: folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}
// a post of each day, and of the day before the first
const allPosts = workspaces.map((workspace) => ({ workspace, posts: 2 * usual.windows + 1 }));

it('three machines share a job: each date range is read once, everything is loaded, and one machine makes the reports', async () => {
  const service = await startService();
  const { asked } = service;
  const lake = { ...servers.newLake('s3', { shards: 4 }), raw: 's3://lakes/raw-of-fleet/' };
  const folders = await Promise.all(
    ['a', 'b', 'c'].map((name) => makeMachine(name, { service, lake, ...usual })),
  );
  const runs = folders.map((cwd) => startCli(['run', '--fleet'], { cwd }).finished);
  const outcomes = await Promise.all(runs);
  for (const { code, stderr } of outcomes) expect(code, stderr).toBe(0);
  expect(new Set(asked.map(({ workspace, query }) => workspace + query)).size).toBe(asked.length);
  expect(askers(asked).map((names) => names.length)).toEqual(workspaces.map(() => 1));
  const made = await Promise.all(
    folders.map((folder) =>
      access(join(folder, 'out')).then(
        () => 1,
        () => 0,
      ),
    ),
  );
  expect(made.reduce<number>((sum, one) => sum + one, 0)).toBe(1);
  expect(await postsIn(folders[0] ?? '')).toEqual(allPosts);
});

it('a machine that loses a lease and gets it back continues where it was', async () => {
  const service = await startService();
  const { asked } = service;
  const lake = { ...servers.newLake('s3', { shards: 1 }), raw: 's3://lakes/raw-of-lost-lease/' };
  // reading 24 date ranges takes 8 s, and a machine renews its lease every 5 s
  const cwd = await makeMachine('a', { service, lake, windows: 24, limit: usual.limit });
  const { finished } = startCli(['run', '--fleet'], { cwd });
  await expect.poll(() => asked.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
  const give =
    "update postledger.leases set token = token + 1, expires_at = now() where name = 'read s00'";
  servers.sql(lake.database, give);
  const { code, stderr } = await finished;
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('lost the lease of read s00: another process holds it');
  const queries = asked.map(({ workspace, query }) => workspace + query);
  // requests under way were aborted
  expect(queries.length - new Set(queries).size).toBeLessThanOrEqual(4 * workspaces.length);
  const sql = 'select distinct status from runs order by all';
  const { stdout } = await runCli(['sql', sql, '--format', 'csv'], { cwd });
  expect(stdout).toBe('status\r\ninterrupted\r\nsucceeded\r\n');
});

it('an event that one machine received is loaded by another, and a third rebuilds everything from the bucket', async () => {
  const service = await startService();
  const lake = { ...servers.newLake('s3', { shards: 1 }), raw: 's3://lakes/raw-of-events/' };
  const folders = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      makeMachine(name, {
        ...{ service, lake, windows: 2 },
        limit: { requests: 1000, perSeconds: 1 },
      }),
    ),
  );
  const [a = '', b = '', c = ''] = folders;
  const receiver = startCli(['webhooks', 'serve', '--port', '0', '--json'], { cwd: a });
  let address = '';
  receiver.child.stdout?.on('data', (text: string) => (address += text));
  await expect.poll(() => address, { timeout: 20_000 }).toContain('\n');
  const { url: endpoint } = JSON.parse(address) as { url: string };
  const workspace = { id: 'w', slug: 'w2', name: 'w2' };
  const body = JSON.stringify(deletionEvent({ id: uuid(500), workspace }));
  const headers = { 'content-type': 'application/json' };
  const send = async () => (await fetch(endpoint, { method: 'POST', headers, body })).status;
  await servers.stopS3();
  expect(await send()).toBe(503);
  await servers.startS3();
  expect(await send()).toBe(200);
  receiver.child.kill('SIGTERM');
  await receiver.finished;
  await rm(a, { recursive: true });

  const run = async (cwd: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const sql = 'select workspace, outcome from webhook_events';
  await run(b, 'run', 'daily');
  expect(await run(b, 'sql', sql, '--format', 'csv')).toBe('workspace,outcome\r\nw2,applied\r\n');
  expect(await run(c, 'verify')).toContain(
    '0 run folders, 0 responses, 0 events: all as they were',
  );
  await run(c, 'rebuild');
  const stored = await run(c, 'verify');
  expect(stored).toContain('3 run folders');
  expect(stored).toBe(await run(b, 'verify'));
  expect(await run(c, 'sql', sql, '--format', 'csv')).toBe('workspace,outcome\r\nw2,applied\r\n');
});
