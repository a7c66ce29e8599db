import { describe, expect, test } from 'vitest';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf } from './support/document-figures.ts';

const sections = [
  ['emv', 'by_month', 'month'],
  ['engagement', 'by_month', 'month'],
  ['video', 'by_month', 'month'],
  ['labels', 'by_label_month', 'month'],
  ['emv', 'profile_months', 'month'],
  ['removed', 'by_month', 'removed_month'],
] as const;

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
  labels: [{ label_id: 'l', name: 'Event' }],
  post_labels: ['a', 'b', 'c', 'd'].map((post_id) => ({ post_id, label_id: 'l' })),
};

describe.each(sections)('%s/%s', (report, section, column) => {
  const months = async (parameters: Partial<ReportParameters>) => {
    const document = await buildOf(rows, report, {
      parameters: { removed: 'include', ...parameters },
    });
    return rowsOf(document, section).map((row) => row[column]);
  };

  test('has every month from the first to the last with a post, and none without posts', async () => {
    const between = ['2025-09-01', '2025-10-01', '2025-11-01'];
    expect(await months({ from: '2025-01-01', to: '2025-12-31' })).toEqual(between);
    expect((await months({})).filter((month) => month !== null)).toEqual(between);
    expect(await months({ from: '2001-01-01', to: '2001-01-31' })).toEqual([]);
  });
});

test('posts with an impossible date are reported', async () => {
  const { caveats } = await buildOf(rows, 'labels');
  expect(caveats).toContain(
    'Warning: 2 posts of Acme dated before 2003 or more than a year ahead, in no month',
  );
});
