import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, type CliOptions } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { configOf, landRun } from '../support/landed-run.ts';
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
  await landRun(config, postsFrom(1, 1));
  const load = (options: Pick<CliOptions, 'wrapper' | 'env'> = {}) =>
    runCli(['load'], { cwd: job.folder, ...options });
  expect(await load()).toMatchObject({ code: 0 });
  const fetchedAt = new Date('2026-01-16T12:00:00Z');
  await landRun(config, postsFrom(2, many), { fetchedAt }, { run_id: 'next' });
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
  'a load that gets too little memory says so and what to do, changes nothing, and the next one heals (wants prlimit)',
  async () => {
    const given = await muchToLoad();
    const { code, stderr } = await given.load(within(700));
    expect(stderr).toMatch(
      /^error: DuckDB stopped \(Out of Memory Error: .*\); it has too little memory: give this process more, or end what else uses it; nothing was changed\n$/,
    );
    expect(code).toBe(1);
    expect(given.published.equals(await readFile(given.warehouse))).toBe(true);
    expect((await given.names()).filter((name) => /\.wal$|\.work/.test(name))).toEqual([]);
    await expectHealed(given);
  },
);

it('a load in which Node gets no memory for a body, where nobody can catch it, says so in a sentence', async () => {
  const given = await muchToLoad();
  const gunzip = `
    import zlib from 'node:zlib';
    import { syncBuiltinESMExports } from 'node:module';
    zlib.gunzip = () => process.nextTick(() => new ArrayBuffer(2 ** 46));
    syncBuiltinESMExports();`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(gunzip)}` };
  expect(await given.load({ env })).toMatchObject({
    code: 1,
    stderr:
      'error: Array buffer allocation failed; the machine has no memory left: end what uses it, or give this process more\n',
  });
  expect(given.published.equals(await readFile(given.warehouse))).toBe(true);
  await expectHealed(given);
});

it('a load that JavaScript ends for want of memory leaves the published file as it was, and the next one heals', async () => {
  const given = await muchToLoad();
  const { code, signal, stderr } = await given.load({
    env: { NODE_OPTIONS: '--max-old-space-size=50' },
  });
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGABRT' });
  expect(stderr).toContain('JavaScript heap out of memory');
  expect(given.published.equals(await readFile(given.warehouse))).toBe(true);
  const landed = join('landing', 'acme', 'next');
  expect(await given.names()).toContain(landed);
  await expectHealed(given);
});

it.skipIf(!canLimit)('a load of little takes little memory (wants prlimit)', async () => {
  const job = await jobFolder({ url: 'http://127.0.0.1:1/api/v1' });
  await landRun(configOf(job.folder), postsFrom(1, 20));
  expect(await runCli(['load'], { cwd: job.folder, ...within(1_536) })).toMatchObject({ code: 0 });
  expect(await job.query('select linkedin_post_id from linkedin_posts')).toContainEqual({
    linkedin_post_id: uuid(20),
  });
});
