import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCli, writeFiles } from '../support/cli.ts';
import { analyticsRecord, configOf, load, profileId, storeRun } from '../support/stored-run.ts';

const posts = ['1', '2', '3'];
const share = 'https://www.linkedin.com/feed/update/urn:li:share:';
const other = '22222222-2222-4222-8222-222222222222';
const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A folder in which the account's posts were read on four days, under the ids that `idOf` gives them. */
async function readOnFourDays(idOf: (post: string, day: number) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-'));
  folders.push(folder);
  const config = configOf(folder);
  for (const day of [11, 12, 13, 14]) {
    const given = day === 14 ? posts.slice(1) : posts;
    const records = given.map((post) =>
      analyticsRecord({
        ...{ id: idOf(post, day), url: `${share}${post}`, impressionCount: 100 * day },
        ...(day === 11 && { servicePost: { id: `p${post}`, title: `Post ${post}` } }),
      }),
    );
    const time = `2026-02-${day}T06:00:00.000Z`;
    const run = { run_id: `202602${day}T060000Z-aaaaaa`, started_at: time };
    await storeRun(config, records, { fetchedAt: new Date(time) }, run);
  }
  await storeRun(
    config,
    [analyticsRecord({ id: 'copy', url: `${share}2/` })],
    { fetchedAt: new Date('2026-02-14T07:00:00Z') },
    {
      run_id: '20260214T070000Z-bbbbbb',
      profiles: [{ profile_id: other, name: 'Twin', cpm: 30 }],
    },
  );
  await load(config);
  await writeFiles(folder, {
    'jobs.yaml': `timezone: UTC
workspaces:
  acme:
    base_url: http://127.0.0.1:1/api/v1
    api_key: \${KEY}
    profiles:
      - { id: ${profileId}, name: Acme, cpm: 30 }
      - { id: ${other}, name: Twin, cpm: 30 }
    slug: acme
jobs:
  daily: { profiles: [acme/*], windows: { start: 2026-01-01, size_days: 30 } }
`,
  });
  const run = async (...args: string[]) => {
    const { code, stdout } = await runCli(args, { cwd: folder });
    expect(code).toBe(0);
    return stdout;
  };
  const sections = async (reports: string[], ...args: string[]) => {
    await run('report', 'run', ...reports, ...args, '--format', 'csv', '--out', 'out');
    const written = [];
    for (const report of reports)
      for (const name of await readdir(join(folder, 'out', report))) {
        const text = await readFile(join(folder, 'out', report, name), 'utf8');
        if (!name.startsWith('_')) written.push([report, name, text.replaceAll('new-', 'old-')]);
      }
    return written;
  };
  return { run, sections };
}

test('a reconnected account, which gives its posts under new ids, leaves every figure as it was', async () => {
  const kept = await readOnFourDays((post) => `old-${post}`);
  const moved = await readOnFourDays((post, day) => `${day < 13 ? 'old' : 'new'}-${post}`);
  const read = (reports: string[], ...args: string[]) =>
    Promise.all([kept, moved].map(({ sections }) => sections(reports, ...args)));
  for (const args of [[], ['--as-of', '2026-02-12']]) {
    const [before = [], after] = await read(['growth', 'emv'], ...args);
    expect(before.length).toBeGreaterThan(10);
    expect(after).toEqual(before);
  }
  const text = await moved.run('report', 'run', 'emv');
  expect(text).toContain('No longer in the responses, counted as last read: 1 post');
  expect(text).toContain('1 post of Acme no longer in the responses for its day');
  expect(text).toContain('3 records of Acme replaced by later records of the same posts');
  expect(text).toContain('1 post of Twin counted twice');
  const explained = await moved.run('explain', 'old-2', '--json');
  expect((JSON.parse(explained) as { readings: unknown[] }).readings).toHaveLength(4);
});
