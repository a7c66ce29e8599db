import { expect, test } from 'vitest';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf, sectionOf } from './support/document-figures.ts';

function post(id: string, published_at: string) {
  return {
    linkedin_post_id: id,
    post_id: id,
    type: 'Video',
    published_at,
    emv: 1,
    impression_count: 10,
  };
}

/** Posts of two months with one between them, and two that are dated when nobody can have posted. */
const rows: WarehouseRows = {
  profiles: [{ profile_id: 'p1', name: 'Acme' }],
  linkedin_posts: [
    post('a', '2025-09-03T10:00:00Z'),
    post('b', '2025-11-03T10:00:00Z'),
    post('c', '0001-01-01T00:00:00Z'),
    post('d', '2027-01-05T00:00:00Z'),
  ],
  posts: [
    { post_id: 'a', removed_at: '2025-09-05T10:00:00Z' },
    { post_id: 'b', removed_at: '2025-11-05T10:00:00Z' },
  ],
};

test('months are all from the first to the last with a post, and none without posts', async () => {
  const between = ['2025-09-01', '2025-10-01', '2025-11-01'];
  const cases: [Partial<ReportParameters>, string[]][] = [
    [{ from: '2025-01-01', to: '2025-12-31' }, between],
    [{ from: '2001-01-01', to: '2001-01-31' }, []],
  ];
  for (const [period, expected] of cases) {
    const parameters = { removed: 'include', ...period } as const;
    const emv = await buildOf(rows, 'emv', { only: ['by_month', 'profile_months'], parameters });
    const removed = await buildOf(rows, 'removed', { only: ['by_month'], parameters });
    const found = [
      rowsOf(emv, 'by_month').map(({ month }) => month),
      rowsOf(emv, 'profile_months').map(({ month }) => month),
      rowsOf(removed, 'by_month').map(({ removed_month: month }) => month),
    ];
    for (const months of found) expect(months.filter((month) => month !== null)).toEqual(expected);
  }
});

test('posts with an impossible date are reported', async () => {
  const { caveats } = await buildOf(rows, 'emv', { only: ['_warnings'] });
  expect(caveats).toContain(
    'Warning: 2 posts of Acme dated before 2003 or more than a year ahead, in no month',
  );
});

test('figures that are out of all proportion are reported where they are summed', async () => {
  const posts = ['a', 'b', 'c', 'd', 'e'].map((id) => post(id, '2025-09-03T10:00:00Z'));
  const linkedin_posts = [
    ...posts,
    { ...post('f', '2025-09-04T10:00:00Z'), impression_count: 9_007_199_254_740_991, emv: null },
    { ...post('g', '2025-09-05T10:00:00Z'), emv: 112_602 },
    { ...post('h', '2025-09-06T10:00:00Z'), emv: 90 },
    { ...post('i', '2025-09-04T10:00:00Z'), impression_count: 2_000_000_000, emv: null },
  ];
  const profiles = [{ profile_id: 'p1', name: 'Acme', cpm: null }];
  const { caveats } = await buildOf({ profiles, linkedin_posts }, 'emv', { only: ['_warnings'] });
  expect(caveats).toEqual([
    'Warning: 1 post of Acme with an EMV of up to €112,602, out of all proportion to the impressions',
    'Warning: 2 posts of Acme with up to 9,007,199,254,740,991 impressions, out of all proportion',
  ]);
  const few = await buildOf({ profiles, linkedin_posts: linkedin_posts.slice(3) }, 'emv', {
    only: ['_warnings'],
    parameters: { to: '2025-09-03' },
  });
  expect(few.caveats).toEqual([]);
});

test('a heading over removed posts says what they had brought, and no person’s deed', async () => {
  const removals = { removed_at: '2025-12-01T10:00:00Z', removed_by: 'Anna Lindqvist' };
  const document = await buildOf(
    { ...rows, posts: ['a', 'b'].map((post_id) => ({ post_id, ...removals })) },
    'removed',
    { only: ['by_person', '_cards'] },
  );
  expect(sectionOf(document, 'by_person').finding).toBeNull();
  expect(document.cards.map(({ label }) => label)).toEqual([
    'Removed posts',
    'Profiles',
    'EMV removed',
    'Share of all EMV',
    'Impressions',
  ]);
});
