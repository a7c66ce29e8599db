import { expect, test } from 'vitest';
import type { ReportSession } from '../../src/report/report-session.ts';
import { snapshot } from '../reports/support/golden-rows.ts';
import { openSessionOn } from './support/open-session.ts';
import type { WarehouseRows } from './support/report-warehouse.ts';

const rows: WarehouseRows = {
  profiles: [
    { profile_id: 'p1', name: 'Acme', cpm: 30 },
    { workspace: 'beta', profile_id: 'p1', name: 'Beta', cpm: null },
  ],
  linkedin_posts: [
    { linkedin_post_id: 'a', published_at: '2025-11-30T23:30:00Z', impression_count: 900 },
    { workspace: 'beta', linkedin_post_id: 'a', published_at: '2025-12-01T09:00:00Z' },
    { linkedin_post_id: 'elsewhere', published_at: '2025-12-01T09:00:00Z', type: 'Poll' },
    { linkedin_post_id: 'timeless', published_at: null },
  ],
  linkedin_post_snapshots: [
    snapshot('a', '2025-12-02', { impression_count: 400, like_count: 5, video_view_count: 90 }),
    snapshot('a', '2025-12-03', { impression_count: null, like_count: 4, engagement: 0.05 }),
    snapshot('a', '2025-12-08', { impression_count: 900, click_count: 7, emv: 50 }),
    { ...snapshot('a', '2025-12-02', { impression_count: 10 }), workspace: 'beta' },
    snapshot('elsewhere', '2025-12-02', { impression_count: 1 }),
    snapshot('timeless', '2025-12-02', { impression_count: 2 }),
  ],
};

async function snapshots({ database, tables }: ReportSession, columns: string) {
  await tables.make(['report_snapshots']);
  const { rows: found } = await database.query(
    `select workspace, linkedin_post_id, ${columns} from report_snapshots
     order by workspace, linkedin_post_id, captured_on`,
  );
  return found;
}

async function increments({ database, tables }: ReportSession, columns: string) {
  await tables.make(['report_increments']);
  const { rows: found } = await database.query(
    `select linkedin_post_id, ${columns} from report_increments
     order by workspace, linkedin_post_id, captured_on`,
  );
  return found;
}

test('a day has each metric’s last value that was given', async () => {
  const session = await openSessionOn(rows, { types: ['Text'] });
  const columns =
    'captured_on, captured_at, age_days, like_count, impression_count, engagements, emv, video_view_count, send_count';
  const at = (day: string) => [day, `${day}T05:00:00.000Z`];
  expect(await snapshots(session, columns)).toEqual([
    ['acme', 'a', ...at('2025-12-02'), 1, 5, 400, null, 12, 90, null],
    ['acme', 'a', ...at('2025-12-03'), 2, 4, 400, 20, 12, 90, null],
    ['acme', 'a', ...at('2025-12-08'), 7, 4, 900, 45, 50, 90, null],
    ['acme', 'timeless', ...at('2025-12-02'), null, null, 2, null, 0.06, null, null],
    ['beta', 'a', ...at('2025-12-02'), 1, null, 10, null, null, null, null],
  ]);
});

test('an increment is the change since the previous reading, and may be negative', async () => {
  const session = await openSessionOn(rows, { types: ['Text'] });
  const columns =
    'captured_on, previous_on, days, age_days, like_count, impression_count, engagements, emv, click_count';
  expect(await increments(session, columns)).toEqual([
    ['a', '2025-12-03', '2025-12-02', 1, 2, -1, 0, null, 0, null],
    ['a', '2025-12-08', '2025-12-03', 5, 7, 0, 500, 25, 38, null],
  ]);
});

test('they are priced at the report’s CPM, and end with its day', async () => {
  const session = await openSessionOn(rows, { types: ['Text'], cpm: 10, asOf: '2025-12-03' });
  expect(await snapshots(session, 'captured_on, emv')).toEqual([
    ['acme', 'a', '2025-12-02', 4],
    ['acme', 'a', '2025-12-03', 4],
    ['acme', 'timeless', '2025-12-02', 0.02],
    ['beta', 'a', '2025-12-02', 0.1],
  ]);
  expect(await increments(session, 'captured_on, emv')).toEqual([['a', '2025-12-03', 0]]);
});

test('they include an earlier post that was read in the period, even on its last day', async () => {
  const days = { from: '2025-12-05', to: '2025-12-31', asOf: '2025-12-08' };
  const { database, tables } = await openSessionOn(rows, days);
  await tables.make(['report_read_posts']);
  const read = 'select workspace, linkedin_post_id from report_read_posts';
  expect((await database.query(read)).rows).toEqual([['acme', 'a']]);
});

test('their days are those of the report’s zone, each with its last reading', async () => {
  const at = (captured_at: string, impression_count: number | null, like_count: number) => ({
    ...snapshot('a', '2025-12-02', { impression_count, like_count }),
    captured_at,
  });
  const read = {
    ...rows,
    linkedin_post_snapshots: [
      at('2025-12-02T02:00:00Z', 400, 5),
      at('2025-12-02T06:00:00Z', 500, 6),
      at('2025-12-02T09:00:00Z', null, 7),
      at('2025-12-03T06:00:00Z', 800, 9),
    ],
  };
  const inZone = async (timezone: string, changes = {}) =>
    snapshots(
      await openSessionOn(read, changes, { timezone }),
      'captured_on, impression_count, like_count',
    );
  expect(await inZone('Europe/Berlin')).toEqual([
    ['acme', 'a', '2025-12-02', 500, 7],
    ['acme', 'a', '2025-12-03', 800, 9],
  ]);
  expect(await inZone('America/New_York', { asOf: '2025-12-02' })).toEqual([
    ['acme', 'a', '2025-12-01', 400, 5],
    ['acme', 'a', '2025-12-02', 500, 7],
  ]);
});

test('posts have an age, and a profile that is a page or a member', async () => {
  const profile = (id: string, values: Record<string, number | null>) => ({
    linkedin_post_id: id,
    profile_id: id,
    published_at: '2025-12-31T23:30:00Z',
    ...values,
  });
  const session = await openSessionOn({
    linkedin_posts: [
      profile('both', { click_count: 1, send_count: 1 }),
      profile('member', { save_count: 0 }),
      profile('member with zeros', { click_count: 0, send_count: 3 }),
      profile('neither', { published_at: null }),
      profile('page', { click_count: 4 }),
      { ...profile('page, silent post', {}), profile_id: 'page' },
      profile('page with zeros', { click_count: 4, save_count: 0, send_count: 0 }),
    ],
  });
  const { rows: found } = await session.database.query(
    'select linkedin_post_id, kind, age_days from report_posts order by 1',
  );
  expect(found).toEqual([
    ['both', null, 3],
    ['member', 'member', 3],
    ['member with zeros', 'member', 3],
    ['neither', null, null],
    ['page', 'page', 3],
    ['page with zeros', 'page', 3],
    ['page, silent post', 'page', 3],
  ]);
});
