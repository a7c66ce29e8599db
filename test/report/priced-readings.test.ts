import { describe, expect, it } from 'vitest';
import { removedModes } from '../../src/report/report-parameters.ts';
import { buildOf, type Asked } from '../reports/support/built-report.ts';
import { rowsOf } from '../reports/support/document-figures.ts';

const board = [
  { from: '2025-11-01', prices: { impressions: 20, clicks: 3 } },
  { from: '2025-12-01', prices: { impressions: 30, clicks: 4.5 } },
];

/** What was read of posts, in the order of the readings: the day, impressions and clicks. */
type Reading = readonly [day: string, impressions: number, clicks: number | null];

/** The EMV of counts at the edition of the day of publication, to the cent. */
function emvOf(day: string, impressions: number, clicks: number | null): number {
  const [perThousand, perClick] = day < '2025-12-01' ? [20, 3] : [30, 4.5];
  return Math.round(impressions * (perThousand / 10) + (clicks ?? 0) * perClick * 100) / 100;
}

const histories: Record<string, { day: string; removed?: string; readings: Reading[] }> = {
  before: {
    day: '2025-11-24',
    readings: [
      ['2025-11-26', 700, 2],
      ['2025-12-01', 1100, null],
      ['2025-12-08', 1900, 9],
    ],
  },
  early: {
    day: '2025-12-01',
    readings: [
      ['2025-12-03', 500, null],
      ['2025-12-08', 800, 6],
    ],
  },
  gone: {
    day: '2025-12-02',
    removed: '2025-12-04',
    readings: [
      ['2025-12-03', 410, 1],
      ['2025-12-08', 900, 4],
    ],
  },
};

const rows = {
  profiles: [{ profile_id: 'p1', name: 'Acme', prices: 'board' }],
  prices: board.flatMap(({ from, prices }) =>
    Object.entries(prices).map(([metric, price]) => {
      return { list: 'board', from_date: from, metric, price };
    }),
  ),
  linkedin_posts: Object.entries(histories).map(([id, { day, removed, readings }]) => {
    const [last = '', impressions] = readings.at(-1) ?? [];
    const clicks = readings.findLast(([, , each]) => each !== null)?.[2] ?? null;
    return {
      linkedin_post_id: id,
      published_at: `${day}T10:00:00Z`,
      last_seen_at: `${last}T05:00:00Z`,
      impression_count: impressions,
      click_count: clicks,
      post_id: removed === undefined ? null : `${id}-post`,
    };
  }),
  posts: Object.entries(histories).flatMap(([id, { removed }]) =>
    removed === undefined ? [] : [{ post_id: `${id}-post`, removed_at: `${removed}T10:00:00Z` }],
  ),
  linkedin_post_snapshots: Object.entries(histories).flatMap(([id, { readings }]) =>
    readings.map(([day, impressions, clicks]) => {
      return {
        linkedin_post_id: id,
        captured_on: day,
        impression_count: impressions,
        click_count: clicks,
      };
    }),
  ),
};

/** The EMV of a post at its last reading by a day. */
function expectedBy(id: keyof typeof histories, last: string): number {
  const { day, readings = [] } = histories[id] ?? { day: '' };
  const known = readings.filter(([on]) => on <= last);
  const clicks = known.findLast(([, , each]) => each !== null)?.[2] ?? null;
  return emvOf(day, known.at(-1)?.[1] ?? 0, clicks);
}

const total = (...amounts: number[]) =>
  expect.closeTo(
    amounts.reduce((sum, each) => sum + each),
    9,
  ) as number;

describe('the EMV by a price list whose editions meet between two periods', () => {
  const built = (parameters: NonNullable<Asked['parameters']>) =>
    buildOf(rows, 'emv', { only: ['summary', 'by_part', 'posts'], parameters });

  for (const removed of removedModes)
    it(`counts posts that were removed as --removed ${removed} says, and its parts add up`, async () => {
      const document = await built({ from: '2025-11-01', to: '2025-12-31', removed });
      const all = ['before', 'early', 'gone'];
      const shown = all.filter(
        (id) => removed === 'include' || (id === 'gone') === (removed === 'only'),
      );
      const amounts = shown.map((id) => expectedBy(id, '2025-12-31'));
      const [summary] = rowsOf(document, 'summary');
      expect(summary).toMatchObject({ posts: shown.length, emv: total(...amounts) });
      expect(total(...rowsOf(document, 'by_part').map(({ emv }) => Number(emv)))).toEqual(
        summary?.['emv'],
      );
      const posts = rowsOf(document, 'posts').map(({ linkedin_post_id: id, emv }) => [id, emv]);
      expect(Object.fromEntries(posts)).toEqual(
        Object.fromEntries(shown.map((id, index) => [id, expect.closeTo(amounts[index] ?? 0, 9)])),
      );
    });

  it('has the counts that were known at the end of a day, and is that of today without one', async () => {
    const parameters = { from: '2025-11-01', to: '2025-12-31', removed: 'include' } as const;
    for (const asOf of ['2025-12-03', '2025-12-05', null]) {
      const [summary] = rowsOf(await built({ ...parameters, asOf }), 'summary');
      const amounts = ['before', 'early', 'gone'].map((id) => expectedBy(id, asOf ?? '9'));
      expect(summary, String(asOf)).toMatchObject({ emv: total(...amounts) });
    }
  });

  it('compares with the period before at equal age, at the prices of each', async () => {
    const document = await built({ from: '2025-12-01', to: '2025-12-07' });
    const [summary] = rowsOf(document, 'summary');
    expect(summary).toMatchObject({
      emv: total(expectedBy('early', '9')),
      previous_emv: total(expectedBy('before', '2025-12-01')),
    });
    const one = {
      name: 'one',
      editions: [{ from: null, prices: { impressions: 30, clicks: 4.5 } }],
    };
    const [repriced] = rowsOf(
      await built({ from: '2025-12-01', to: '2025-12-07', prices: one }),
      'summary',
    );
    expect(repriced?.['previous_emv']).toBeCloseTo((1100 / 1000) * 30 + 2 * 4.5, 9);
  });
});
