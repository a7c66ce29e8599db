import { beforeAll, describe, expect, test } from 'vitest';
import { countFields } from '../../src/api/schemas/analytics.ts';
import type { LoadSummary } from '../../src/load/load-summary.ts';
import {
  analyticsRecord,
  emptyConfig,
  type FileConfig,
  storeRun,
  load,
  profileId,
  profileOf,
  rowsOf,
  valuesOf,
} from '../support/stored-run.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Loads one answer for each given body, a day apart, each as a run of its own. */
async function loadDaily(config: FileConfig, ...bodies: unknown[]): Promise<void> {
  for (const [index, body] of bodies.entries()) {
    const fetchedAt = new Date(`2026-01-${String(10 + index)}T06:00:00.000Z`);
    const record = { run_id: `run-${index}`, started_at: fetchedAt.toISOString() };
    await storeRun(config, body, { fetchedAt }, record);
    await load(config);
  }
}

const snakeCase = (name: string) => name.replace(/(?=[A-Z])/g, '_').toLowerCase();

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
  const counts = countFields.map((name, index): [string, number] => [name, 11 + index]);
  await storeRun(config, [
    analyticsRecord({
      type: 'Video',
      servicePost: linked,
      reach: [1, { deep: null }],
      ...Object.fromEntries(counts),
      impressionCount: 1000,
      emv: 31.5,
      engagement: 0.025,
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
      linkedin_post_id: '00000000-0000-4000-8000-000000000001',
      url: 'https://www.linkedin.com/feed/update/urn:li:share:1',
      commentary: 'Hello',
      type: 'Video',
      published_at: '2026-01-10T08:30:00.000Z',
      ...Object.fromEntries(counts.map(([name, count]) => [snakeCase(name), count])),
      impression_count: 1000,
      engagement: 0.025,
      engagements: 25,
      interactions: 11 + 12 + 13 + 14 + 15 + 16,
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
    await valuesOf(config, 'select extra, first_seen_at, last_seen_at from linkedin_posts'),
  ).toEqual([
    [
      '{"servicePost":{"tone":"warm"},"reach":[1,{"deep":null}]}',
      '2026-01-15T12:00:01.500Z',
      '2026-01-15T12:00:01.500Z',
    ],
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
  const sunday = ['2026-07-05T22:30:00.000', 7, 22];
  const sql =
    'select profile, kind, published_local, weekday, hour from post_performance order by all';
  expect(await valuesOf(zoned, sql)).toEqual([
    ['member', 'member', ...sunday],
    ['neither', null, ...sunday],
    ['page', 'page', ...sunday],
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

  const withNumber = (field: string, number: string) =>
    JSON.stringify(analyticsRecord({ id: field, [field]: 0 })).replace(
      `"${field}":0`,
      `"${field}":${number}`,
    );
  const badTexts: [reason: string, text: string][] = [
    ['emv: expected a number, got Infinity', withNumber('emv', '1e999')],
    ['expected an object, got "text"', '"text"'],
    ['expected an object, got 12', '12'],
    ['expected an object, got an array', '[]'],
    ['expected an object, got null', 'null'],
    ['impressionCount: expected an integer, got 1e+30', withNumber('impressionCount', '1e30')],
    [
      'likeCount: expected an integer, got 9223372036854776000',
      withNumber('likeCount', '9223372036854775808'),
    ],
  ];

  test('is rejected with the reason in words, also what is no record or a number that no column can hold, and its siblings load', async () => {
    const config = await emptyConfig();
    const bad = badRecords.map(([reason, change], index) => ({
      reason,
      payload: JSON.stringify(analyticsRecord({ id: `bad ${index}`, nth: index, ...change })),
    }));
    const [before, after] = ['before', 'after'].map((id) =>
      JSON.stringify(analyticsRecord({ id })),
    );
    const texts = [...bad.map(({ payload }) => payload), ...badTexts.map(([, text]) => text)];
    await storeRun(config, `[${[before, ...texts, after].join(',')}]`);
    expect(await load(config)).toMatchObject({ postsRead: 2, rejected: texts.length });
    const nth = "(payload ->> 'nth')::int";
    const numbered = `select reason, payload from rejected_records where ${nth} >= 0 order by ${nth}`;
    expect(await rowsOf(config, numbered)).toEqual(bad);
    const others = `select reason from rejected_records where ${nth} is null order by reason`;
    expect((await valuesOf(config, others)).flat()).toEqual(badTexts.map(([reason]) => reason));
    const posts = 'select linkedin_post_id from linkedin_posts order by all desc';
    expect(await valuesOf(config, posts)).toEqual([['before'], ['after']]);
  });

  test('is told of once, however often it comes, and counted in each run', async () => {
    const config = await emptyConfig();
    const bad = analyticsRecord({ id: null });
    await loadDaily(config, [bad, bad], [bad]);
    const source = `acme GET /analytics/linkedin/${profileId}/posts`;
    const told = 'select run_id, source, rejected_at from rejected_records';
    expect(await valuesOf(config, told)).toEqual([['run-0', source, '2026-01-10T06:00:00.000Z']]);
    const counted = 'select run_id, posts_read, rejected from runs order by run_id';
    expect(await valuesOf(config, counted)).toEqual([
      ['run-0', 0, 2],
      ['run-1', 0, 1],
    ]);
  });
});

test('odd values are kept, and a linked post under the name that it has', async () => {
  const config = await emptyConfig();
  const odd: [column: string, member: string, expected: unknown][] = [
    ['like_count', '"likeCount":12.0', 12],
    ['like_count', '"likeCount":1.2e1', 12],
    ['share_count', '"shareCount":9007199254740993', 9007199254740993n],
    ['click_count', '"clickCount":-1', -1],
    ['engagement', '"engagement":92.5', 92.5],
    ['type', '"type":"Carousel"', 'Carousel'],
    ['published_at', '"publishedAt":"2026-01-10T08:30:00+02:00"', '2026-01-10T06:30:00.000Z'],
    ['published_at', '"publishedAt":"2026-01-10T08:30:00-0330"', '2026-01-10T12:00:00.000Z'],
    ['published_at', '"publishedAt":"2026-01-10T08:30:00"', '2026-01-10T08:30:00.000Z'],
    ['published_at', '"publishedAt":"2026-01-10T08:30Z"', '2026-01-10T08:30:00.000Z'],
    ['published_at', '"publishedAt":"2026-01-10 08:30:00.123456Z"', '2026-01-10T08:30:00.123456Z'],
  ];
  const idOf = (index: number) => `urn:li:share:${index}`;
  // a member in place of the one of its name
  const texts = odd.map(([, member], index) => {
    const name = /"(\w+)":/.exec(member)?.[1] ?? '';
    const text = JSON.stringify(analyticsRecord({ id: idOf(index), [name]: '@' }));
    return text.replace(`"${name}":"@"`, member);
  });
  // a time without a zone is read apart from plain records, where numbers lose what doubles lack
  const plain = odd.findIndex(([column]) => column === 'type');
  for (const part of [texts.slice(0, plain), texts.slice(plain)])
    await storeRun(config, `[${part.join(',')}]`, {}, { run_id: `run-${part.length}` });
  const servicePost = { id: 'p1', title: 'T', labels: [], campaign: null };
  const record = { ...analyticsRecord({ id: 'renamed' }), 'plan/post': servicePost };
  await storeRun(config, [record], {}, { run_id: 'renamed', linked_post_field: 'plan/post' });
  expect(await load(config)).toMatchObject({ unknownTypes: ['Carousel'], rejected: 0 });
  const rows = await rowsOf(config, 'from linkedin_posts');
  const found = new Map(rows.map((row) => [row['linkedin_post_id'], row]));
  expect(odd.map(([column], index) => found.get(idOf(index))?.[column])).toEqual(
    odd.map(([, , expected]) => expected),
  );
  const titles = "select title from post_performance where linkedin_post_id = 'renamed'";
  expect(await valuesOf(config, titles)).toEqual([['T']]);
});

describe('a post that is read again', () => {
  const folder = sharedFolder();
  let config: FileConfig;
  let secondLoad: LoadSummary;

  /** A record of the post `id`, linked to one of the workspace with these labels. */
  const linked = (
    id: string,
    labels: Record<string, string>,
    campaign: object | null,
    title = 'T',
  ) => {
    const own = Object.entries(labels).map(([labelId, name]) => ({ labelId, name }));
    const servicePost = { id: `p-${id}`, title, labels: own, campaign };
    return analyticsRecord({ id, servicePost });
  };
  const campaign = { id: 'c', name: 'C' };

  beforeAll(async () => {
    config = await emptyConfig({}, await folder());
    await loadDaily(config, [
      analyticsRecord({ id: 'same' }),
      analyticsRecord({ id: 'twice', likeCount: 1, commentary: 'first' }),
      analyticsRecord({ id: 'twice', likeCount: 2, commentary: 'second' }),
      analyticsRecord({ id: 'expired', videoViewCount: 50, emv: 2.5 }),
      linked('linked', { l: 'L' }, campaign),
      linked('relabelled', { l1: 'old', l2: 'gone' }, campaign, 'one'),
    ]);
    const next = [
      analyticsRecord({ id: 'same' }),
      analyticsRecord({ id: 'twice', likeCount: 3, commentary: null }),
      analyticsRecord({ id: 'expired', likeCount: 11 }),
      analyticsRecord({ id: 'linked' }),
      linked('relabelled', { l1: 'new', l3: 'added' }, null, 'two'),
      analyticsRecord({ id: 'new' }),
    ];
    await storeRun(
      config,
      next,
      { fetchedAt: new Date('2026-01-11T06:00:00Z') },
      { run_id: 'run-1' },
    );
    secondLoad = await load(config);
  });

  test('is counted as new, changed or unchanged', () => {
    expect(secondLoad.posts).toEqual({ new: 1, changed: 2, unchanged: 3 });
  });

  const [first, last] = ['2026-01-10T06:00:00.000Z', '2026-01-11T06:00:00.000Z'];
  const performance = 'select post_id, title, labels, campaign from post_performance';
  test.each<[string, string, unknown[][]]>([
    [
      'has the later reading, and within an answer the last record',
      `select like_count, commentary, first_seen_at, last_seen_at from linkedin_posts
       where linkedin_post_id = 'twice'`,
      [[3, null, first, last]],
    ],
    [
      'keeps the last known value of a metric that is null now',
      `select like_count, video_view_count, emv from linkedin_posts
       where linkedin_post_id = 'expired'`,
      [[11, 50, 2.5]],
    ],
    [
      'has the null in its snapshot, and of an answer the last record',
      `select linkedin_post_id, captured_on, captured_at, like_count, video_view_count, emv
       from linkedin_post_snapshots where linkedin_post_id in ('expired', 'twice') order by all`,
      [
        ['expired', '2026-01-10', first, 10, 50, 2.5],
        ['expired', '2026-01-11', last, 11, null, null],
        ['twice', '2026-01-10', first, 2, null, null],
        ['twice', '2026-01-11', last, 3, null, null],
      ],
    ],
    [
      'keeps its linked post after the API stops giving it',
      `${performance} where linkedin_post_id = 'linked'`,
      [['p-linked', 'T', ['L'], 'C']],
    ],
    [
      'has its labels replaced as a set, and loses its campaign to a null',
      `${performance} where linkedin_post_id = 'relabelled'`,
      [['p-relabelled', 'two', ['added', 'new'], null]],
    ],
    [
      'gives labels their new names',
      "select label_id, name from labels where label_id <> 'l' order by all",
      [
        ['l1', 'new'],
        ['l2', 'gone'],
        ['l3', 'added'],
      ],
    ],
  ])('%s', async (_, sql, expected) => {
    expect(await valuesOf(config, sql)).toEqual(expected);
  });
});

test('a snapshot is the last reading of a day of the configured time zone', async () => {
  const config = await emptyConfig({ timezone: 'Europe/Berlin' });
  const times = ['2026-01-10T22:59:59Z', '2026-01-10T23:00:00Z', '2026-01-11T10:00:00Z'];
  for (const [likeCount, time] of times.entries()) {
    const fetchedAt = new Date(time);
    await storeRun(config, [analyticsRecord({ likeCount })], { fetchedAt }, { run_id: time });
  }
  await load(config);
  const sql = 'select captured_on, like_count from linkedin_post_snapshots order by 1';
  expect(await valuesOf(config, sql)).toEqual([
    ['2026-01-10', 0],
    ['2026-01-11', 2],
  ]);
});

test("EMV is the API's, else impressions at the profile's CPM, else unknown", async () => {
  const config = await emptyConfig();
  const cases: [emv: number | null, impressions: number | null, expected: unknown[]][] = [
    [5, 1000, [5, 'api', 5]],
    [null, 1234, [37.02, 'profile_cpm', 30]],
    [null, null, [null, null, null]],
    [5, 0, [5, 'api', null]],
    [null, 0, [0, 'profile_cpm', null]],
  ];
  const records = cases.map(([emv, impressionCount], index) =>
    analyticsRecord({ id: String(index), emv, impressionCount }),
  );
  await storeRun(config, records);
  await load(config);
  const sql =
    'select emv, emv_source, effective_cpm from post_performance order by linkedin_post_id';
  expect(await valuesOf(config, sql)).toEqual(cases.map(([, , expected]) => expected));
});
