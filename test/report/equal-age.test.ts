import { describe, expect, test } from 'vitest';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import type { ReportSession } from '../../src/report/report-session.ts';
import { snapshot } from '../reports/support/golden-rows.ts';
import { openSessionOn } from './support/open-session.ts';
import type { WarehouseRows } from './support/report-warehouse.ts';

type Row = NonNullable<WarehouseRows['linkedin_posts']>[number];

/** Read on 4 January at six in Berlin, 30 days after the previous period's own moment, 5 December at six. */
const december = { from: '2025-12-01', to: '2025-12-31' };

function post(id: string, publishedAt: string, values: Row = {}): Row {
  return { linkedin_post_id: id, published_at: publishedAt, ...values };
}

const young = post('young now', '2025-12-28T09:00:00Z', { impression_count: 700 });
/** Ten days old on 5 December. */
const grown = post('grown', '2025-11-25T09:00:00Z', { impression_count: 5000, emv: 150 });

async function open(
  { posts = [young, grown], snapshots = [], removed = [], ...rows }: Rows,
  changes: Partial<ReportParameters> = {},
): Promise<ReportSession> {
  return openSessionOn(
    { linkedin_posts: posts, linkedin_post_snapshots: snapshots, posts: removed, ...rows },
    { ...december, ...changes },
  );
}

interface Rows extends Omit<WarehouseRows, 'linkedin_posts' | 'linkedin_post_snapshots' | 'posts'> {
  readonly posts?: readonly Row[];
  readonly snapshots?: readonly Row[];
  /** Posts of the workspace. */
  readonly removed?: readonly Row[];
}

async function previous({ database }: ReportSession, ...columns: string[]) {
  const { rows } = await database.query(
    `select linkedin_post_id, ${columns.join(', ')} from report_previous order by published_at`,
  );
  return rows;
}

async function settings({ database }: ReportSession) {
  const [row] = await database.queryObjects(
    'select previous_from, previous_to, previous_months, compare, is_equal_age from report_settings',
  );
  return row;
}

describe('posts of the previous period', () => {
  const at = (time: string, impressions: number) => ({
    ...snapshot('hourly', '2025-12-05', { impression_count: impressions }),
    captured_at: `2025-12-05T${time}Z`,
  });
  const old = ['never read', 'read young', 'read old'].map((id) =>
    post(id, '2025-11-03T09:00:00Z', { impression_count: 2000 }),
  );
  const rows = {
    profiles: [{ profile_id: 'p1', name: 'Acme', cpm: 30 }],
    posts: [
      young,
      grown,
      ...old,
      post('hourly', '2025-11-26T09:00:00Z'),
      post('daily', '2025-11-27T09:00:00Z'),
      // which the report leaves out, so that it need not have been read by then
      post('gone', '2025-11-29T09:00:00Z', { post_id: 'g' }),
    ],
    removed: [{ post_id: 'g', removed_at: '2025-12-20T00:00:00Z' }],
    snapshots: [
      snapshot('grown', '2025-12-01', { impression_count: 600, video_view_count: 40, emv: 18 }),
      snapshot('grown', '2025-12-04', { impression_count: 900, engagement: 0.1, like_count: 8 }),
      snapshot('grown', '2025-12-06', { impression_count: 1100, emv: 33 }),
      snapshot('read young', '2025-11-10', { impression_count: 300 }),
      snapshot('read old', '2025-11-17', { impression_count: 1900 }),
      at('04:00:00', 100),
      at('08:00:00', 900),
      // a daily run is seldom on the second
      { ...at('04:00:00', 100), linkedin_post_id: 'daily' },
      { ...at('05:10:00', 120), linkedin_post_id: 'daily' },
    ],
  };
  const ofPost = async (session: ReportSession, id: string, ...columns: string[]) =>
    (await previous(session, ...columns)).filter(([found]) => found === id);

  test('have the figures that they had as many days after the start of theirs', async () => {
    const session = await open(rows);
    expect(session.isAtEqualAge).toBe(true);
    expect(await settings(session)).toEqual({
      previous_from: '2025-11-01',
      previous_to: '2025-11-30',
      previous_months: 1,
      compare: 'previous',
      is_equal_age: true,
    });
    const counts = ['impression_count', 'engagements', 'interactions'];
    const value = ['emv', 'emv_source', 'effective_cpm', 'video_view_count', 'share_count'];
    const age = ['age_days', 'is_young', 'last_seen_at'];
    expect(await ofPost(session, 'grown', ...counts, ...value, ...age)).toEqual([
      ['grown', 900, 90, 8, 18, 'api', 20, 40, null, 10, true, '2025-12-04T05:00:00.000Z'],
    ]);
  });

  test('have those of that very moment, whatever was read later on its day', async () => {
    const session = await open(rows);
    expect(await ofPost(session, 'hourly', 'impression_count')).toEqual([['hourly', 100]]);
    expect(await ofPost(session, 'daily', 'impression_count')).toEqual([['daily', 120]]);
  });

  test('have those of a moment of the zone of the report', async () => {
    const late = { ...young, last_seen_at: '2026-01-04T02:00:00Z' };
    const session = await openSessionOn(
      {
        linkedin_posts: [late, { ...grown, last_seen_at: '2026-01-04T02:00:00Z' }],
        linkedin_post_snapshots: [
          { ...at('01:00:00', 900), linkedin_post_id: 'grown' },
          { ...at('03:00:00', 1100), linkedin_post_id: 'grown' },
        ],
      },
      december,
      { timezone: 'America/New_York' },
    );
    expect(await previous(session, 'impression_count', 'age_days')).toEqual([['grown', 900, 9]]);
  });

  test('are priced by the CPM of the profile, or that of the report', async () => {
    const columns = ['emv', 'emv_source', 'effective_cpm'];
    expect(await ofPost(await open(rows), 'hourly', ...columns)).toEqual([
      ['hourly', 3, 'profile_cpm', 30],
    ]);
    expect(await ofPost(await open(rows, { cpm: 45 }), 'grown', ...columns)).toEqual([
      ['grown', 40.5, 'cpm', 45],
    ]);
  });

  test('that were final then keep today’s figures, unless a reading of that age tells others', async () => {
    const read = await previous(await open(rows), 'impression_count');
    expect(Object.fromEntries(read as [string, number][])).toMatchObject({
      'never read': 2000,
      'read young': 2000,
      'read old': 1900,
    });
  });

  test('that had not been published or read by then are left out, and the period ends there', async () => {
    const session = await open(
      {
        posts: [
          { ...young, published_at: '2026-01-02T09:00:00Z' },
          post('first', '2025-12-01T09:00:00Z', { impression_count: 400 }),
          post('of the last day', '2025-12-03T05:00:01Z'),
          post('of the last day, read', '2025-12-03T05:00:02Z', { impression_count: 50 }),
          post('later', '2025-12-04T05:00:01Z'),
        ],
        snapshots: [
          snapshot('first', '2025-12-04', { impression_count: 40 }),
          snapshot('of the last day, read', '2025-12-04', { impression_count: 5 }),
          snapshot('later', '2025-12-04', { impression_count: 1 }),
        ],
      },
      { from: '2026-01-01', to: '2026-01-31' },
    );
    expect(session.previousPeriod).toEqual({ from: '2025-12-01', to: '2025-12-04' });
    expect(await previous(session, 'impression_count')).toEqual([
      ['first', 40],
      ['of the last day, read', 5],
    ]);
  });
});

describe('all figures are today’s', () => {
  const asTheyAre = [['grown', 5000, 150, false]];

  test.each([
    ['a young post was not read by then', [snapshot('grown', '2025-12-06', { emv: 1 })]],
    ['its reading was three days old', [snapshot('grown', '2025-12-02', { emv: 1 })]],
  ])('when %s', async (_name, snapshots) => {
    const session = await open({ snapshots });
    expect(session.isAtEqualAge).toBe(false);
    expect(session.previousPeriod).toEqual({ from: '2025-11-01', to: '2025-11-30' });
    expect(await previous(session, 'impression_count', 'emv', 'is_young')).toEqual(asTheyAre);
  });

  test('when one of many young posts was not read', async () => {
    const session = await open({
      posts: [young, grown, post('other', '2025-11-29T09:00:00Z', { impression_count: 10 })],
      snapshots: [snapshot('grown', '2025-12-05', { impression_count: 900 })],
    });
    expect(session.isAtEqualAge).toBe(false);
    expect(await previous(session, 'impression_count')).toEqual([
      ['grown', 5000],
      ['other', 10],
    ]);
  });

  test('when no post of the period is young', async () => {
    const session = await open({
      posts: [{ ...young, published_at: '2025-12-05T09:00:00Z' }, grown],
      snapshots: [snapshot('grown', '2025-12-05', { impression_count: 900 })],
    });
    expect(session.isAtEqualAge).toBe(false);
    expect(await previous(session, 'impression_count')).toEqual([['grown', 5000]]);
  });
});

test('nothing is compared while every post of the previous period is of a later day of it', async () => {
  const posts = [
    post('now', '2026-01-03T09:00:00Z', { impression_count: 50 }),
    post('later', '2025-12-30T09:00:00Z', { impression_count: 900 }),
  ];
  const week = { from: '2026-01-02', to: '2026-01-08' };
  const session = await open({ posts }, week);
  expect(session.previousPeriod).toBeNull();
  expect(await previous(session, 'emv')).toEqual([]);
  const deleted = await openSessionOn(
    {
      linkedin_posts: posts.map((row) => ({ ...row, post_id: row['linkedin_post_id'] })),
      posts: [{ post_id: 'later', removed_at: '2026-01-01T00:00:00Z' }],
    },
    week,
  );
  expect(deleted.previousPeriod).toEqual({ from: '2025-12-26', to: '2026-01-01' });
  const both = await open({ posts: [...posts, post('due', '2025-12-26T09:00:00Z')] }, week);
  expect(both.previousPeriod).not.toBeNull();
});

test('a past day has its own moment', async () => {
  const session = await open(
    {
      snapshots: [
        snapshot('grown', '2025-11-28', { impression_count: 300 }),
        snapshot('grown', '2025-11-30', { impression_count: 450 }),
        snapshot('young now', '2025-12-30', { impression_count: 20 }),
      ],
    },
    { asOf: '2025-12-30' },
  );
  expect(session.dataAsOf).toBe('2025-12-30T05:00:00.000Z');
  expect(session.isAtEqualAge).toBe(true);
  expect(await previous(session, 'impression_count', 'age_days')).toEqual([['grown', 450, 5]]);
});

describe('the year before', () => {
  const rows = {
    linkedin_posts: [
      post('leap day', '2024-02-29T12:00:00Z', { impression_count: 1 }),
      post('march', '2024-03-01T12:00:00Z', { impression_count: 2 }),
      post('january', '2025-01-31T12:00:00Z', { impression_count: 3 }),
      post('february', '2025-02-10T12:00:00Z', { impression_count: 4 }),
    ],
  };

  test('of a whole February has its 29th', async () => {
    const session = await openSessionOn(rows, {
      from: '2025-02-01',
      to: '2025-02-28',
      compare: 'year',
    });
    expect(session.previousPeriod).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(await previous(session, 'impression_count')).toEqual([['leap day', 1]]);
    expect(await settings(session)).toMatchObject({ previous_months: 12, compare: 'year' });
  });

  test('is at equal age, too', async () => {
    const session = await open(
      {
        posts: [young, post('then', '2024-12-27T09:00:00Z', { impression_count: 5000 })],
        snapshots: [snapshot('then', '2025-01-04', { impression_count: 650 })],
      },
      { compare: 'year' },
    );
    expect(session.isAtEqualAge).toBe(true);
    expect(await previous(session, 'impression_count', 'age_days')).toEqual([['then', 650, 8]]);
  });
});
