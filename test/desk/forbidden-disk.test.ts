import { chmod, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, startCli, type Finished } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { asOrdinaryUser, canForbid, canMount } from '../support/machine.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';
import { mountOwnDisk } from '../support/own-disk.ts';
import { startPlainService } from '../support/plain-service.ts';
import { valueReport } from '../support/value-report.ts';

const today = dayOf(new Date(), 'UTC');
const recently = addDays(today, -2);
const figures = 'select linkedin_post_id, like_count from linkedin_posts order by all';
const event = '{"type":"test","data":{"id":1},"createdAt":"2026-01-15T12:00:00Z"}';

async function twoPosts() {
  const posts = [analyticsRecord(1, recently), analyticsRecord(2, recently)];
  const service = await startPlainService({ analytics: new Map([[uuid(900), posts]]) });
  const windows = '{ days: 20, size_days: 60 }';
  const job = await jobFolder({ url: service.url, windows, details: false });
  await job.write(valueReport);
  return job;
}

function expectRefused({ code, stderr }: Finished, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/a bug in postledger|\n +at /);
  expect(code).toBe(1);
}

describe.skipIf(!canMount)('on a disk that has become read-only (needs its own tmpfs)', () => {
  const isReadOnly =
    /(EROFS: read-only file system|Read-only file system).*; the disk is read-only: name another place, or mount it for writing/;

  it('every command that writes says so, commands that read still work, and everything recovers', async () => {
    const job = await twoPosts();
    await job.write({ 'data/.keep': '', 'event.json': event });
    const disk = await mountOwnDisk(join(job.folder, 'data'));
    const run = (...args: string[]) => runCli(args, { cwd: job.folder, wrapper: disk.wrapper });
    await disk.remount('ro');
    expectRefused(await run('run'), isReadOnly);
    await disk.remount('rw');
    expect((await run('run')).code).toBe(0);
    await disk.remount('ro');
    const out = ['--format', 'csv', '--out'];
    const writers = [
      ...[['run'], ['load'], ['rebuild'], ['webhooks', 'ingest', 'event.json']],
      ['webhooks', 'serve', '--port', '0'],
      ['sql', figures, ...out, 'data/x.csv'],
      ['report', 'run', 'value', ...out, 'data/out'],
    ];
    for (const command of writers) expectRefused(await run(...command), isReadOnly);
    const rows = JSON.parse((await run('sql', figures, '--format', 'json')).stdout) as unknown;
    expect(rows).toHaveLength(2);
    const status = await run('status', '--json');
    expect(status.code).toBe(0);
    const runs = [{ status: 'succeeded' }];
    expect(JSON.parse(status.stdout)).toMatchObject({ problems: [], runs });

    await disk.remount('rw');
    expect((await run('webhooks', 'ingest', 'event.json')).code).toBe(0);
    expect((await run('run', '--full')).code).toBe(0);
    expect(JSON.parse((await run('sql', figures, '--format', 'json')).stdout)).toEqual(rows);
    const strays = 'find "$1" -name "*.tmp" -o -name "*.work*" -o -name "*.wal"';
    expect(await disk.shell(strays)).toBe('');
  });
});

describe.skipIf(!canForbid)('when a permission is missing (root needs setpriv for it)', () => {
  const isForbidden = /(EACCES: permission denied|Permission denied).*; give this user permission/;

  it('whatever may not be written or read, a run says so and damages nothing, and the next one recovers', async () => {
    const job = await twoPosts();
    const run = (...args: string[]) => runCli(args, { cwd: job.folder, wrapper: asOrdinaryUser });
    expect((await run('run')).code).toBe(0);
    const warehouse = join(job.folder, 'data', 'postledger.duckdb');
    const before = await readFile(warehouse);
    const forbidden = [
      ['data/locks', 0o500, 0o700],
      [`data/raw/acme/${today}`, 0o500, 0o700],
    ] as const;
    for (const [path, mode, right] of forbidden) {
      await chmod(join(job.folder, path), mode);
      expectRefused(await run('run', '--full'), isForbidden);
      await chmod(join(job.folder, path), right);
      expect(before.equals(await readFile(warehouse)), path).toBe(true);
    }
    // reading needs no warehouse
    for (const [path, mode, right] of [
      [join(job.folder, 'data'), 0o500, 0o700],
      [warehouse, 0o000, 0o600],
    ] as const) {
      await chmod(path, mode);
      const unloaded = await run('run', '--full');
      expect(unloaded.code).toBe(3);
      expect(unloaded.stdout).toMatch(isForbidden);
      await chmod(path, right);
      expect(before.equals(await readFile(warehouse))).toBe(true);
    }
    expect((await run('run', '--full')).code).toBe(0);
    expect(await job.query(figures)).toHaveLength(2);
    const names = await readdir(join(job.folder, 'data'), { recursive: true });
    expect(names.filter((name) => /\.(tmp|wal)$|\.work/.test(name))).toEqual([]);
  });

  it('files that cannot be read are named and skipped, and loaded once they can be', async () => {
    const job = await twoPosts();
    await job.write({ 'event.json': event });
    const run = (...args: string[]) => runCli(args, { cwd: job.folder, wrapper: asOrdinaryUser });
    expect((await run('webhooks', 'ingest', 'event.json')).code).toBe(0);
    expect((await run('run')).code).toBe(0);
    const raw = join(job.folder, 'data/raw');
    const files = await readdir(raw, { recursive: true });
    for (const wanted of [[/\/run\.json$/], [/\/000001\.json\.gz$/, /^_events\/.*\.json$/]]) {
      const paths = wanted.map((name) => join(raw, files.find((file) => name.test(file)) ?? ''));
      await rm(join(job.folder, 'data/postledger.duckdb'));
      for (const path of paths) await chmod(path, 0o000);
      const loaded = await run('load');
      expect(loaded.code).toBe(3);
      expect(loaded.stderr).toMatch(isForbidden);
      const verified = await run('verify', '--json');
      expect(verified.code).toBe(3);
      const { findings } = JSON.parse(verified.stdout) as { findings: object[] };
      expect(findings).toHaveLength(paths.length);
      for (const path of paths)
        expect(findings).toContainEqual(expect.objectContaining({ kind: 'damaged', path }));
      for (const path of paths) await chmod(path, 0o600);
      expect((await run('load')).code).toBe(0);
      expect(await job.query(figures)).toHaveLength(2);
      expect(await job.query('select status from runs')).toEqual([{ status: 'succeeded' }]);
      expect(await job.query('select type from webhook_events')).toEqual([{ type: 'test' }]);
    }
  });

  it('files that cannot be written are named, and everything that can be read still is', async () => {
    const job = await twoPosts();
    const run = (...args: string[]) => runCli(args, { cwd: job.folder, wrapper: asOrdinaryUser });
    expect((await run('run')).code).toBe(0);
    await job.write({ 'event.json': event, 'out/.keep': '' });
    await chmod(join(job.folder, 'out'), 0o500);
    for (const name of ['data/raw', 'data']) await chmod(join(job.folder, name), 0o500);
    const writers = [
      ['sql', figures, '--format', 'csv', '--out', 'out/x.csv'],
      ['report', 'run', 'value', '--format', 'html', '--out', 'out'],
      ['webhooks', 'ingest', 'event.json'],
    ];
    for (const command of writers) expectRefused(await run(...command), isForbidden);
    expect((await run('sql', figures)).code).toBe(0);
    await chmod(join(job.folder, 'data'), 0o000);
    const status = await run('status');
    expect(status.code).toBe(3);
    expect(status.stdout).toMatch(/Unread +events: EACCES.*give this user permission/s);
    for (const name of ['data', 'data/raw', 'out']) await chmod(join(job.folder, name), 0o700);
    expect((await run('webhooks', 'ingest', 'event.json')).code).toBe(0);
  });
});

describe.skipIf(!canMount)('a receiver whose disk fills up (needs its own tmpfs)', () => {
  it('refuses events with 503, recovers by itself when there is room, and keeps every event that it acknowledged', async () => {
    const job = await twoPosts();
    await job.write({
      'data/.keep': '',
      'jobs.yaml': `${await readFile(join(job.folder, 'jobs.yaml'), 'utf8')}webhooks:\n  token: \${HOOK_TOKEN}\n`,
    });
    const disk = await mountOwnDisk(join(job.folder, 'data'));
    const options = { cwd: job.folder, wrapper: disk.wrapper };
    const { child, finished } = startCli(['webhooks', 'serve', '--port', '0', '--json'], options);
    const url = await new Promise<string>((found) =>
      child.stdout?.once('data', (text: string) =>
        found((JSON.parse(text) as { url: string }).url),
      ),
    );
    const post = async (id: number) => {
      const headers = {
        authorization: 'Bearer hook-token-of-a-job',
        'content-type': 'application/json',
      };
      const data = { id, text: 'x'.repeat(20_000) };
      const body = JSON.stringify({ type: 'test', data, createdAt: '2026-01-15T12:00:00Z' });
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect(await post(1)).toBe(202);
    await disk.shell('dd if=/dev/zero of="$1/filler" bs=64k 2>/dev/null || true');
    expect(await post(2)).toBe(503);
    const health = await fetch(new URL('/health', url));
    expect(health.status).toBe(503);
    expect(await health.text()).toContain('the disk is full');
    await disk.shell('rm "$1/filler"');
    let status = 503;
    while (status === 503) status = await post(2);
    expect(status).toBe(202);
    child.kill('SIGTERM');
    expect((await finished).code).toBe(0);
    expect((await runCli(['load'], options)).code).toBe(0);
    const query = 'select count(*)::int as events from webhook_events';
    const { stdout } = await runCli(['sql', query, '--format', 'json'], options);
    expect(JSON.parse(stdout)).toEqual([{ events: 2 }]);
  });
});
