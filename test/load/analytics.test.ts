import { beforeAll, describe, expect, test } from 'vitest';
import { countFields } from '../../src/api/schemas/analytics.ts';
import type { LoadSummary } from '../../src/load/load-summary.ts';
import { Database } from '../../src/warehouse/database.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';
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
import { warningLog } from '../support/warning-log.ts';

/** Loads one answer for each given body, a day apart, each as a run of its own. */
async function loadDaily(config: FileConfig, ...bodies: unknown[]): Promise<void> {
  for (const [index, body] of bodies.entries()) {
    const fetchedAt = new Date(`2026-01-${String(10 + index)}T06:00:00.000Z`);
    const record = { run_id: `run-${index}`, started_at: fetchedAt.toISOString() };
    await storeRun(config, body, { fetchedAt }, record);
    await load(config);
  }
}

/** The values of a column of the metrics for which a condition holds. */
async function readMetrics(column: string, condition: string): Promise<unknown[]> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  await database.run(await readSql('metrics.sql'));
  const { rows } = await database.query(`select ${column} from metrics where ${condition}`);
  database.close();
  return rows.flat();
}

const sumOf = (values: readonly [string, number][]) =>
  values.reduce((sum, [, value]) => sum + value, 0);
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
  const interactions = await readMetrics('metric', 'is_interaction');
  const prices = await readMetrics("'emv_' || price", 'price is not null');
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
    unreadable: 0,
    textNumbers: [],
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
      interactions: sumOf(counts.filter(([name]) => interactions.includes(snakeCase(name)))),
      emv: 31.5,
      emv_source: 'api',
      ...Object.fromEntries(prices.map((column) => [column, null])),
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
      unreadable: null,
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

describe('a record whose id cannot be read', () => {
  test('is rejected with the reason in words, and its siblings load', async () => {
    const config = await emptyConfig();
    const [before, after] = ['before', 'after'].map((id) => analyticsRecord({ id }));
    const bad = [
      ...[undefined, null, ' ', 12, {}].map((id) => analyticsRecord({ id })),
      ...['text', 12, [], null],
    ];
    await storeRun(config, [before, ...bad, after]);
    expect(await load(config)).toMatchObject({ postsRead: 2, rejected: bad.length, unreadable: 0 });
    const told = 'select distinct field, reason from rejected_records order by reason';
    expect(await valuesOf(config, told)).toEqual(
      [
        'expected an object, got "text"',
        'expected an object, got 12',
        'expected an object, got an array',
        'expected an object, got null',
        'id: empty',
        'id: expected text, got 12',
        'id: expected text, got an object',
        'id: missing',
      ].map((reason) => [null, reason]),
    );
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

describe('a value that cannot be read', () => {
  const link = { id: 'p', title: 'T', labels: [], campaign: null };
  const withLink = (change: object) => ({ servicePost: { ...link, ...change } });
  const badValues: [field: string, columns: string[], problem: string, change: object][] = [
    ['url', ['url'], 'missing', { url: null }],
    ['url', ['url'], 'empty', { url: ' ' }],
    ['type', ['type'], 'missing', { type: undefined }],
    ['type', ['type'], 'expected text, got an object', { type: {} }],
    ['commentary', ['commentary'], 'expected text, got an array', { commentary: ['x'] }],
    ['likeCount', ['like_count'], 'expected an integer, got 12.5', { likeCount: 12.5 }],
    ['likeCount', ['like_count'], 'expected an integer, got true', { likeCount: true }],
    ['likeCount', ['like_count'], 'expected an integer, got "many"', { likeCount: 'many' }],
    ['likeCount', ['like_count'], 'expected an integer, got "1.5"', { likeCount: '1.5' }],
    ['likeCount', ['like_count'], 'expected an integer, got 1e+30', { likeCount: 1e30 }],
    [
      'likeCount',
      ['like_count'],
      'expected an integer, got "9223372036854775808"',
      { likeCount: '9223372036854775808' },
    ],
    ['emv', ['emv'], 'expected a number, got "1,5"', { emv: '1,5' }],
    ['emv', ['emv'], 'expected a number, got "1e999"', { emv: '1e999' }],
    ['engagement', ['engagement'], 'expected a number, got false', { engagement: false }],
    ...['epoch', 'infinity', '2026-01-01', '2026-02-30T00:00:00Z', 1767225600].map(
      (publishedAt): [string, string[], string, object] => [
        'publishedAt',
        ['published_at'],
        `expected an ISO 8601 time, got ${JSON.stringify(publishedAt)}`,
        { publishedAt },
      ],
    ),
    ['servicePost', ['post_id'], 'expected an object, got "p1"', { servicePost: 'p1' }],
    ['servicePost.id', ['post_id'], 'missing', withLink({ id: null, title: 1 })],
    ['servicePost.title', ['title'], 'expected text, got 1', withLink({ title: 1 })],
    ['servicePost.labels', ['labels'], 'expected an array, got "x"', withLink({ labels: 'x' })],
    [
      'servicePost.labels',
      ['labels'],
      'expected objects with a labelId and a name',
      withLink({ labels: [{ name: 'x' }] }),
    ],
    [
      'servicePost.campaign',
      ['campaign_id'],
      'expected an object, got "c"',
      withLink({ campaign: 'c' }),
    ],
    ['servicePost.campaign.id', ['campaign_id'], 'missing', withLink({ campaign: { name: 'c' } })],
  ];

  test('costs its field alone, and stands with it and the whole record among the rejected ones', async () => {
    const config = await emptyConfig();
    const records = badValues.map(([, , , change], nth) =>
      analyticsRecord({ id: `bad ${nth}`, nth, ...change }),
    );
    const both = analyticsRecord({ id: 'both', nth: records.length, url: null, emv: 'x' });
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
    const nested = JSON.stringify(analyticsRecord({ id: 'deep', likeCount: '@' })).replace(
      '"@"',
      deep,
    );
    const texts = [...records, both].map((record) => JSON.stringify(record));
    await storeRun(config, `[${[...texts, nested].join(',')}]`);
    expect(await load(config)).toMatchObject({
      postsRead: texts.length + 1,
      rejected: 0,
      unreadable: badValues.length + 3,
    });
    const nth = "(payload ->> 'nth')::int";
    const numbered = `select field, reason, payload from rejected_records where ${nth} >= 0 order by ${nth}, field`;
    expect(await rowsOf(config, numbered)).toEqual([
      ...badValues.map(([field, , problem], index) => {
        return { field, reason: `${field}: ${problem}`, payload: texts[index] };
      }),
      { field: 'emv', reason: 'emv: expected a number, got "x"', payload: texts.at(-1) },
      { field: 'url', reason: 'url: missing', payload: texts.at(-1) },
    ]);
    const told = `select field, reason, payload ->> 'id' as id from rejected_records where ${nth} is null`;
    const reason = 'likeCount: nested more than 1000 deep';
    expect(await rowsOf(config, told)).toEqual([{ field: 'likeCount', reason, id: 'deep' }]);
    const unreadable = 'select linkedin_post_id, unreadable from linkedin_posts';
    expect(Object.fromEntries(await valuesOf(config, unreadable))).toEqual({
      ...Object.fromEntries(badValues.map(([, columns], index) => [`bad ${index}`, columns])),
      both: ['emv', 'url'],
      deep: ['like_count'],
    });
    const counted = 'select posts_read, rejected from runs';
    expect(await valuesOf(config, counted)).toEqual([[texts.length + 1, 0]]);
  });

  test('keeps what was known before, whatever the order of arrival, until a later answer has the value', async () => {
    const known = analyticsRecord({
      emv: 3,
      servicePost: {
        ...link,
        labels: [{ labelId: 'l', name: 'L' }],
        campaign: { id: 'c', name: 'C' },
      },
    });
    const bad = analyticsRecord({
      ...{ url: 7, type: 7, commentary: 7, publishedAt: 7, likeCount: 1.5, emv: 'x' },
      servicePost: { id: 'p', title: 7, labels: 7, campaign: 7 },
    });
    const days = [known, bad, analyticsRecord({ ...bad, likeCount: null, servicePost: 7 })];
    const shown = `select url, commentary, type, published_at, like_count, emv, emv_source, title, labels, campaign, unreadable
      from post_performance`;
    const tables: unknown[] = [];
    for (const order of [days, days.toReversed()]) {
      const config = await emptyConfig();
      for (const record of order) {
        const run = { run_id: `run-${days.indexOf(record)}` };
        const fetchedAt = new Date(`2026-01-1${days.indexOf(record)}T06:00:00Z`);
        await storeRun(config, [record], { fetchedAt }, run);
        await load(config);
      }
      tables.push(await rowsOf(config, shown), await rowsOf(config, 'from linkedin_posts'));
      expect(await rowsOf(config, shown)).toEqual([
        expect.objectContaining({
          url: known['url'],
          type: 'Image',
          like_count: known['likeCount'],
          emv: 3,
          emv_source: 'api',
          title: 'T',
          labels: ['L'],
          campaign: 'C',
          unreadable: [
            ...['campaign_id', 'commentary', 'emv', 'labels', 'like_count', 'post_id'],
            ...['published_at', 'title', 'type', 'url'],
          ],
        }),
      ]);
      await storeRun(
        config,
        [known],
        { fetchedAt: new Date('2026-01-14T06:00:00Z') },
        { run_id: 'healed' },
      );
      await load(config);
      expect(await valuesOf(config, 'select unreadable from linkedin_posts')).toEqual([[null]]);
    }
    expect(tables.slice(0, 2)).toEqual(tables.slice(2));
  });

  test('of an EMV leaves it unknown, whatever the CPM of the profile', async () => {
    const config = await emptyConfig();
    await storeRun(config, [
      analyticsRecord({ id: 'bad', emv: 'x' }),
      analyticsRecord({ id: 'none', emv: null }),
    ]);
    await load(config);
    const priced =
      'select linkedin_post_id, emv is null, emv_source from post_performance order by 1';
    expect(await valuesOf(config, priced)).toEqual([
      ['bad', true, null],
      ['none', false, 'profile_cpm'],
    ]);
  });
});

test('a number that is given as text is that number, with one warning', async () => {
  const config = await emptyConfig();
  const texts = {
    likeCount: '12',
    impressionCount: '9007199254740993',
    emv: '1.5',
    engagement: ' .25 ',
  };
  await storeRun(config, [analyticsRecord(texts), analyticsRecord({ id: 'two', likeCount: '-7' })]);
  const { log, warnings } = warningLog();
  expect(await load(config, { log })).toMatchObject({
    rejected: 0,
    unreadable: 0,
    textNumbers: ['emv', 'engagement', 'impressionCount', 'likeCount'],
  });
  expect(warnings).toHaveLength(1);
  const sql =
    'select like_count, impression_count, emv, engagement, unreadable from linkedin_posts order by 1 desc limit 1';
  expect(await valuesOf(config, sql)).toEqual([[12, 9007199254740993n, 1.5, 0.25, null]]);
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
