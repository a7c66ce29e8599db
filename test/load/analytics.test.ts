import { describe, expect, test } from 'vitest';
import {
  analyticsRecord,
  emptyConfig,
  type FileConfig,
  storeRun,
  load,
  profileId,
  profileOf,
  rowsOf,
} from '../support/stored-run.ts';

/** Loads one answer for each given body, a day apart, each as a run of its own. */
async function loadDaily(config: FileConfig, ...bodies: unknown[]): Promise<void> {
  for (const [index, body] of bodies.entries()) {
    const fetchedAt = new Date(`2026-01-${String(10 + index)}T06:00:00.000Z`);
    const record = { run_id: `run-${index}`, started_at: fetchedAt.toISOString() };
    await storeRun(config, body, { fetchedAt }, record);
    await load(config);
  }
}

test('an answer becomes rows with every field of the API', async () => {
  const config = await emptyConfig();
  const linked = {
    id: 'p1',
    title: 'Spring',
    labels: [
      { name: 'launch', labelId: 'l2' },
      { name: 'brand', labelId: 'l1' },
    ],
    campaign: { id: 'c1', name: 'Q1' },
    tone: 'warm',
  };
  const video = { videoViewCount: 7, videoViewerCount: 5, videoWatchTimeSeconds: 61 };
  const counts = { clickCount: 3, saveCount: 4, sendCount: 5, emv: 31.5, engagement: 0.025 };
  await storeRun(config, [
    analyticsRecord({
      type: 'Video',
      servicePost: linked,
      reach: [1, { deep: null }],
      ...video,
      ...counts,
    }),
  ]);
  expect(await load(config)).toEqual({
    responses: 1,
    postsRead: 1,
    posts: { new: 1, changed: 0, unchanged: 0 },
    rejected: 0,
    unknownTypes: [],
    warnings: [],
    events: { applied: 0, kept: 0, rejected: 0 },
    rejectedDeletions: 0,
    damaged: 0,
    inProgress: 0,
    isPublished: true,
  });
  expect(await rowsOf(config, 'from post_performance')).toEqual([
    {
      workspace: 'acme',
      profile_id: profileId,
      profile: 'Acme',
      linkedin_post_id: 'aaaaaaaa-0000-4000-8000-000000000001',
      url: 'https://www.linkedin.com/feed/update/urn:li:share:1',
      commentary: 'Hello',
      type: 'Video',
      published_at: '2026-01-10T08:30:00.000Z',
      like_count: 10,
      comment_count: 2,
      share_count: 1,
      click_count: 3,
      save_count: 4,
      send_count: 5,
      impression_count: 1000,
      engagement: 0.025,
      video_view_count: 7,
      video_viewer_count: 5,
      video_watch_time_seconds: 61,
      engagements: 25,
      interactions: 25,
      emv: 31.5,
      emv_source: 'api',
      effective_cpm: 31.5,
      post_id: 'p1',
      title: 'Spring',
      status: null,
      campaign_id: 'c1',
      campaign: 'Q1',
      labels: ['brand', 'launch'],
      is_removed: false,
      removed_at: null,
      removed_by: null,
      last_seen_at: '2026-01-15T12:00:01.500Z',
      created_at: null,
      publish_at: null,
      channels: null,
      media: null,
      kind: null,
      published_local: '2026-01-10T08:30:00.000',
      weekday: 6,
      hour: 8,
    },
  ]);
  expect(
    await rowsOf(config, 'select extra, first_seen_at, last_seen_at from linkedin_posts'),
  ).toEqual([
    {
      extra: '{"servicePost":{"tone":"warm"},"reach":[1,{"deep":null}]}',
      first_seen_at: '2026-01-15T12:00:01.500Z',
      last_seen_at: '2026-01-15T12:00:01.500Z',
    },
  ]);
});

test('a post has the clock of the time zone of jobs.yaml and the kind of its profile', async () => {
  const given = { page: { clickCount: 3, saveCount: 0 }, member: { sendCount: 1 }, neither: {} };
  const profiles = Object.keys(given).map((name, index) =>
    profileOf({ name, id: `${index}0000000-0000-4000-8000-000000000000` }),
  );
  const { workspaces, ...config } = await emptyConfig();
  const configured = workspaces.get('acme');
  if (configured === undefined) throw new Error('no workspace acme');
  const workspace = { ...configured, profiles };
  const zoned = {
    ...config,
    timezone: 'America/New_York',
    workspaces: new Map([['acme', workspace]]),
  };
  for (const { id, name, cpm } of profiles) {
    const counts = given[name as keyof typeof given];
    const times = { publishedAt: '2026-07-06T02:30:00Z' };
    const record = analyticsRecord({ id, url: `https://x.test/${name}`, ...times, ...counts });
    const profile = { profile_id: id, name, cpm };
    await storeRun(zoned, [record], {}, { run_id: `run-${name}`, profiles: [profile] });
  }
  await load(zoned);
  const sunday = { published_local: '2026-07-05T22:30:00.000', weekday: 7, hour: 22 };
  expect(
    await rowsOf(
      zoned,
      'select profile, kind, published_local, weekday, hour from post_performance order by all',
    ),
  ).toEqual([
    { profile: 'member', kind: 'member', ...sunday },
    { profile: 'neither', kind: null, ...sunday },
    { profile: 'page', kind: 'page', ...sunday },
  ]);
});

describe('a bad record', () => {
  const badRecords: [reason: string, change: object][] = [
    ['id: missing', { id: undefined }],
    ['id: missing', { id: null }],
    ['id: empty', { id: ' ' }],
    ['id: expected text, got 12', { id: 12 }],
    ['url: missing', { url: null }],
    ['type: missing', { type: undefined }],
    ['type: expected text, got an object', { type: {} }],
    ['commentary: expected text, got an array', { commentary: ['x'] }],
    ['likeCount: expected an integer, got "12"', { likeCount: '12' }],
    ['likeCount: expected an integer, got 12.5', { likeCount: 12.5 }],
    ['likeCount: expected an integer, got true', { likeCount: true }],
    ['emv: expected a number, got "1"', { emv: '1' }],
    ['engagement: expected a number, got false', { engagement: false }],
    ['publishedAt: expected an ISO 8601 time, got "epoch"', { publishedAt: 'epoch' }],
    ['publishedAt: expected an ISO 8601 time, got "infinity"', { publishedAt: 'infinity' }],
    ['publishedAt: expected an ISO 8601 time, got "2026-01-01"', { publishedAt: '2026-01-01' }],
    [
      'publishedAt: expected an ISO 8601 time, got "2026-02-30T00:00:00Z"',
      { publishedAt: '2026-02-30T00:00:00Z' },
    ],
    ['publishedAt: expected an ISO 8601 time, got 1767225600', { publishedAt: 1767225600 }],
    ['servicePost: expected an object, got "p1"', { servicePost: 'p1' }],
    ['servicePost.id: missing', { servicePost: { title: 'T', labels: [], campaign: null } }],
    ['servicePost.title: expected text, got 1', { servicePost: { id: 'p', title: 1, labels: [] } }],
    [
      'servicePost.labels: expected an array',
      { servicePost: { id: 'p', title: 'T', labels: 'x' } },
    ],
    [
      'servicePost.labels: expected objects with a labelId and a name',
      { servicePost: { id: 'p', title: 'T', labels: [{ name: 'x' }] } },
    ],
    [
      'servicePost.campaign: expected an object',
      { servicePost: { id: 'p', title: 'T', labels: [], campaign: 'c' } },
    ],
    [
      'servicePost.campaign.id: missing',
      { servicePost: { id: 'p', title: 'T', labels: [], campaign: { name: 'c' } } },
    ],
    ['url: missing; emv: expected a number, got "x"', { url: null, emv: 'x' }],
  ];

  test('is rejected with the reason in words, and its siblings load', async () => {
    const config = await emptyConfig();
    const bad = badRecords.map(([reason, change], index) => ({
      reason,
      record: analyticsRecord({ id: `bad ${index}`, nth: index, ...change }),
    }));
    const good = ['before', 'after'].map((id) => analyticsRecord({ id }));
    await storeRun(config, [good[0], ...bad.map(({ record }) => record), good[1]]);
    expect(await load(config)).toMatchObject({ postsRead: 2, rejected: bad.length });
    expect(
      await rowsOf(
        config,
        "select reason, payload from rejected_records order by (payload ->> 'nth')::int",
      ),
    ).toEqual(bad.map(({ reason, record }) => ({ reason, payload: JSON.stringify(record) })));
    expect(
      await rowsOf(config, 'select linkedin_post_id as id from linkedin_posts order by id desc'),
    ).toEqual([{ id: 'before' }, { id: 'after' }]);
  });

  test('is rejected for numbers that no column can hold, and for elements that are no records', async () => {
    const config = await emptyConfig();
    const text = JSON.stringify([analyticsRecord({ id: 'good' })]).slice(0, -1);
    const withNumber = (field: string, number: string) =>
      JSON.stringify(analyticsRecord({ id: field, [field]: 0 })).replace(
        `"${field}":0`,
        `"${field}":${number}`,
      );
    const rest = [
      withNumber('likeCount', '9223372036854775808'),
      withNumber('impressionCount', '1e30'),
      withNumber('emv', '1e999'),
      '12',
      'null',
      '"text"',
      '[]',
    ];
    await storeRun(config, `${text},${rest.join(',')}]`);
    await load(config);
    expect(await rowsOf(config, 'select reason from rejected_records order by reason')).toEqual([
      { reason: 'emv: expected a number, got Infinity' },
      { reason: 'expected an object, got "text"' },
      { reason: 'expected an object, got 12' },
      { reason: 'expected an object, got an array' },
      { reason: 'expected an object, got null' },
      { reason: 'impressionCount: expected an integer, got 1e+30' },
      { reason: 'likeCount: expected an integer, got 9223372036854776000' },
    ]);
  });

  test('is told of once, however often it comes, and counted in each run', async () => {
    const config = await emptyConfig();
    const bad = analyticsRecord({ id: null });
    await loadDaily(config, [bad, bad], [bad]);
    expect(
      await rowsOf(config, 'select run_id, source, rejected_at from rejected_records'),
    ).toEqual([
      {
        run_id: 'run-0',
        source: `acme GET /analytics/linkedin/${profileId}/posts`,
        rejected_at: '2026-01-10T06:00:00.000Z',
      },
    ]);
    expect(
      await rowsOf(config, 'select run_id, posts_read, rejected from runs order by run_id'),
    ).toEqual([
      { run_id: 'run-0', posts_read: 0, rejected: 2 },
      { run_id: 'run-1', posts_read: 0, rejected: 1 },
    ]);
  });
});

describe('odd values that are kept', () => {
  test('12.0 and 1.2e1 are 12, large counts are exact, negative ones and high engagements stay', async () => {
    const config = await emptyConfig();
    const body = JSON.stringify([
      analyticsRecord({
        likeCount: 'A',
        commentCount: 'B',
        shareCount: 'C',
        clickCount: -1,
        engagement: 92.5,
      }),
    ])
      .replace('"A"', '12.0')
      .replace('"B"', '1.2e1')
      .replace('"C"', '9007199254740993');
    await storeRun(config, body);
    await load(config);
    const columns = 'like_count, comment_count, share_count, click_count, engagement';
    expect(await rowsOf(config, `select ${columns} from linkedin_posts`)).toEqual([
      {
        like_count: 12,
        comment_count: 12,
        share_count: 9007199254740993n,
        click_count: -1,
        engagement: 92.5,
      },
    ]);
  });

  test('times with an offset, with Z, or with neither, then in UTC', async () => {
    const config = await emptyConfig();
    const times = [
      ['2026-01-10T08:30:00+02:00', '2026-01-10T06:30:00.000Z'],
      ['2026-01-10T08:30:00-0330', '2026-01-10T12:00:00.000Z'],
      ['2026-01-10T08:30:00', '2026-01-10T08:30:00.000Z'],
      ['2026-01-10T08:30Z', '2026-01-10T08:30:00.000Z'],
      ['2026-01-10 08:30:00.123456Z', '2026-01-10T08:30:00.123456Z'],
    ].map(([given, expected]) => ({ given, expected }));
    await storeRun(
      config,
      times.map(({ given }) => analyticsRecord({ id: given, publishedAt: given })),
    );
    await load(config);
    const rows = await rowsOf(config, 'select linkedin_post_id, published_at from linkedin_posts');
    const found = new Map(rows.map((row) => [row['linkedin_post_id'], row['published_at']]));
    expect(times.map(({ given }) => ({ given, expected: found.get(given ?? '') }))).toEqual(times);
  });

  test('an id that is no UUID, an unknown type, and a linked post under another name', async () => {
    const config = await emptyConfig();
    const plain = analyticsRecord({
      id: 'urn:li:share:9',
      type: 'Carousel',
      servicePost: undefined,
    });
    const linked = { id: 'p1', title: 'T', labels: [], campaign: null };
    await storeRun(
      config,
      [{ ...plain, 'plan/post': linked }],
      {},
      { linked_post_field: 'plan/post' },
    );
    expect(await load(config)).toMatchObject({ unknownTypes: ['Carousel'], rejected: 0 });
    expect(
      await rowsOf(config, 'select linkedin_post_id, type, title from post_performance'),
    ).toEqual([{ linkedin_post_id: 'urn:li:share:9', type: 'Carousel', title: 'T' }]);
  });

  test('of two equal keys the last one counts', async () => {
    const config = await emptyConfig();
    const body = JSON.stringify([analyticsRecord()]).replace(
      '"likeCount":10',
      '"likeCount":1,"likeCount":12',
    );
    await storeRun(config, body);
    await load(config);
    expect(await rowsOf(config, 'select like_count from linkedin_posts')).toEqual([
      { like_count: 12 },
    ]);
  });
});

describe('reading a post again', () => {
  test('the later reading wins, and within an answer the last record', async () => {
    const config = await emptyConfig();
    await loadDaily(
      config,
      [
        analyticsRecord({ likeCount: 1, commentary: 'first' }),
        analyticsRecord({ likeCount: 2, commentary: 'second' }),
      ],
      [analyticsRecord({ likeCount: 3, commentary: null })],
    );
    const columns = 'like_count, commentary, first_seen_at, last_seen_at';
    expect(await rowsOf(config, `select ${columns} from linkedin_posts`)).toEqual([
      {
        like_count: 3,
        commentary: null,
        first_seen_at: '2026-01-10T06:00:00.000Z',
        last_seen_at: '2026-01-11T06:00:00.000Z',
      },
    ]);
  });

  test('a metric that is null now keeps its last known value, and its snapshot is null', async () => {
    const config = await emptyConfig();
    await loadDaily(
      config,
      [analyticsRecord({ videoViewCount: 50, emv: 2.5 })],
      [analyticsRecord({ videoViewCount: null, emv: null, likeCount: 11 })],
    );
    expect(
      await rowsOf(config, 'select like_count, video_view_count, emv from linkedin_posts'),
    ).toEqual([{ like_count: 11, video_view_count: 50, emv: 2.5 }]);
    expect(
      await rowsOf(
        config,
        'select captured_on, captured_at, like_count, video_view_count, emv from linkedin_post_snapshots order by 1',
      ),
    ).toEqual([
      {
        captured_on: '2026-01-10',
        captured_at: '2026-01-10T06:00:00.000Z',
        like_count: 10,
        video_view_count: 50,
        emv: 2.5,
      },
      {
        captured_on: '2026-01-11',
        captured_at: '2026-01-11T06:00:00.000Z',
        like_count: 11,
        video_view_count: null,
        emv: null,
      },
    ]);
  });

  test('a snapshot is the last reading of a day of the configured time zone', async () => {
    const config = await emptyConfig({ timezone: 'Europe/Berlin' });
    const times = ['2026-01-10T22:59:59Z', '2026-01-10T23:00:00Z', '2026-01-11T10:00:00Z'];
    for (const [index, time] of times.entries()) {
      const fetchedAt = new Date(time);
      await storeRun(
        config,
        [analyticsRecord({ likeCount: index })],
        { fetchedAt },
        { run_id: `r${index}` },
      );
    }
    await load(config);
    expect(
      await rowsOf(
        config,
        'select captured_on, like_count from linkedin_post_snapshots order by 1',
      ),
    ).toEqual([
      { captured_on: '2026-01-10', like_count: 0 },
      { captured_on: '2026-01-11', like_count: 2 },
    ]);
  });

  test('new, changed and unchanged posts are counted', async () => {
    const config = await emptyConfig();
    await loadDaily(config, [analyticsRecord({ id: 'a' }), analyticsRecord({ id: 'b' })]);
    const next = [
      analyticsRecord({ id: 'a' }),
      analyticsRecord({ id: 'b', likeCount: 99 }),
      analyticsRecord({ id: 'c' }),
    ];
    await storeRun(
      config,
      next,
      { fetchedAt: new Date('2026-01-16T00:00:00Z') },
      { run_id: 'later' },
    );
    expect(await load(config)).toMatchObject({ posts: { new: 1, changed: 1, unchanged: 1 } });
  });

  test('a linked post stays known after the API stops giving it', async () => {
    const config = await emptyConfig();
    const linked = {
      id: 'p1',
      title: 'T',
      labels: [{ labelId: 'l', name: 'L' }],
      campaign: { id: 'c', name: 'C' },
    };
    await loadDaily(
      config,
      [analyticsRecord({ servicePost: linked })],
      [analyticsRecord({ servicePost: null })],
    );
    expect(
      await rowsOf(config, 'select post_id, title, labels, campaign from post_performance'),
    ).toEqual([{ post_id: 'p1', title: 'T', labels: ['L'], campaign: 'C' }]);
  });

  test('labels are replaced as a set, renamed labels take their new name, and a null campaign clears', async () => {
    const config = await emptyConfig();
    const linked = (labels: object[], campaign: object | null, title: string) => ({
      id: 'p1',
      title,
      labels,
      campaign,
    });
    await loadDaily(
      config,
      [
        analyticsRecord({
          servicePost: linked(
            [
              { labelId: 'l1', name: 'old' },
              { labelId: 'l2', name: 'gone' },
            ],
            { id: 'c', name: 'C' },
            'one',
          ),
        }),
      ],
      [
        analyticsRecord({
          servicePost: linked(
            [
              { labelId: 'l1', name: 'new' },
              { labelId: 'l3', name: 'added' },
            ],
            null,
            'two',
          ),
        }),
      ],
    );
    expect(
      await rowsOf(config, 'select title, labels, campaign_id, campaign from post_performance'),
    ).toEqual([{ title: 'two', labels: ['added', 'new'], campaign_id: null, campaign: null }]);
    expect(await rowsOf(config, 'select label_id, name from labels order by label_id')).toEqual([
      { label_id: 'l1', name: 'new' },
      { label_id: 'l2', name: 'gone' },
      { label_id: 'l3', name: 'added' },
    ]);
  });
});

test("EMV is the API's, else impressions at the profile's CPM, else unknown", async () => {
  const config = await emptyConfig();
  await storeRun(config, [
    analyticsRecord({ id: '1', emv: 5, impressionCount: 1000 }),
    analyticsRecord({ id: '2', emv: null, impressionCount: 1234 }),
    analyticsRecord({ id: '3', emv: null, impressionCount: null }),
    analyticsRecord({ id: '4', emv: 5, impressionCount: 0 }),
    analyticsRecord({ id: '5', emv: null, impressionCount: 0 }),
  ]);
  await load(config);
  const sql =
    'select emv, emv_source, effective_cpm from post_performance order by linkedin_post_id';
  expect(await rowsOf(config, sql)).toEqual([
    { emv: 5, emv_source: 'api', effective_cpm: 5 },
    { emv: 37.02, emv_source: 'profile_cpm', effective_cpm: 30 },
    { emv: null, emv_source: null, effective_cpm: null },
    { emv: 5, emv_source: 'api', effective_cpm: null },
    { emv: 0, emv_source: 'profile_cpm', effective_cpm: null },
  ]);
});

test('an empty answer leaves an empty warehouse with a successful window', async () => {
  const config = await emptyConfig();
  await storeRun(config, []);
  await load(config);
  expect(await rowsOf(config, 'from post_performance')).toEqual([]);
  expect(await rowsOf(config, 'select status, posts_read from extract_windows')).toEqual([
    { status: 'succeeded', posts_read: 0 },
  ]);
});
