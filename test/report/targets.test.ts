import { expect, test } from 'vitest';
import { renderHtml } from '../../src/render/html/render-html.ts';
import type { Asked } from '../reports/support/built-report.ts';
import { buildOf } from '../reports/support/built-report.ts';
import { rowsOf } from '../reports/support/document-figures.ts';

const post = (id: string, published_at: string) => ({
  linkedin_post_id: id,
  type: 'Text',
  published_at,
  impression_count: 1000,
  engagement: 0.025,
  emv: 30,
});

const rows = {
  profiles: [{ profile_id: 'p1', name: 'Acme' }],
  linkedin_posts: [
    post('a', '2025-11-03T08:15:00Z'),
    post('b', '2025-11-04T08:15:00Z'),
    { ...post('c', '2025-11-05T08:15:00Z'), emv: null, type: 'Image' },
    post('d', '2025-12-02T08:15:00Z'),
  ],
};

const targets = { emv: 80, engagement_rate: 0.03, posts: 4 };
const november = { from: '2025-11-01', to: '2025-11-30', targets };

async function bases(report: string, asked: Asked) {
  const { cards } = await buildOf(rows, report, {
    only: ['_cards'],
    ...asked,
    config: { today: '2025-12-16', ...asked.config },
  });
  return Object.fromEntries(
    cards.flatMap(({ label, basis }) => (basis === null ? [] : [[label, basis]])),
  );
}

test('cards say how much of the month’s target was reached', async () => {
  expect(await bases('emv', { parameters: november })).toMatchObject({
    EMV: '75% of the target of €80',
    Posts: '75% of the target of 4',
    'EMV per post': '2 posts with EMV',
  });
  expect(await bases('engagement', { parameters: november })).toEqual({
    'Engagement rate': 'target 3.0%',
  });
});

test('the target of several months is their sum, that of a rate stays', async () => {
  const parameters = { ...november, to: '2025-12-31' };
  const config = { today: '2026-01-10' };
  expect((await bases('emv', { parameters, config }))['EMV']).toBe('56% of the target of €160');
  expect(await bases('engagement', { parameters, config })).toEqual({
    'Engagement rate': 'target 3.0%',
  });
});

test('a month that is not over is on the way', async () => {
  const parameters = { from: '2025-12-01', to: '2025-12-16', soFarMonths: 1, targets } as const;
  expect((await bases('emv', { parameters }))['EMV']).toBe(
    'on the way: 38% of the target of €80 after 48% of the days',
  );
});

test('there is no target for days that make no months, nor for some of the posts', async () => {
  const some = [
    { ...november, to: '2025-11-20' },
    { targets },
    { ...november, types: ['Text'] },
    { ...november, removed: 'only' },
  ] as const;
  for (const parameters of some) {
    const said = Object.values(await bases('emv', { parameters }));
    expect(said.filter((basis) => basis.includes('target'))).toEqual([]);
  }
});

test('the months have the target beside them, and the page draws it as a line', async () => {
  const parameters = { ...november, to: '2026-01-31' };
  const more = [...rows.linkedin_posts, post('e', '2026-01-02T08:15:00Z')];
  const build = (report: string, changes = {}, today = '2026-02-10') =>
    buildOf({ ...rows, linkedin_posts: more }, report, {
      only: ['by_month'],
      parameters: { ...parameters, ...changes },
      config: { today },
    });
  const document = await build('emv');
  expect(rowsOf(document, 'by_month').map((row) => row['emv_target'])).toEqual([80, 80, 80]);
  // a month that is only in part in the report has none
  const parts = rowsOf(await build('emv', { from: '2025-11-03', to: '2025-12-20' }), 'by_month');
  expect(parts.map((row) => row['emv_target'])).toEqual([null, null]);
  const soFar = { to: '2025-12-20', soFarMonths: 2 };
  const running = await build('emv', soFar, '2025-12-21');
  expect(rowsOf(running, 'by_month').map((row) => row['emv_target'])).toEqual([80, 80]);
  const engagement = rowsOf(await build('engagement'), 'by_month');
  expect(engagement.map((row) => row['rate_target'])).toEqual([0.03, 0.03, 0.03]);
  const page = renderHtml(document, { logo: null });
  expect(page).toContain('class="target"');
});
