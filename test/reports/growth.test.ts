import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/core/calendar.ts';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { buildOf, type Asked } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf, type Row } from './support/document-figures.ts';
import { expectedGrowth } from './support/expected-growth.ts';
import { nothing } from './support/golden-rows.ts';
import { generateHistory, historyRows } from './support/growth-history.ts';
import { knownHistory } from './support/known-history.ts';

const history = generateHistory(90);
function build(asked: Asked = {}, from = history) {
  return buildOf(historyRows(from), 'growth', asked);
}

function byKey(rows: readonly Row[], key: string): Row[] {
  return rows.toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1));
}

const cases: [string, Asked, Parameters<typeof knownHistory>[1], object][] = [
  ['everything', {}, {}, {}],
  [
    'a past day, at a CPM for every post',
    { parameters: { asOf: '2025-08-31', cpm: 27.5 } },
    { asOf: '2025-08-31', cpm: 27.5 },
    {},
  ],
  [
    'an earlier final day and fewer posts',
    { set: { final_day: '20', minimum_posts: '3' } },
    {},
    { finalDay: 20, minimum: 3 },
  ],
];

test.each(cases)(
  'every section agrees with the readings, for %s',
  async (_name, asked, read, options) => {
    const { posts = [], ...expected } = expectedGrowth(knownHistory(history, read), options);
    const document = await build({ only: [...Object.keys(expected), 'posts'], ...asked });
    for (const [name, rows] of Object.entries(expected)) {
      expect(rows.length, name).toBeGreaterThan(0);
      expectRows(document, name, rows);
    }
    const sorted = { ...document, sections: [inOrderOf(document, 'posts', 'linkedin_post_id')] };
    expectRows(sorted, 'posts', byKey(posts, 'linkedin_post_id'));
  },
);

/** A section with its rows in the order of a column. */
function inOrderOf(document: Awaited<ReturnType<typeof build>>, name: string, column: string) {
  const section = sectionOf(document, name);
  const index = section.columns.findIndex((one) => one.name === column);
  const rows = section.rows.toSorted((a, b) => (String(a[index]) < String(b[index]) ? -1 : 1));
  return { ...section, rows };
}

test('restatements are those since a day, what fell beside what came late', async () => {
  const readings = { '2025-06-02': 100, '2025-07-20': 90, '2025-08-20': 120, '2025-08-21': 115 };
  const post = { id: 'a', profileId: 'p1', type: 'Text', publishedAt: '2025-06-01T10:00:00Z' };
  const values = Object.entries(readings).map(([day, impression_count]) => ({
    day,
    values: { ...nothing, impression_count },
  }));
  const asked = { only: ['restatements'], set: { since: '2025-08-01' } };
  const document = await buildOf(historyRows([{ ...post, readings: values }]), 'growth', asked);
  expectRows(document, 'restatements', [
    {
      metric: 'EMV',
      posts_fell: 1,
      emv_fell: -0.15,
      posts_grew_late: 1,
      emv_grew_late: 0.9,
      fell: null,
      change: null,
      emv_change: 0.75,
      last_on: '2025-08-21',
    },
    {
      metric: 'Impressions',
      posts_fell: 1,
      emv_fell: null,
      posts_grew_late: 1,
      emv_grew_late: null,
      fell: -5,
      change: 25,
      emv_change: null,
      last_on: '2025-08-21',
    },
  ]);
});

test('a post was first read late from the eighth day on', async () => {
  const readOn = (id: string, ...days: string[]) => ({
    id,
    profileId: 'p1',
    type: 'Text',
    publishedAt: '2025-06-01T10:00:00Z',
    readings: days.map((day) => ({ day, values: { ...nothing, impression_count: 10 } })),
  });
  const posts = [
    readOn('seven', '2025-06-08', '2025-06-09'),
    readOn('eight', '2025-06-09'),
    readOn('never'),
  ];
  const { coverage } = await buildOf(historyRows(posts), 'growth', { only: ['_coverage'] });
  expect(coverage).toEqual([
    '3 posts',
    'read on 2 of 2 days, 8 June 2025 to 9 June 2025',
    '1 without readings',
    '1 with a single reading',
    '1 first read more than 7 days after publication',
  ]);
});

test('without readings there are no figures', async () => {
  const document = await buildOf(
    historyRows([{ id: 'a', profileId: 'p1', type: 'Text', publishedAt: null, readings: [] }]),
    'growth',
  );
  expect(document.lede).toBe('Your post was not read in this period, so growth is unknown.');
  expect(document.sections.flatMap(({ finding }) => finding ?? [])).toEqual([]);
  expect(rowsOf(document, 'summary')).toMatchObject([{ posts: 1, impressions_added: null }]);
  for (const name of [
    'by_day',
    'by_age',
    'maturity',
    'cohorts',
    'restatements',
    'restated_posts',
  ]) {
    expect(rowsOf(document, name), name).toEqual([]);
  }
});

describe('readings over fewer than 28 days', () => {
  const readOver = (days: number) =>
    buildOf(
      {
        linkedin_posts: [{ linkedin_post_id: 'a', published_at: '2025-11-01T08:00:00Z' }],
        linkedin_post_snapshots: [0, days - 1].map((day) => ({
          linkedin_post_id: 'a',
          captured_on: addDays('2025-11-01', day),
          captured_at: `${addDays('2025-11-01', day)}T12:00:00Z`,
          impression_count: 100 * day,
        })),
      },
      'growth',
      { only: ['_lede', '_cards', 'summary', 'by_day', 'by_age'] },
    );

  test.each([
    [
      27,
      'How figures grow needs 28 days of readings; there are 27, from 1 November 2025 to 27 November 2025.',
    ],
    [1, 'How figures grow needs 28 days of readings; there is one, 1 November 2025.'],
  ])('of %i are one sentence on the page', async (days, sentence) => {
    const document = await readOver(days);
    expect(document.lede).toBe(sentence);
    const page = renderHtml(document, { logo: null });
    expect(page).toContain(sentence);
    expect(page).not.toMatch(/id="(s1|definitions)"|class="(nothing|cards)"/);
    expect(rowsOf(document, 'summary')).toMatchObject([{ posts: 1, posts_read: 1 }]);
  });

  test('are none over 28', async () => {
    const document = await readOver(28);
    expect(document.lede).toBe(
      'Your post gained **2,700** impressions from 1 November 2025 to 28 November 2025.',
    );
    expect(renderHtml(document, { logo: null })).toContain('id="s1"');
  });
});

test('the period selects the readings, also those of earlier posts', async () => {
  const days = ['2025-11-08', '2025-11-09', '2025-11-10', '2025-11-11', '2025-11-12', '2025-11-13'];
  const posts = { old: '2025-10-01T08:00:00Z', new: '2025-11-10T08:00:00Z' };
  const document = await buildOf(
    {
      linkedin_posts: Object.entries(posts).map(([linkedin_post_id, published_at]) => ({
        linkedin_post_id,
        published_at,
      })),
      linkedin_post_snapshots: Object.keys(posts).flatMap((linkedin_post_id) =>
        days
          .filter((day) => linkedin_post_id === 'old' || day >= '2025-11-10')
          .map((captured_on, index) => ({
            linkedin_post_id,
            captured_on,
            captured_at: `${captured_on}T05:00:00Z`,
            impression_count: 100 * index,
          })),
      ),
    },
    'growth',
    { only: ['by_day', 'summary'], parameters: { from: '2025-11-09', to: '2025-11-12' } },
  );
  expectRows(document, 'by_day', [
    { captured_on: '2025-11-09', posts: 1, impressions: 100, posts_read: 1 },
    { captured_on: '2025-11-10', posts: 1, impressions: 100, posts_read: 2 },
    { captured_on: '2025-11-11', posts: 2, impressions: 200, posts_read: 2 },
    { captured_on: '2025-11-12', posts: 2, impressions: 200, posts_read: 2 },
  ]);
  expectRows(document, 'summary', [
    { posts: 2, posts_read: 2, first_read_on: '2025-11-09', last_read_on: '2025-11-12' },
  ]);
});

test('what was added on a day is counted from the reading before, and no reading of day 99 is one of day 30', async () => {
  const posts = Array.from({ length: 12 }, (_, index) => `post-${index}`);
  const readings = { '2025-11-07': 100, '2026-02-01': 900, '2026-02-07': 1000, '2026-02-08': 1001 };
  const tables = {
    linkedin_posts: posts.map((linkedin_post_id) => ({
      linkedin_post_id,
      published_at: '2025-10-31T08:00:00Z',
    })),
    linkedin_post_snapshots: posts.flatMap((linkedin_post_id) =>
      Object.entries(readings).map(([captured_on, impression_count]) => ({
        linkedin_post_id,
        captured_on,
        captured_at: `${captured_on}T05:00:00Z`,
        impression_count,
      })),
    ),
  };
  const parameters = { from: '2026-02-08', to: '2026-02-08' };
  const only = ['_lede', 'summary', 'posts', 'maturity'];
  const day = await buildOf(tables, 'growth', { only, parameters });
  expect(day.lede).toBe(
    'Your 12 posts gained **12** impressions from 7 February 2026 to 8 February 2026.',
  );
  expectRows(day, 'summary', [{ posts_read_again: 12, impressions_added: 12 }]);
  expect(sectionOf(day, 'posts').finding).toContain(
    '12 posts gained 1,212 impressions in the 7 days',
  );
  const all = await buildOf(tables, 'growth', { only });
  expect(all.lede).toBe(
    'Your 12 posts gained **10,812** impressions from 7 November 2025 to 8 February 2026.',
  );
  expect(sectionOf(all, 'maturity')).toMatchObject({ rows: [], finding: null });
});
