import { describe, expect, test } from 'vitest';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import { buildOf } from '../reports/support/built-report.ts';
import { expectRows, rowsOf, sectionOf } from '../reports/support/document-figures.ts';
import type { WarehouseRows } from './support/report-warehouse.ts';

type Post = Readonly<Record<string, unknown>> & { readonly linkedin_post_id: string };

const parameters = { from: '2025-11-01', to: '2025-11-30' };
const profiles = [
  { profile_id: 'p1', name: 'Fjord', cpm: 30 },
  { profile_id: 'p2', name: 'Halden', cpm: 30 },
];

/** A post of each profile in either month, with half as much again in the later one. */
const posts: Post[] = ['p1', 'p2'].flatMap((profile_id) =>
  ['10', '11'].map((month, index) => ({
    linkedin_post_id: `${profile_id}-${month}`,
    profile_id,
    type: 'Video',
    published_at: `2025-${month}-10T12:00:00Z`,
    impression_count: 1000 * (1 + index / 2),
    engagement: 0.05,
    emv: 100 * (1 + index / 2),
    video_view_count: 200 * (1 + index / 2),
    video_watch_time_seconds: 400 * (1 + index / 2),
    last_seen_at: '2026-01-03T05:00:00Z',
  })),
);

/** The rows of a warehouse in which some posts have other values, each post read twice. */
function rowsWith(
  changes: Readonly<Record<string, object>>,
  added: readonly Post[] = [],
): WarehouseRows {
  const linkedin_posts = [...posts, ...added].map((post) => ({
    ...post,
    ...changes[post.linkedin_post_id],
  }));
  const readings = (of: readonly Post[], captured_on: string) =>
    of.map(({ linkedin_post_id, impression_count, emv, unreadable }) => {
      return { linkedin_post_id, impression_count, emv, unreadable, captured_on };
    });
  const [before, read] = [readings(posts, '2025-12-20'), readings(linkedin_posts, '2026-01-03')];
  return { profiles, linkedin_posts, linkedin_post_snapshots: [...before, ...read] };
}

function emvOf(rows: WarehouseRows, changes: Partial<ReportParameters> = {}) {
  const only = ['_lede', '_cards', 'summary', 'by_profile', 'by_type', 'by_campaign'];
  return buildOf(rows, 'emv', { only, parameters: { ...parameters, ...changes } });
}

describe('a figure that could not be read of some posts', () => {
  const lost = rowsWith({ 'p2-11': { emv: null, unreadable: ['emv'] } });

  test('has no change in the rows and totals with these posts, and one in the others', async () => {
    const document = await emvOf(lost);
    expectRows(document, 'by_profile', [
      { profile: 'Fjord', previous_emv: 100, emv_change: 0.5 },
      { profile: 'Halden', emv: null, previous_emv: null, emv_change: null },
    ]);
    for (const section of ['by_type', 'by_campaign'])
      expectRows(document, section, [{ emv: 150, previous_emv: null, emv_change: null }]);
    expectRows(document, 'summary', [{ previous_emv: null, previous_impressions: 2000 }]);
    const cards = new Map(document.cards.map((card) => [card.label, card]));
    expect(cards.get('EMV')).toMatchObject({ value: 150, previous: null, note: null });
    expect(document.lede).not.toContain('than in');
    expect(document.caveats).toEqual(['Could not be read: EMV of 1 post']);
    const { columns } = sectionOf(document, 'by_profile');
    const reasons = new Map(columns.map(({ name, nullNote }) => [name, nullNote]));
    expect(reasons.get('emv')).toBe('Not given, or could not be read.');
    expect(reasons.get('impressions')).toBe('The service gives no impressions.');
  });

  test('is compared where the day of the report is before', async () => {
    const then = await emvOf(lost, { asOf: '2025-12-20' });
    expect(then.lede).toContain('50% more than in the month before');
    expect(then.caveats).toEqual([]);
    const since = await emvOf(lost, { asOf: '2026-01-03' });
    expect(since.lede).not.toContain('than in');
    expect(since.caveats).toEqual(['Could not be read: EMV of 1 post']);
  });

  test('costs the figures that are made of it, in the comparison period too, and none that are not', async () => {
    const rows = rowsWith({ 'p1-10': { unreadable: ['impression_count'] } });
    const document = await buildOf(rows, 'overview', { only: ['scorecard'], parameters });
    const figures = new Map(rowsOf(document, 'scorecard').map((row) => [row['figure'], row]));
    expect(
      ['impressions', 'engagement_rate', 'emv', 'views', 'watch_time_seconds', 'posts'].map(
        (figure) => figures.get(figure)?.['change'],
      ),
    ).toEqual([null, null, 0.5, 0.5, 0.5, 0]);
    expect(document.caveats).toContain(
      'Not compared: impressions of 1 post of the month before could not be read',
    );
  });

  test('is EMV where that is made of impressions by a CPM', async () => {
    const made = { emv: null, unreadable: ['impression_count'] };
    expectRows(await emvOf(rowsWith({ 'p2-11': made })), 'by_profile', [
      { profile: 'Fjord', emv_change: 0.5 },
      { profile: 'Halden', emv: 45, emv_change: null },
    ]);
    const priced = await emvOf(rowsWith({ 'p2-11': { emv: null, unreadable: ['emv'] } }), {
      cpm: 10,
    });
    expectRows(priced, 'by_profile', [
      { emv: 15, emv_change: 0.5 },
      { emv: 15, emv_change: 0.5 },
    ]);
    expect(priced.caveats).toEqual([]);
  });
});

describe('a post that cannot be placed', () => {
  const undated = { linkedin_post_id: 'undated', impression_count: 7, published_at: null };
  const seen = { last_seen_at: '2026-01-03T05:00:00Z', unreadable: ['published_at'] };
  const answer = { workspace: 'acme', run_id: 'r1', seq: 1, profile_id: 'p1' };
  const readIn = (start_date: string, end_date: string): WarehouseRows => ({
    ...rowsWith({}, [{ ...undated, ...seen }]),
    extract_windows: [
      { ...answer, start_date: '2024-01-01', end_date: '2026-01-03', seq: 2 },
      { ...answer, profile_id: 'p2', start_date: '2024-01-01', end_date: '2026-01-03', seq: 3 },
      { ...answer, start_date, end_date },
    ],
  });

  test('since its time could not be read is counted, and nothing of the days of its answer has a change', async () => {
    const document = await emvOf(readIn('2025-11-20', '2025-12-19'));
    expect(document.caveats).toContain(
      'Could not be read: the time of 1 post, which is in no period',
    );
    expectRows(document, 'summary', [
      { posts: 2, emv: 300, previous_posts: null, previous_emv: null },
    ]);
    const elsewhere = await emvOf(readIn('2025-05-01', '2025-05-30'));
    expect(elsewhere.caveats).toEqual([]);
    expectRows(elsewhere, 'summary', [{ previous_posts: 2, previous_emv: 200 }]);
  });

  test('under its type or its campaign is under none, and the groups have no change', async () => {
    const untyped = rowsWith({ 'p1-11': { type: null, url: null, unreadable: ['type', 'url'] } });
    const document = await emvOf(untyped);
    expectRows(document, 'by_type', [
      { type: 'Video', emv_change: null },
      { type: '(none)', emv_change: null },
    ]);
    expectRows(document, 'by_campaign', [{ emv_change: 0.5 }]);
    expect(document.caveats).toEqual([
      'Could not be read: the address of 1 post',
      'Could not be read: the type of 1 post',
    ]);
    const videos = await buildOf(untyped, 'video', { only: ['summary'], parameters });
    expectRows(videos, 'summary', [{ videos: 1, views: 300, previous_views: null }]);
    const asked = await emvOf(untyped, { types: ['Video'] });
    expect(asked.caveats).toContain(
      'Could not be read: whether 1 post has what the filters ask for',
    );
    expectRows(asked, 'summary', [{ emv: 150, previous_emv: null }]);
  });
});
