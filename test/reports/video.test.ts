import { describe, expect, test } from 'vitest';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf } from './support/document-figures.ts';
import { profiles, snapshot, whole } from './support/golden-rows.ts';

const page = { ...whole, save_count: null, send_count: null };
const member = { ...whole, profile_id: 'p2', click_count: null };
const mixture =
  'A view counts from 3 seconds on pages and from 2 on members’ posts; these figures combine both.';

test('a page of videos without views says so, and turns to what is known of them', async () => {
  const unseen = {
    video_view_count: null,
    video_watch_time_seconds: null,
    video_viewer_count: null,
  };
  const rows = [{ ...page, ...unseen, published_at: '2026-01-10T09:00:00Z', emv: null }];
  const document = await buildOf({ profiles, linkedin_posts: rows }, 'video', {
    only: ['by_month', '_lede', '_cards'],
    parameters: { from: '2026-01-01', to: '2026-03-31' },
  });
  expect(document.lede).toBe(
    'The views of your video are not known yet. It earned **€37** of media value.',
  );
  expect(sectionOf(document, 'by_month').description).toBe('EMV by month of publication.');
  expect(document.cards.map(({ label }) => label)).toContain('Interactions');
});

test('videos that were viewed as often as in the month before are said to be', async () => {
  const rows = ['2025-11-03', '2025-10-03'].map((day) => ({
    ...page,
    linkedin_post_id: day,
    published_at: `${day}T09:00:00Z`,
  }));
  const { lede } = await buildOf({ profiles, linkedin_posts: rows }, 'video', {
    only: ['_lede'],
    parameters: { from: '2025-11-01', to: '2025-11-30' },
  });
  expect(lede).toBe(
    'Your video was viewed **300** times, as often as in the month before. Total watch time: 1 h 15 min.',
  );
});

describe('pages and members', () => {
  test('are added up only with a note', async () => {
    const rows = [
      { ...page, linkedin_post_id: 'a' },
      { ...member, linkedin_post_id: 'b' },
    ];
    const document = await buildOf({ profiles, linkedin_posts: rows }, 'video');
    const totalled = document.sections.filter(({ total }) => total !== null);
    expect(totalled.map(({ name }) => name)).toEqual([
      'by_week',
      'by_month',
      'by_profile',
      'by_campaign',
      'by_label',
    ]);
    for (const { notes } of totalled) expect(notes).toContain(mixture);
    expect(sectionOf(document, 'summary').notes).toContain(mixture);
    expect(document.cards[0]?.note).toBe('pages and members');
  });

  test('need no note if there is only one kind', async () => {
    const rows = ['a', 'b'].map((id) => ({ ...page, linkedin_post_id: id }));
    const only = ['by_month', 'by_profile', 'summary', '_cards'];
    const document = await buildOf({ profiles, linkedin_posts: rows }, 'video', { only });
    expect(document.sections.flatMap(({ notes }) => notes)).toEqual([]);
    expect(document.cards[0]?.note).toBeNull();
  });
});

describe('figures that are no longer given', () => {
  const rows = {
    profiles,
    linkedin_posts: ['a', 'b', 'c'].map((id) => ({
      ...page,
      linkedin_post_id: id,
      published_at: '2025-05-01T08:00:00Z',
    })),
    linkedin_post_snapshots: [
      snapshot('a', '2025-10-30', { video_view_count: 290, video_viewer_count: 230 }),
      snapshot('a', '2025-10-31', { video_view_count: 300, video_viewer_count: 240 }),
      snapshot('a', '2025-11-02', { impression_count: 900 }),
      snapshot('a', '2025-11-03', { impression_count: 901 }),
      // its viewers went first, and its views are still there
      snapshot('b', '2025-10-31', { video_view_count: 300, video_viewer_count: 240 }),
      snapshot('b', '2025-11-03', { video_view_count: 301 }),
      // a gap that was filled is none
      snapshot('c', '2025-10-31', { video_view_count: 300 }),
      snapshot('c', '2025-11-02', { impression_count: 900 }),
      snapshot('c', '2025-11-03', { video_view_count: 300 }),
    ],
  };

  const leftOut = async (asOf: string | null) => {
    const document = await buildOf(rows, 'video', {
      only: ['summary', 'left_out'],
      parameters: { asOf },
    });
    const [summary] = rowsOf(document, 'summary');
    const reasons = rowsOf(document, 'left_out').map(({ what, videos }) => [what, videos]);
    return { summary, expired: reasons.filter(([what]) => what === 'With expired figures') };
  };

  test('keep their last known value, and are counted', async () => {
    const { summary, expired } = await leftOut(null);
    expect(summary).toMatchObject({ videos_not_synced: 0, views: 900 });
    expect(expired).toEqual([['With expired figures', 2]]);
  });

  test('are not missing before the requested day', async () => {
    expect((await leftOut('2025-11-02')).expired).toEqual([['With expired figures', 2]]);
    expect((await leftOut('2025-10-31')).expired).toEqual([]);
  });

  test('are distinguished from those that were never given', async () => {
    const unknown = { video_view_count: null, video_viewer_count: null };
    const document = await buildOf(
      {
        profiles,
        linkedin_posts: [
          { ...page, ...unknown, linkedin_post_id: 'old', published_at: '2025-05-01T08:00:00Z' },
          { ...page, ...unknown, linkedin_post_id: 'new', published_at: '2025-12-30T08:00:00Z' },
          {
            ...member,
            ...unknown,
            linkedin_post_id: 'of a member',
            published_at: '2025-05-01T08:00:00Z',
          },
          { ...member, ...unknown, linkedin_post_id: 'undated', published_at: null },
          { ...page, linkedin_post_id: 'synced' },
        ],
      },
      'video',
      { only: ['not_synced'] },
    );
    expect(
      rowsOf(document, 'not_synced').map((row) => [row['linkedin_post_id'], row['why']]),
    ).toEqual([
      ['new', 'The service gives no views yet.'],
      ['of a member', 'The service gives no views yet.'],
      ['old', 'Over six months old: LinkedIn no longer gives the figures of a page’s video.'],
      ['undated', 'The service gives no views yet.'],
    ]);
    expect(sectionOf(document, 'not_synced').finding).toBe('4 of 5 videos have no known views');
  });
});

describe('the length of videos', () => {
  const file = { mimetype: 'video/mp4', duration: 20 };
  const content = { linkedIn: { assets: [] } };
  const video = (id: string, change: object = {}) => ({
    ...page,
    linkedin_post_id: id,
    post_id: id,
    ...change,
  });
  const rows = {
    profiles,
    linkedin_posts: [
      video('short', { video_view_count: 100, video_watch_time_seconds: 1000 }),
      video('other', { video_view_count: 300, video_watch_time_seconds: 2400 }),
      video('minute', { video_view_count: 50, video_watch_time_seconds: 1500 }),
      video('unsynced', { video_view_count: null, video_watch_time_seconds: null }),
      video('long', { video_view_count: 10, video_watch_time_seconds: 600 }),
      video('two'),
      video('elsewhere'),
      { ...video('unlinked'), post_id: null },
      video('picture', { type: 'Image' }),
    ],
    posts: ['short', 'other', 'minute', 'unsynced', 'long', 'two', 'elsewhere', 'picture'].map(
      (post_id) => ({ post_id, content }),
    ),
    assets: [
      { ...file, post_id: 'short', asset_id: '1' },
      { ...file, post_id: 'short', asset_id: '2', mimetype: 'image/png', duration: null },
      { ...file, post_id: 'other', asset_id: '3', duration: 29.9 },
      { ...file, post_id: 'minute', asset_id: '4', duration: 60 },
      { ...file, post_id: 'unsynced', asset_id: '5', duration: 90 },
      { ...file, post_id: 'long', asset_id: '6', duration: 180.5 },
      { ...file, post_id: 'two', asset_id: '7' },
      { ...file, post_id: 'two', asset_id: '8' },
      { ...file, post_id: 'elsewhere', asset_id: '9', channel: 'Twitter' },
      { ...file, post_id: 'picture', asset_id: '10' },
    ],
  };

  test('gives the share of it that is watched, over videos with watch time, views and a length', async () => {
    const document = await buildOf(rows, 'video', {
      only: ['by_length', 'summary', 'by_profile', 'posts'],
    });
    const known = 1000 + 2400 + 1500 + 600;
    const full = 100 * 20 + 300 * 29.9 + 50 * 60 + 10 * 180.5;
    expectRows(document, 'by_length', [
      { length: 'Under 30 s', videos: 2, views: 400, share_watched: 3400 / (2000 + 8970) },
      { length: '30–60 s', videos: 1, views: 50, share_watched: 0.5 },
      { length: '1–3 min', videos: 1, views: null, share_watched: null },
      { length: 'Over 3 min', videos: 1, views: 10, share_watched: 600 / 1805 },
    ]);
    expect(rowsOf(document, 'summary')[0]?.['share_watched']).toBeCloseTo(known / full, 12);
    expect(rowsOf(document, 'by_profile')[0]?.['share_watched']).toBeCloseTo(known / full, 12);
    const lengths = rowsOf(document, 'posts').map((row) => [
      row['linkedin_post_id'],
      row['length_seconds'],
    ]);
    expect(new Map(lengths as [string, number | null][])).toEqual(
      new Map([
        ['short', 20],
        ['other', 29.9],
        ['minute', 60],
        ['unsynced', 90],
        ['long', 180.5],
        ['two', null],
        ['elsewhere', null],
        ['unlinked', null],
      ]),
    );
    expect(sectionOf(document, 'by_length').notes).toEqual([
      '3 posts of which this is not known are excluded.',
    ]);
  });

  test('is named in a headline where a length is watched clearly more', async () => {
    const many = Array.from({ length: 24 }, (_, index) => String(index));
    const length = (id: string) => (Number(id) < 12 ? 20 : 100);
    const document = await buildOf(
      {
        profiles,
        linkedin_posts: many.map((id) =>
          video(id, { video_view_count: 100, video_watch_time_seconds: 1000 }),
        ),
        posts: many.map((post_id) => ({ post_id, content })),
        assets: many.map((id) => ({ ...file, post_id: id, asset_id: id, duration: length(id) })),
      },
      'video',
      { only: ['by_length'] },
    );
    expect(sectionOf(document, 'by_length').finding).toBe(
      'Videos of the length “Under 30 s” are watched to 50.0%, other videos to 10.0%',
    );
  });
});
