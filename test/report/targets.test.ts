import { expect, test } from 'vitest';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { type Asked, buildOf } from '../reports/support/built-report.ts';
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
    post('e', '2026-01-02T08:15:00Z'),
  ],
};

const targets = { emv: 80, engagement_rate: 0.03, posts: 4 };
const november = { from: '2025-11-01', to: '2025-11-30', targets };

async function build(report: string, asked: Asked) {
  const document = await buildOf(rows, report, {
    only: ['_cards', '_lede', 'by_month'],
    ...asked,
    config: { today: '2026-02-10', ...asked.config },
  });
  const bases = document.cards.flatMap(({ label, basis }) => (basis ? [[label, basis]] : []));
  const beside = rowsOf(document, 'by_month').map(
    (row) => row['emv_target'] ?? row['rate_target'] ?? null,
  );
  return { document, bases: Object.fromEntries(bases) as Record<string, string>, beside };
}

test('the first sentence and cards say how much of the month’s target was reached', async () => {
  const emv = await build('emv', { parameters: november });
  expect(emv.bases).toMatchObject({
    EMV: '75% of the target of €80',
    Posts: '75% of the target of 4',
    'EMV per post': '2 posts with EMV',
  });
  expect(emv.document.lede).toBe(
    '2 of your 3 posts earned **€60** of media value, 75% of the target of €80.',
  );
  const engagement = await build('engagement', { parameters: november });
  expect(engagement.bases).toEqual({ 'Engagement rate': 'target 3.0%' });
});

test('the target of several months is their sum, that of a rate stays, and each month has its own beside it, drawn as a line', async () => {
  const parameters = { ...november, to: '2026-01-31' };
  const emv = await build('emv', { parameters });
  expect(emv.bases['EMV']).toBe('50% of the target of €240');
  expect(emv.beside).toEqual([80, 80, 80]);
  expect(renderHtml(emv.document, { logo: null })).toContain('class="target"');
  const engagement = await build('engagement', { parameters });
  expect(engagement.bases).toEqual({ 'Engagement rate': 'target 3.0%' });
  expect(engagement.beside).toEqual([0.03, 0.03, 0.03]);
});

test('months that are not over are on the way', async () => {
  const parameters = { ...november, to: '2026-01-20', soFarMonths: 3 } as const;
  const { bases, beside } = await build('emv', { parameters, config: { today: '2026-01-21' } });
  expect(bases['EMV']).toBe('on the way: 50% of the target of €240 after 88% of the days');
  expect(beside).toEqual([80, 80, 80]);
});

test('there is no target for days that make no months, nor for some of the posts', async () => {
  const some = [
    { ...november, from: '2025-11-03', to: '2025-12-20' },
    { targets },
    { ...november, types: ['Text'] },
    { ...november, removed: 'only' },
  ] as const;
  for (const parameters of some) {
    const { bases } = await build('emv', { parameters });
    expect(Object.values(bases).filter((basis) => basis.includes('target'))).toEqual([]);
  }
  // a month that is only in part in the report has none
  expect((await build('emv', { parameters: some[0] })).beside).toEqual([null, null]);
});
