import { gunzipSync } from 'node:zlib';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, writeFiles } from '../support/cli.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import { analyticsRecord, configOf, load, profileId, storeRun } from '../support/stored-run.ts';

const url = 'https://www.linkedin.com/feed/update/urn:li:share:';
const post = (name: string, change: object) =>
  analyticsRecord({ id: name, url: `${url}${name}/`, emv: null, ...change });
const linked = { id: 'planned', title: 'Spring \u001b[31mred', labels: [], campaign: null };

let folder: string;
const run = (...args: string[]) => runCli(['explain', '--quiet', ...args], { cwd: folder });
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};
/** The record that an explanation ends in. */
async function recordAt(source: { file: string; record: number } | undefined) {
  const { file = '', record = -1 } = source ?? {};
  const body = gunzipSync(await readFile(join(folder, 'data/raw', file))).toString();
  return (JSON.parse(body) as Record<string, unknown>[])[record];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postledger-'));
  const config = configOf(folder);
  // the second record is rejected, so it is not counted among those that were loaded
  const first = [
    post('a', { emv: 12.5 }),
    { type: 'Text' },
    post('b', { impressionCount: 1234, servicePost: linked }),
  ];
  await storeRun(config, first);
  const second = [
    post('b', { impressionCount: 2000, servicePost: linked }),
    post('a', { emv: null }),
    post('c', { impressionCount: null }),
    post('video', { type: 'Video', emv: 7 }),
    post('early', { type: 'Video', publishedAt: '2025-12-01T08:00:00.000Z', emv: 5 }),
    post('undated', { publishedAt: null, emv: 3 }),
  ];
  const at = { run_id: '20260116T120000Z-bbbbbb', started_at: '2026-01-16T12:00:00.000Z' };
  await storeRun(config, second, { fetchedAt: new Date('2026-01-16T12:00:01.500Z') }, at);
  await storeEvents(config, [deletionEvent({ id: 'planned' })]);
  await load(config);
  await writeFiles(folder, {
    'jobs.yaml': `timezone: UTC
workspaces:
  acme:
    base_url: http://127.0.0.1:1/api/v1
    api_key: \${KEY}
    profiles:
      - { id: ${profileId}, name: Acme, cpm: 30 }
      - { id: 22222222-2222-4222-8222-222222222222, name: Other }
    slug: acme
clients:
  other: { name: Other AS, profiles: [acme/Other] }
jobs:
  daily: { profiles: [acme/*], windows: { start: 2026-01-01, size_days: 30 }, details: true }
`,
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('explain', () => {
  test('traces a cell to the records of the raw store, and says what it leaves out', async () => {
    const cell = await json('emv', '--section', 'by_month', '--month', '2026-01');
    expect(cell).toMatchObject({ value: 19.5, made_as: 'sum', row: { month: '2026-01-01' } });
    const posts = cell['posts'] as {
      linkedin_post_id: string;
      left_out: string | null;
      sources: { file: string; record: number }[];
    }[];
    expect(posts.map((one) => [one.linkedin_post_id, one.left_out])).toEqual([
      ['a', null],
      ['video', null],
      ['b', 'deleted in the workspace'],
      ['c', 'emv not known'],
    ]);
    const [source] = posts[0]?.sources ?? [];
    // the second reading of the post has no EMV, so the first one counts
    expect(await recordAt(source)).toMatchObject({ id: 'a', emv: 12.5 });
    const [deleted] = posts[2]?.sources ?? [];
    expect(await recordAt(deleted)).toMatchObject({ id: 'b', impressionCount: 2000 });
  });

  test('prints figures as the report does, and money to the cent', async () => {
    const cell = ['--section', 'by_month', '--month', '2026-01'];
    const money = await run('emv', ...cell);
    expect(money.stdout).toContain('Earned media value · By month · Jan 2026 · EMV: $19.50\n');
    expect(money.stdout).toMatch(/Published +EMV +Share/);
    expect(money.stdout).toMatch(/\$12\.50 +64\.1%/);
    expect(money.stdout).toContain(
      '2 posts left out: 1 deleted in the workspace, 1 emv not known.\n',
    );
    const rate = await run('emv', ...cell, '--column', 'effective_cpm');
    expect(rate.stdout).toMatch(/EMV \$19\.50 ÷ Impressions [\d,]+ × 1000, the sums of 2 posts\./);
    const post = await run('a');
    expect(post.stdout).toMatch(/Likes +10 /);
    expect(post.stdout).toMatch(/EMV +\$12\.50 /);
  });

  test('lists the posts that a filter of the report leaves out of a row, with what they would add', async () => {
    const period = ['--from', '2026-01-01', '--to', '2026-01-31', '--type', 'Image'];
    const cell = ['emv', '--section', 'by_month', '--month', '2026-01', ...period];
    const { value, posts } = await json(...cell);
    expect(value).toBe(12.5);
    const why = (
      posts as { linkedin_post_id: string; left_out: string | null; first_amount: number }[]
    )
      .filter((one) => one.left_out !== null)
      .map((one) => [one.linkedin_post_id, one.left_out, one.first_amount]);
    expect(why).toEqual([
      ['b', 'deleted in the workspace', 60],
      ['c', 'emv not known', null],
      ['undated', 'no time of publication', 3],
      ['video', 'type not asked for', 7],
    ]);
  });

  test('traces a cell of a past day to the records of that day', async () => {
    const flags = ['--section', 'summary', '--column', 'impressions', '--removed', 'include'];
    const cell = await json('emv', ...flags, '--as-of', '2026-01-15');
    const posts = cell['posts'] as {
      linkedin_post_id: string;
      sources: { file: string; record: number }[];
    }[];
    const b = posts.find((one) => one.linkedin_post_id === 'b');
    expect(b?.sources).toMatchObject([{ record: 2 }]);
    expect(await recordAt(b?.sources[0])).toMatchObject({
      id: 'b',
      impressionCount: 1234,
    });
  });

  test('explains a post by its address: figures, readings, events and the CPM', async () => {
    const found = await json(`${url}b?utm=1`);
    expect(found).toMatchObject({
      post: {
        linkedin_post_id: 'b',
        emv: 60,
        is_removed: true,
        emv_source: 'profile_cpm',
        cpm: 30,
      },
      readings: [
        { impression_count: 1234, record: 2 },
        { impression_count: 2000, record: 0 },
      ],
      events: [{ type: 'post.permanently_deleted', outcome: 'applied' }],
    });
    const [event] = found['events'] as { file: string }[];
    expect(await readFile(join(folder, 'data/raw', event?.file ?? ''), 'utf8')).toContain(
      'planned',
    );
  });

  test('shows a client nothing of others', async () => {
    const cell = await json('emv', '--section', 'summary', '--column', 'posts', '--for', 'other');
    expect(cell).toMatchObject({ value: 0, posts: [] });
  });

  test('prints what others wrote without its control characters', async () => {
    const { code, stdout } = await run('b', '--no-color');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Impressions × 30 ÷ 1000/);
    expect(stdout).toMatch(/2026-01-16\/20260116T120000Z-bbbbbb\/000001\.json\.gz \[0\]/);
    expect(stdout).not.toContain('\u001b');
  });

  test.each([
    [['nothing'], /nothing: there is no report and no post/],
    [
      ['emv'],
      /emv is a report; name a section of it with --section: thirteen_months, by_week, by_month/,
    ],
    [['emv', '--section', 'by_type', '--row', 'Video'], /--row Video: write it as column=value/],
    [['b', '--section', 'by_type'], /there is no report "b"; known are/],
    [['b', '--type', 'Vidio'], /--type Vidio: there is no such type; did you mean "Video"/],
    [['b', '--for', 'other'], /b: there is no report and no post/],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
