import { expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/report-document.ts';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import { buildOf } from '../reports/support/built-report.ts';
import { build } from './support/built-report.ts';
import type { WarehouseRows } from './support/report-warehouse.ts';

function reading(profile: string, day: string, count: number) {
  const linkedin_post_id = `of ${profile}`;
  const captured_at = `${day}T05:00:00Z`;
  return { linkedin_post_id, captured_on: day, captured_at, impression_count: count };
}

/** Impressions of the first profile fell on the 12th. An answer about December of the second one is empty. */
const rows: WarehouseRows = {
  profiles: [
    { profile_id: 'p1', name: 'Fjord' },
    { profile_id: 'p2', name: 'Halden' },
  ],
  linkedin_posts: [
    {
      linkedin_post_id: 'of p1',
      published_at: '2026-01-05T08:00:00.000Z',
      last_seen_at: '2026-01-13T05:00:00Z',
      impression_count: 380,
    },
    ...['x', 'y', 'z'].map((linkedin_post_id) => ({
      linkedin_post_id,
      profile_id: 'p2',
      published_at: '2025-12-05T08:00:00Z',
      last_seen_at: '2026-01-10T05:00:00Z',
    })),
  ],
  linkedin_post_snapshots: [
    reading('p1', '2026-01-11', 1000),
    reading('p1', '2026-01-12', 380),
    reading('p1', '2026-01-13', 380),
  ],
  extract_windows: [
    { start_date: '2025-12-01', end_date: '2026-01-13', fetched_at: '2026-01-13T05:00:00Z' },
    {
      profile_id: 'p2',
      start_date: '2025-12-01',
      end_date: '2025-12-30',
      fetched_at: '2026-01-13T05:00:01.000Z',
    },
  ],
  loaded_responses: [{ fetched_at: '2026-01-13T05:00:01.000Z' }],
};

const fell =
  'Warning: impressions of Fjord fell by 62% on 12 January 2026, from 1,000 to 380 in 1 post';
const empty =
  'Warning: no posts of Halden returned for 1 December 2025 to 30 December 2025, where 3 are known';

const unread = 'Not read: 30 December 2025 to 12 January 2026 of Halden';

function warningsOf({ caveats }: ReportDocument): string[] {
  return caveats.filter((fact) => /warning/iu.test(fact));
}

test('a report lists suspicious findings among its caveats, the newest first, also without coverage sentences', async () => {
  expect((await build()).caveats).not.toContain(fell);
  expect((await build({ rows })).caveats).toEqual([unread, empty, fell]);
});

test('only findings for its profiles, days of publication and as-of day are listed', async () => {
  const warnings = async (parameters: Partial<ReportParameters>) =>
    warningsOf(await build({ rows, parameters }));
  expect(await warnings({ profiles: ['Fjord'] })).toEqual([fell]);
  expect(await warnings({ from: '2025-12-31' })).toEqual([fell]);
  expect(await warnings({ from: '2025-12-30' })).toEqual([empty, fell]);
  expect(await warnings({ asOf: '2026-01-12' })).toEqual([fell]);
  expect(await warnings({ asOf: '2026-01-11' })).toEqual([]);
});

test('three of many warnings are listed, with the number of the others, and a request that failed is no answer', async () => {
  const failed = ['p1', 'p2'].map((profile_id) => ({
    ...{ profile_id, start_date: '2025-12-01', end_date: '2025-12-30' },
    ...{ run_id: 'r2', status: 'failed', fetched_at: '2026-02-20T05:00:00Z' },
  }));
  const metrics = { like_count: 100, share_count: 100, click_count: 100 };
  const none = { like_count: 0, share_count: 0, click_count: 0 };
  const [post, ...others] = rows.linkedin_posts ?? [];
  const [before, ...after] = rows.linkedin_post_snapshots ?? [];
  const document = await build({
    rows: {
      ...rows,
      extract_windows: [...(rows.extract_windows ?? []), ...failed],
      linkedin_posts: [{ ...post, ...none }, ...others],
      linkedin_post_snapshots: [
        { ...before, ...metrics },
        ...after.map((row) => ({ ...row, ...none })),
      ],
    },
  });
  expect(warningsOf(document)).toEqual([
    empty,
    'Warning: clicks of Fjord fell by 100% on 12 January 2026, from 100 to 0 in 1 post',
    fell,
    '2 more warnings, see the report quality',
  ]);
});

test('the report on quality lists them, with what to do', async () => {
  const { sections } = await buildOf(rows, 'quality', { only: ['warnings'] });
  const [section] = sections;
  const parameters = { profiles: ['Fjord'] };
  const one = await buildOf(rows, 'quality', { only: ['warnings'], parameters });
  expect(one.sections[0]?.finding).toBe('1 warning on 1 profile');
  expect(section).toMatchObject({ finding: '2 warnings on 2 profiles' });
  expect(section?.rows.map((row) => row.slice(0, 11))).toEqual([
    [
      'Halden',
      'acme',
      'No posts returned, although some are known',
      '2025-12-01',
      '2025-12-30',
      3,
      0,
      null,
      3,
      '2026-01-13T05:00:01.000Z',
      'Check whether the workspace still shows these posts with figures, then run again with --from and --to',
    ],
    [
      'Fjord',
      'acme',
      'The sum of impressions fell',
      '2026-01-11',
      '2026-01-12',
      1000,
      380,
      0.62,
      1,
      '2026-01-12T05:00:00.000Z',
      'Check one of the posts on LinkedIn. If it has more, run again with --full',
    ],
  ]);
});

test('posts that came under another id, that later answers lack, and that two workspaces have are told', async () => {
  const published_at = '2026-01-05T08:00:00.000Z';
  const post = (linkedin_post_id: string, more: object = {}) => ({
    linkedin_post_id,
    published_at,
    last_seen_at: '2026-01-10T05:00:00Z',
    ...more,
  });
  const superseded_at = '2026-01-11T05:00:00Z';
  const { caveats } = await buildOf(
    {
      profiles: [...(rows.profiles ?? []), { workspace: 'pine', profile_id: 'p1', name: 'Pine' }],
      extract_windows: rows.extract_windows ?? [],
      linkedin_posts: [
        post('old', { superseded_by: 'new', superseded_at }),
        post('new', { address: 'share:1' }),
        post('gone', { absent_since: '2026-01-12T05:00:00.000Z' }),
        post('copy', { workspace: 'pine', address: 'share:1' }),
      ],
    },
    'emv',
    { only: ['_coverage', '_warnings'] },
  );
  expect(caveats).toEqual([
    'Never read: Pine',
    unread,
    'No longer in the responses, counted as last read: 1 post',
    'Warning: 1 post of Fjord no longer in the responses for 5 January 2026, counted as last read',
    'Warning: 1 record of Fjord replaced by a later record of the same post, which counts alone',
    'Warning: 1 post of Pine counted twice, it is also read under another profile',
  ]);
});

test('posts that profiles share are told, without the name of another profile', async () => {
  const linkedin_posts = rows.linkedin_posts ?? [];
  const shared = (identity: string, linkedin_post_id: string, profile_id = 'p1') => {
    const published_at = '2026-01-05T08:00:00.000Z';
    return { identity, linkedin_post_id, profile_id, published_at };
  };
  const shared_posts = ['a', 'b', 'share:1'].flatMap((identity) => [
    shared(identity, identity === 'share:1' ? 'one' : identity),
    shared(identity, identity === 'share:1' ? 'two' : identity, 'p2'),
  ]);
  const parameters = { profiles: ['Fjord'] };
  const document = await buildOf({ ...rows, linkedin_posts, shared_posts }, 'quality', {
    parameters,
  });
  expect(warningsOf(document)).toEqual([
    fell,
    'Warning: 1 post of Fjord with the address of a post of another profile, and counted for both',
    'Warning: 2 posts in the responses for Fjord and for another profile, counted for the one that had them first',
  ]);
  expect(JSON.stringify(document)).not.toMatch(/Halden|p2/u);
});
