import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { dayOf } from '../../../src/core/calendar.ts';
import { startCli, runCli } from '../../support/cli.ts';
import { FleetService, makeMachine, type Asked } from '../../support/fleet.ts';
import { deletionEvent } from '../../support/stored-events.ts';
import { LakeServers } from '../../support/lake-servers.ts';
import { uuid } from '../../support/made-records.ts';

const servers = await LakeServers.start();
afterAll(() => servers.stop());

const workspaces = ['w0', 'w1', 'w2'];
/** The date ranges of each profile, and the rate limit. */
const usual = { windows: 4, limit: { requests: 3, perSeconds: 1 } };

const startService = (of = workspaces) => FleetService.start(of, dayOf(new Date(), 'UTC'));

async function succeed(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, { cwd });
  expect(code, stderr).toBe(0);
  return stdout;
}

/** The machines that asked each workspace, in order. */
function askers(asked: readonly Asked[]): string[][] {
  return workspaces.map((workspace) =>
    asked
      .filter((each) => each.workspace === workspace)
      .map(({ key }) => key)
      .filter((name, at, all) => name !== all[at - 1]),
  );
}

it('three machines share a job: each date range is read once, everything is loaded, one machine makes the reports; an event that one received is loaded by another, and a fourth rebuilds everything from the bucket', async () => {
  const service = await startService();
  const { asked } = service;
  const lake = { ...servers.newLake('s3', { shards: 2 }), raw: 's3://lakes/raw-of-fleet/' };
  const machine = (name: string) => makeMachine(name, { service, lake, ...usual });
  const folders = await Promise.all(['a', 'b', 'c'].map(machine));
  await Promise.all(folders.map((cwd) => succeed(cwd, 'run', '--fleet')));
  expect(new Set(asked.map(({ workspace, query }) => workspace + query)).size).toBe(asked.length);
  expect(askers(asked).map((names) => names.length)).toEqual(workspaces.map(() => 1));
  expect(folders.filter((folder) => existsSync(join(folder, 'out')))).toHaveLength(1);
  const [a = '', b = ''] = folders;
  const counts =
    'select workspace, count(*) as posts from linkedin_posts group by all order by all';
  // a post of each day, and of the day before the first
  expect(JSON.parse(await succeed(a, 'sql', counts, '--format', 'json'))).toEqual(
    workspaces.map((workspace) => ({ workspace, posts: 2 * usual.windows + 1 })),
  );

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

  const sql = 'select workspace, outcome from webhook_events';
  await succeed(b, 'load');
  expect(await succeed(b, 'sql', sql, '--format', 'csv')).toBe(
    'workspace,outcome\r\nw2,applied\r\n',
  );
  const rebuilder = await machine('d');
  expect(await succeed(rebuilder, 'verify')).toContain(
    '0 run folders, 0 responses, 0 events: all as they were',
  );
  await succeed(rebuilder, 'rebuild');
  expect(await succeed(rebuilder, 'verify')).toContain(
    '3 run folders, 15 responses, 1 event: all as',
  );
  expect(await succeed(rebuilder, 'sql', sql, '--format', 'csv')).toBe(
    'workspace,outcome\r\nw2,applied\r\n',
  );
});

it('a machine that loses a lease and gets it back continues where it was', async () => {
  const service = await startService(['w0']);
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
  expect(queries.length - new Set(queries).size).toBeLessThanOrEqual(4);
  const sql = 'select distinct status from runs order by all';
  const { stdout } = await runCli(['sql', sql, '--format', 'csv'], { cwd });
  expect(stdout).toBe('status\r\ninterrupted\r\nsucceeded\r\n');
});
