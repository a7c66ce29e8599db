import { readFile, readdir, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runCli, type CliOptions } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { configOf, storeRun } from '../support/stored-run.ts';
import { canLimit } from '../support/machine.ts';
import { analyticsRecord, uuid } from '../support/made-records.ts';

const many = 40_000;
const text = 'x'.repeat(1_000);
const figures = 'select count(*)::int as posts, sum(like_count)::int as likes from linkedin_posts';
const megabyte = 2 ** 20;

function within(megabytes: number): Pick<CliOptions, 'wrapper'> {
  return { wrapper: ['prlimit', `--data=${megabytes * megabyte}`] };
}

function postsFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) =>
    analyticsRecord(first + index, '2026-01-10', { commentary: text, likeCount: 1 }),
  );
}

/** A warehouse with one post, and an answer of 50 MB that waits to be loaded. */
async function muchToLoad() {
  const job = await jobFolder({ url: 'http://127.0.0.1:1/api/v1' });
  const config = configOf(job.folder);
  await storeRun(config, postsFrom(1, 1));
  const load = (options: Pick<CliOptions, 'wrapper' | 'env'> = {}) =>
    runCli(['load'], { cwd: job.folder, ...options });
  expect(await load()).toMatchObject({ code: 0 });
  const fetchedAt = new Date('2026-01-16T12:00:00Z');
  await storeRun(config, postsFrom(2, many), { fetchedAt }, { run_id: 'next' });
  const published = await readFile(config.warehouse);
  const names = () => readdir(config.dataDir, { recursive: true });
  return { job, load, published, names, warehouse: config.warehouse };
}

async function expectHealed({ job, load, names }: Awaited<ReturnType<typeof muchToLoad>>) {
  expect(await load()).toMatchObject({ code: 0 });
  expect(await job.query(figures)).toEqual([{ posts: many + 1, likes: many + 1 }]);
  expect((await names()).filter((name) => /\.(tmp|wal)$|\.work/.test(name))).toEqual([]);
}

it.skipIf(!canLimit)(
  'a load with too little memory changes nothing, and the next one recovers (needs prlimit)',
  async () => {
    const given = await muchToLoad();
    // how much is too little differs between machines: less each time, until a load fails
    let code: number | null = 0;
    for (let megabytes = 650; code === 0; megabytes -= 50) {
      await writeFile(given.warehouse, given.published);
      ({ code } = await given.load(within(megabytes)));
    }
    expect(given.published.equals(await readFile(given.warehouse))).toBe(true);
    await expectHealed(given);
  },
);

it.skipIf(!canLimit)('a small load takes little memory (needs prlimit)', async () => {
  const job = await jobFolder({ url: 'http://127.0.0.1:1/api/v1' });
  await storeRun(configOf(job.folder), postsFrom(1, 20));
  expect(await runCli(['load'], { cwd: job.folder, ...within(1_536) })).toMatchObject({ code: 0 });
  expect(await job.query('select linkedin_post_id from linkedin_posts')).toContainEqual({
    linkedin_post_id: uuid(20),
  });
});
