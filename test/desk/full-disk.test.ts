import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { canMount } from '../support/machine.ts';
import { analyticsRecord } from '../support/made-records.ts';
import { mountOwnDisk } from '../support/own-disk.ts';
import { configOf, storeRun } from '../support/stored-run.ts';
import { valueReport } from '../support/value-report.ts';

const postCount = 2_000;
const contents = ['readings', 'linkedin_posts', 'linkedin_post_snapshots', 'webhook_events']
  .map((table) => `select hash(list(t order by t::varchar)) from ${table} as t`)
  .join(' union all ');

/** The programs that fill the disk, and the limits in bytes: none, and some that stop the program on its way. */
const cases: readonly (readonly [string, readonly string[], readonly number[]])[] = [
  ['load', ['load'], [0, 1_500_000]],
  ['rebuild', ['rebuild'], [1_000_000]],
  ['report run', ['report', 'run', 'value', '--format', 'csv,xlsx', '--out', 'data/out'], [10_000]],
];

/** A data folder on a disk of its own whose warehouse has one run, and whose raw store has another to load. */
async function ownDisk() {
  const job = await jobFolder({ url: 'http://127.0.0.1:1/api/v1' });
  const config = configOf(job.folder);
  const posts = (likeCount: number) =>
    Array.from({ length: postCount }, (_, index) =>
      analyticsRecord(index + 1, '2026-01-10', { commentary: `Post ${index}`, likeCount }),
    );
  await job.write(valueReport);
  await storeRun(config, posts(1));
  expect((await job.run('load')).code).toBe(0);
  const fetchedAt = new Date('2026-01-16T12:00:00Z');
  await storeRun(config, posts(2), { fetchedAt }, { run_id: 'next' });
  await rename(join(job.folder, 'data'), join(job.folder, 'template'));
  await job.write({ 'data/.keep': '' });
  const disk = await mountOwnDisk(join(job.folder, 'data'));
  await disk.shell('cp -a template/. "$1"');
  const run = (args: readonly string[]) => runCli(args, { cwd: job.folder, wrapper: disk.wrapper });
  const dump = async () => (await run(['sql', contents, '--format', 'json'])).stdout;
  return { disk, run, dump };
}

describe.skipIf(!canMount)('on a disk that is full (needs its own tmpfs)', () => {
  it.each(cases)(
    '%s says so, publishes nothing incomplete, and gives the same result once there is room',
    async (_, args, rooms) => {
      const { disk, run, dump } = await ownDisk();
      for (const room of rooms) {
        const used = Number(await disk.shell('df -B1 --output=used "$1" | tail -1'));
        const before = await dump();
        await disk.remount(`size=${used + room}`);
        const { code, stderr } = await run(args);
        expect(stderr).toMatch(/No space left|no space left|disk is full/);
        expect(stderr).toMatch(/free some space/);
        expect(stderr).not.toMatch(/a bug in postledger|\n +at /);
        expect([1, 3]).toContain(code);
        expect(await dump()).toBe(before);
        const strays = await disk.shell(
          'find "$1" -name "*.tmp" -o -name "*.work*" -o -name "*.wal"',
        );
        expect(strays).toBe('');
      }
      await disk.remount('size=512m');
      expect((await run(args)).code).toBe(0);
      expect((await run(['load'])).code).toBe(0);
      const loaded = await dump();
      if (args[0] === 'load') expect((await run(['rebuild', '--check'])).code).toBe(0);
      expect(await dump()).toBe(loaded);
    },
  );
});
